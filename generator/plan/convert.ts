import type { ConvertBody, ConvertPlan, OptionalPlan } from '../../templates/predicate.js'
import { key, quote } from '../../templates/text.js'
import type { ModelType, NamedType } from '../model/model.js'
import { memberAccess, type Planner } from './planner.js'
import { casesOf, testFunction } from './predicate.js'

/** Which way a value goes: from the wire, or to it. */
export type Direction = 'revive' | 'lower'

type Of<Kind extends ModelType['kind']> = Extract<ModelType, { kind: Kind }>

/** Kinds that the wire has another form for; the others go as they are, or part by part. */
const ownForm: Readonly<Record<Direction, ReadonlySet<string>>> = {
  revive: new Set(['date', 'bytes', 'bigint', 'undefined', 'void', 'set', 'map']),
  lower: new Set(['date', 'bytes', 'bigint', 'undefined', 'void', 'set', 'map', 'any']),
}

/** Whether some part of a type passes `found`; recursion ends where a name comes again. */
function some(
  type: ModelType,
  planner: Planner,
  found: (type: ModelType) => boolean,
  seen = new Set<string>(),
): boolean {
  if (found(type)) return true
  const inner = (each: ModelType) => some(each, planner, found, seen)
  switch (type.kind) {
    case 'ref':
      if (seen.has(type.name)) return false
      seen.add(type.name)
      return inner(planner.typeOf(type.name).type)
    case 'array':
    case 'set':
      return inner(type.element)
    case 'map':
      return inner(type.value)
    case 'tuple':
      return type.elements.some(inner) || (type.rest !== undefined && inner(type.rest))
    case 'struct':
      return type.members.some((member) => inner(member.type)) || (type.rest !== undefined && inner(type.rest))
    case 'union':
      return type.branches.some(inner)
    default:
      return false
  }
}

/** Whether a type needs converting at all: it has a form of its own, or a struct whose undeclared members go. */
export function needsConvert(type: ModelType, direction: Direction, planner: Planner): boolean {
  return some(type, planner, (each) => ownForm[direction].has(each.kind) || (each.kind === 'struct' && !each.rest))
}

/** Whether the conversion asks the protocol. */
function takesWire(type: ModelType, planner: Planner): boolean {
  return some(type, planner, (each) => ownForm.lower.has(each.kind))
}

/** The name of a named type's conversion. */
function nameOf(name: string, direction: Direction, planner: Planner): string {
  const names = planner.namesOf(name)
  return takesWire({ kind: 'ref', name }, planner) ? names[direction] : names.pick
}

/** An expression that turns `value`; `value` itself where nothing needs turning. */
export function convertExpression(type: ModelType, value: string, direction: Direction, planner: Planner): string {
  if (!needsConvert(type, direction, planner)) return value
  const { imports } = planner
  const call = (name: string, ...args: string[]) => `${imports.codegen(name)}(${[value, ...args].join(', ')})`
  const wire = takesWire(type, planner) ? ['wire'] : []
  const inner = (each: ModelType) => convertFunction(each, direction, planner)
  const verb = direction === 'revive' ? 'read' : 'write'
  switch (type.kind) {
    case 'date':
      return `wire.${verb}Date(${value})`
    case 'bytes':
      return direction === 'revive' ? `wire.readBytes(${value}, ${quote(type.as)})` : `wire.writeBytes(${value})`
    case 'bigint':
      return `wire.${verb}Bigint(${value})`
    case 'undefined':
    case 'void':
      return call(direction === 'revive' ? 'nullToUndefined' : 'undefinedToNull')
    case 'any':
      return call('writeAny', 'wire')
    case 'array':
      return call('mapArray', inner(type.element), ...wire)
    case 'set':
      return call(direction === 'revive' ? 'arrayToSet' : 'setToArray', inner(type.element), ...wire)
    case 'map':
      return call(direction === 'revive' ? 'structToMap' : 'mapToStruct', inner(type.value), ...wire)
    case 'tuple': {
      const rest = type.rest ? inner(type.rest) : imports.codegen('same')
      return call('mapTuple', `[${type.elements.map(inner).join(', ')}]`, rest, ...wire)
    }
    case 'struct':
      return type.rest ? call('mapRecord', inner(type.rest), ...wire) : value
    case 'union':
      return convertUnion(type, value, direction, planner)
    case 'ref':
      return `${nameOf(type.name, direction, planner)}(${[value, ...wire].join(', ')})`
    default:
      return value
  }
}

/** Conversions are total, so one branch's can be asked of every value; two or more are told apart by predicate. */
function convertUnion(type: Of<'union'>, value: string, direction: Direction, planner: Planner): string {
  const { imports } = planner
  const hasNull = type.branches.some(({ kind }) => kind === 'null')
  const nothing = type.branches.find(({ kind }) => kind === 'undefined' || kind === 'void')
  const turned = type.branches.filter((branch) => branch !== nothing && needsConvert(branch, direction, planner))
  const wrap = nothing && !(direction === 'revive' && hasNull)
  const inner = (expression: string) =>
    wrap
      ? `${imports.codegen(direction === 'revive' ? 'nullToUndefined' : 'undefinedToNull')}(${expression})`
      : expression
  const [only, second] = turned
  if (!only) return inner(value)
  if (!second) return inner(convertExpression(only, value, direction, planner))
  const branches = turned.map(
    (each) => `[${testFunction(each, planner)}, ${convertFunction(each, direction, planner)}]`,
  )
  const wire = takesWire(type, planner) ? ', wire' : ''
  const union = imports.codegen(direction === 'revive' ? 'reviveUnion' : 'lowerUnion')
  return inner(`${union}(${value}, [${branches.join(', ')}]${wire})`)
}

/** A conversion as a function: by its name where it has one. */
export function convertFunction(type: ModelType, direction: Direction, planner: Planner): string {
  if (!needsConvert(type, direction, planner)) return planner.imports.codegen('same')
  if (type.kind === 'ref') return nameOf(type.name, direction, planner)
  if (type.kind === 'any') return planner.imports.codegen('writeAny')
  const takes = takesWire(type, planner) && !['undefined', 'void'].includes(type.kind) ? '(v, wire)' : '(v)'
  return `${takes} => ${convertExpression(type, 'v', direction, planner)}`
}

/** The conversions of a named type for the directions it travels in; one for both where the wire has no say. */
export function planConverts(named: NamedType, directions: ReadonlySet<Direction>, planner: Planner): ConvertPlan[] {
  const ref: ModelType = { kind: 'ref', name: named.name }
  const needed = [...directions].filter((direction) => needsConvert(ref, direction, planner))
  const asked = takesWire(ref, planner)
  return (asked ? needed : needed.slice(0, 1)).map((direction) => {
    if (asked) planner.imports.codegenType('Wire')
    return {
      name: nameOf(named.name, direction, planner),
      takesWire: asked,
      body: planBody(named.type, direction, planner),
    }
  })
}

function planBody(type: ModelType, direction: Direction, planner: Planner): ConvertBody {
  if (type.kind === 'struct') return structBody(type, direction, planner)
  if (type.kind === 'union' && type.discriminant !== undefined) {
    planner.imports.codegen('isStruct')
    return {
      discriminant: memberAccess(type.discriminant, planner),
      cases: casesOf(type, planner, (branch) => convertExpression(branch, 'v', direction, planner)),
      otherwise: 'v',
    }
  }
  return { expression: convertExpression(type, 'v', direction, planner) }
}

function structBody(type: Of<'struct'>, direction: Direction, planner: Planner): ConvertBody {
  const { imports } = planner
  imports.codegen('isStruct')
  const convert = (name: string, member: ModelType) =>
    convertExpression(member, memberAccess(name, planner), direction, planner)
  const members = type.members
    .filter(({ optional }) => !optional)
    .map(({ name, type: member }) => `${key(name)}: ${convert(name, member)}`)
  const optional = type.members
    .filter((member) => member.optional)
    .map(({ name, type: member }): OptionalPlan => {
      const there = memberAccess(name, planner)
      const condition = isNullable(member, planner)
        ? `${there} !== undefined`
        : `${imports.codegen('isPresent')}(${there})`
      return { condition, assignment: `out[${quote(name)}] = ${convert(name, member)}` }
    })
  const result = type.rest ? restExpression(type, type.rest, direction, planner) : 'out'
  if (optional.length > 0 || result !== 'out') imports.codegenType('Struct')
  return { members, optional, result }
}

function restExpression(type: Of<'struct'>, rest: ModelType, direction: Direction, planner: Planner): string {
  const known = `[${type.members.map(({ name }) => quote(name)).join(', ')}]`
  const wire = takesWire(rest, planner) ? 'wire' : 'undefined'
  return `${planner.imports.codegen('mapRecord')}(v, ${convertFunction(rest, direction, planner)}, ${wire}, ${known}, out)`
}

function isNullable(type: ModelType, planner: Planner): boolean {
  if (type.kind === 'union') return type.branches.some((branch) => isNullable(branch, planner))
  if (type.kind === 'ref') return isNullable(planner.typeOf(type.name).type, planner)
  return type.kind === 'null' || type.kind === 'any'
}
