import { hasSizeLimit } from '../../runtime/schema/described-types.js'
import { quote } from '../../templates/text.js'
import type { ModelType } from '../model/model.js'
import { type Direction, isNullable, isOneWay, needsConvert, takesWire } from './conversion.js'
import type { Planner } from './planner.js'
import { casesOf, testFunction, withoutStructs } from './predicate.js'

type Of<Kind extends ModelType['kind']> = Extract<ModelType, { kind: Kind }>

/** What a type that no protocol has is turned by. */
const turns: Readonly<Record<string, Readonly<Record<Direction, string>>>> = {
  undefined: { revive: 'nullToUndefined', lower: 'undefinedToNull' },
  void: { revive: 'nullToUndefined', lower: 'undefinedToNull' },
  set: { revive: 'arrayToSet', lower: 'setToArray' },
  url: { revive: 'stringToUrl', lower: 'urlToString' },
  map: { revive: 'structToMap', lower: 'mapToStruct' },
}

/** An expression that turns `value`; `value` itself where nothing needs turning. */
export function convertExpression(type: ModelType, value: string, direction: Direction, planner: Planner): string {
  if (!needsConvert(type, direction, planner)) return value
  const { imports } = planner
  const wire = takesWire(type, direction, planner) ? ['wire'] : []
  const call = (name: string, ...args: string[]) => `${imports.codegen(name)}(${[value, ...args].join(', ')})`
  const inner = (each: ModelType) => convertFunction(each, direction, planner)
  switch (type.kind) {
    case 'date':
    case 'bytes':
    case 'bigint':
      return wireCall(type, value, direction)
    case 'undefined':
    case 'void':
    case 'url':
      return call(turns[type.kind]?.[direction] ?? '')
    case 'any':
      return call('writeAny', 'wire')
    case 'array':
      return call('mapArray', inner(type.element), ...wire)
    case 'set': {
      const turned = call(turns['set']?.[direction] ?? '', inner(type.element), ...wire)
      if (direction === 'lower' || !hasSizeLimit(type)) return turned
      // A list with equal elements stays one, and is refused: nobody could say how many there are.
      return `Array.isArray(${value}) && ${imports.codegen('isUnique')}(${value}) ? ${turned} : ${value}`
    }
    case 'map':
      return call(turns['map']?.[direction] ?? '', inner(type.value), ...wire)
    case 'tuple':
      return call('mapTuple', ...tupleFunctions(type, inner, planner), ...wire)
    case 'struct':
      return type.rest ? call('mapRecord', inner(type.rest), ...recordArguments(type, wire)) : value
    case 'union':
      return convertUnion(type, value, direction, planner)
    case 'ref':
      return `${convertName(type.name, direction, planner)}(${[value, ...wire].join(', ')})`
    default:
      return value
  }
}

function wireCall(type: Of<'bytes'> | { readonly kind: string }, value: string, direction: Direction): string {
  const verb = direction === 'revive' ? 'read' : 'write'
  const as = 'as' in type && direction === 'revive' ? `, ${quote(type.as)}` : ''
  return `wire.${verb}${type.kind.charAt(0).toUpperCase()}${type.kind.slice(1)}(${value}${as})`
}

/** What stands before the pattern of the names is written out where there is one. */
function recordArguments({ keys }: Of<'struct'>, wire: readonly string[]): readonly string[] {
  return keys ? [wire[0] ?? 'undefined', '[]', '{}', `/${keys.pattern}/`] : wire
}

/** An optional element that is not there is undefined, and null on the wire. */
function tupleFunctions(type: Of<'tuple'>, inner: (type: ModelType) => string, planner: Planner): string[] {
  const elements = type.elements.map((element, i) => inner(i < type.required ? element : orUndefined(element)))
  return [`[${elements.join(', ')}]`, type.rest ? inner(type.rest) : planner.imports.codegen('same')]
}

function orUndefined(type: ModelType): ModelType {
  const absent: ModelType = { kind: 'undefined' }
  if (type.kind !== 'union') return { kind: 'union', branches: [type, absent] }
  return { ...type, branches: [...type.branches, absent] }
}

/** Conversions are total, so one branch's can be asked of every value; two or more are told apart by predicate. */
function convertUnion(type: Of<'union'>, value: string, direction: Direction, planner: Planner): string {
  const turned = turnedBranches(type, direction, planner)
  const [only, second] = turned
  if (!only) return turnNothing(type, value, direction, planner)
  if (!second) {
    return turnNothing(type, convertExpression(only, value, direction, planner), direction, planner)
  }
  if (new Set(turned.map((each) => convertFunction(each, direction, planner))).size === 1) {
    return turnNothing(type, convertExpression(only, value, direction, planner), direction, planner)
  }
  if (type.discriminant !== undefined) return convertTagged(type, type.discriminant, value, direction, planner)
  const branches = turned.map(
    (each) => `[${testFunction(each, planner)}, ${convertFunction(each, direction, planner)}]`,
  )
  const wire = takesWire(type, direction, planner) ? ', wire' : ''
  const union = planner.imports.codegen(direction === 'revive' ? 'reviveUnion' : 'lowerUnion')
  const list = [...new Set(branches)].join(', ')
  return turnNothing(type, `${union}(${value}, [${list}]${wire})`, direction, planner)
}

/** By the tag, one branch is converted; all of them, at every level of a type that contains itself, would be 2^n. */
function convertTagged(
  type: Of<'union'>,
  discriminant: string,
  value: string,
  direction: Direction,
  planner: Planner,
): string {
  const cases = casesOf(type, planner, (branch) => convertFunction(branch, direction, planner)).map(
    ({ values, result }) => `[[${values.join(', ')}], ${result}]`,
  )
  const others = withoutStructs(type, planner)
  const wire = takesWire(type, direction, planner) ? ['wire'] : []
  const isLast = wire.length === 0 && !needsConvert(others, direction, planner)
  const last = isLast ? [] : [convertFunction(others, direction, planner), ...wire]
  const args = [value, quote(discriminant), `[${cases.join(', ')}]`, ...last]
  return `${planner.imports.codegen('convertTagged')}(${args.join(', ')})`
}

/** The branches that need turning, and those whose values another branch's conversion would spoil. */
function turnedBranches(type: Of<'union'>, direction: Direction, planner: Planner): readonly ModelType[] {
  const some = type.branches.filter((branch) => !isAbsent(branch))
  const turned = some.filter((branch) => needsConvert(branch, direction, planner))
  const forms = new Set(turned.flatMap((branch) => formsOf(branch, planner)))
  return some.filter((branch) => turned.includes(branch) || formsOf(branch, planner).some((form) => forms.has(form)))
}

/** What has parts on the wire, and of which sort. */
function formsOf(type: ModelType, planner: Planner, seen: readonly string[] = []): readonly ('list' | 'struct')[] {
  switch (type.kind) {
    case 'array':
    case 'set':
    case 'tuple':
      return ['list']
    case 'struct':
    case 'map':
      return ['struct']
    case 'union':
      return type.branches.flatMap((branch) => formsOf(branch, planner, seen))
    case 'ref':
      return seen.includes(type.name) ? [] : formsOf(planner.typeOf(type.name).type, planner, [...seen, type.name])
    default:
      return []
  }
}

/** Turns what a union has of undefined; on the way in null stays null where the union has it. */
function turnNothing(type: Of<'union'>, value: string, direction: Direction, planner: Planner): string {
  if (!type.branches.some(isAbsent) || (direction === 'revive' && isNullable(type, planner))) return value
  return `${planner.imports.codegen(turns['undefined']?.[direction] ?? '')}(${value})`
}

function isAbsent({ kind }: ModelType): boolean {
  return kind === 'undefined' || kind === 'void'
}

/** A conversion as a function: by its name where it has one. */
export function convertFunction(type: ModelType, direction: Direction, planner: Planner): string {
  if (!needsConvert(type, direction, planner)) return planner.imports.codegen('same')
  if (type.kind === 'ref') return convertName(type.name, direction, planner)
  if (type.kind === 'any') return planner.imports.codegen('writeAny')
  const simple = type.kind === 'undefined' || type.kind === 'void' || type.kind === 'url'
  if (simple) return planner.imports.codegen(turns[type.kind]?.[direction] ?? '')
  const takes = takesWire(type, direction, planner) ? '(v, wire)' : '(v)'
  return `${takes} => ${convertExpression(type, 'v', direction, planner)}`
}

/** The name of a named type's conversion; one for both directions where they are the same. */
export function convertName(name: string, direction: Direction, planner: Planner): string {
  const names = planner.namesOf(name)
  return isOneWay({ kind: 'ref', name }, planner) ? names.pick : names[direction]
}
