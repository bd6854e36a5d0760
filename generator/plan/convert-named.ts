import type { ConvertBody, ConvertPlan, OptionalPlan } from '../../templates/predicate.js'
import { key, quote } from '../../templates/text.js'
import type { ModelType, NamedType } from '../model/model.js'
import { type Direction, isNullable, isOneWay, needsConvert, takesWire } from './conversion.js'
import { convertExpression, convertFunction, convertName } from './convert.js'
import { memberAccess, type Planner } from './planner.js'
import { casesOf, importGuards, memoizeOf, withoutStructs } from './predicate.js'

type Struct = Extract<ModelType, { kind: 'struct' }>

/** The conversions of a named type for the directions it travels in; one for both where they are the same. */
export function planConverts(named: NamedType, directions: ReadonlySet<Direction>, planner: Planner): ConvertPlan[] {
  const ref: ModelType = { kind: 'ref', name: named.name }
  const needed = [...directions].filter((direction) => needsConvert(ref, direction, planner))
  return (isOneWay(ref, planner) ? needed.slice(0, 1) : needed).map((direction) => {
    const asksWire = takesWire(ref, direction, planner)
    if (asksWire) planner.imports.codegenType('Wire')
    return {
      name: convertName(named.name, direction, planner),
      takesWire: asksWire,
      body: planBody(named.type, direction, planner),
      ...memoizeOf(named, planner),
    }
  })
}

function planBody(type: ModelType, direction: Direction, planner: Planner): ConvertBody {
  if (type.kind === 'struct') return structBody(type, direction, planner)
  if (type.kind !== 'union' || type.discriminant === undefined) {
    return { expression: convertExpression(type, 'v', direction, planner) }
  }
  importGuards(planner)
  return {
    discriminant: memberAccess(type.discriminant, planner),
    cases: casesOf(type, planner, (branch) => convertExpression(branch, 'v', direction, planner)),
    otherwise: 'v',
    unlike: convertExpression(withoutStructs(type, planner), 'v', direction, planner),
  }
}

function structBody(type: Struct, direction: Direction, planner: Planner): ConvertBody {
  importGuards(planner)
  const members = type.members
    .filter(({ optional }) => !optional)
    .map(({ name, type: member }) => `${key(name)}: ${memberExpression(name, member, direction, planner)}`)
  const optional = type.members
    .filter((member) => member.optional)
    .map(({ name, type: member }) => optionalMember(name, member, direction, planner))
  const result = type.rest ? restExpression(type, type.rest, direction, planner) : 'out'
  if (optional.length > 0 || result !== 'out') planner.imports.codegenType('Struct')
  return { members, optional, result }
}

function memberExpression(name: string, type: ModelType, direction: Direction, planner: Planner): string {
  return convertExpression(type, memberAccess(name, planner), direction, planner)
}

/** Written only where it is there: null stands for left out, unless null is one of its values. */
function optionalMember(name: string, type: ModelType, direction: Direction, planner: Planner): OptionalPlan {
  const there = memberAccess(name, planner)
  const converted = memberExpression(name, type, direction, planner)
  return {
    condition: isNullable(type, planner)
      ? `${there} !== undefined`
      : `${planner.imports.codegen('isPresent')}(${there})`,
    assignment:
      name === '__proto__'
        ? `${planner.imports.codegen('setMember')}(out, ${quote(name)}, ${converted})`
        : `out[${quote(name)}] = ${converted}`,
  }
}

function restExpression(type: Struct, rest: ModelType, direction: Direction, planner: Planner): string {
  const known = `[${type.members.map(({ name }) => quote(name)).join(', ')}]`
  const wire = takesWire(rest, direction, planner) ? 'wire' : 'undefined'
  return `${planner.imports.codegen('mapRecord')}(v, ${convertFunction(rest, direction, planner)}, ${wire}, ${known}, out${type.keys ? `, /${type.keys.pattern}/` : ''})`
}
