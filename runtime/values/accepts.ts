import { meets } from '../schema/constraints.js'
import { hasKey, namedStruct } from './branches.js'
import { PairCache } from './pair-cache.js'
import {
  isBytes,
  isDate,
  isInt,
  isNumber,
  isObject,
  isStruct,
  isUrl,
  member as own,
  type Struct,
} from './predicates.js'
import type { LazyType, StructType, TupleType, UnionType, WireType } from './wire-type.js'

/** Which values are of which types, as far as one call has asked: of the references that close cycles, and of unions. */
export type Verdicts = PairCache<WireType, boolean>

export function createVerdicts(): Verdicts {
  return new PairCache()
}

/** True if a TypeScript value is of a type: the same as the generated predicates, without generated code. */
export function accepts(type: WireType, value: unknown, verdicts: Verdicts): boolean {
  const { constraints } = type
  if (!acceptsKind(type, value, verdicts)) return false
  if (!constraints) return true
  const test = () => meets(value, constraints)
  // A pattern may be slow: it is not tested again where a rejected text is explained.
  return constraints.pattern === undefined ? test() : verdicts.get(type, value, test)
}

/** The same without the type's own constraints; those of its parts count. */
export function acceptsKind(type: WireType, value: unknown, verdicts: Verdicts): boolean {
  switch (type.kind) {
    case 'ref': {
      const target = type.type()
      return verdicts.get(target, value, () => accepts(target, value, verdicts))
    }
    case 'array':
      return Array.isArray(value) && acceptsEach(type.element, value, verdicts)
    case 'set':
      return value instanceof Set && acceptsEach(type.element, value, verdicts)
    case 'map':
      return value instanceof Map && hasStringKeys(value) && acceptsEach(type.value, value.values(), verdicts)
    case 'tuple':
      return Array.isArray(value) && acceptsTuple(type, value, verdicts)
    case 'struct':
      return isStruct(value) && acceptsStruct(type, value, verdicts)
    case 'union':
      return acceptsUnion(type, value, verdicts)
    default:
      return acceptsScalar(type, value)
  }
}

function acceptsEach(type: WireType, items: Iterable<unknown>, verdicts: Verdicts): boolean {
  for (const item of items) if (!accepts(type, item, verdicts)) return false
  return true
}

type Scalar = Exclude<WireType, { kind: 'array' | 'set' | 'map' | 'tuple' | 'struct' | 'union' | 'ref' }>

function acceptsScalar(type: Scalar, value: unknown): boolean {
  switch (type.kind) {
    case 'int':
      return isInt(value)
    case 'double':
    case 'number':
      return isNumber(value)
    case 'date':
      return isDate(value)
    case 'url':
      return isUrl(value)
    case 'bytes':
      return isBytes(value, type.as)
    case 'bigint':
      return typeof value === 'bigint' && (type.value === undefined || `${value}` === type.value)
    case 'null':
      return value === null
    case 'undefined':
    case 'void':
      return value === undefined
    case 'any':
      return true
    case 'literal':
      return value === type.value
    case 'template':
      return typeof value === 'string' && new RegExp(type.pattern).test(value)
    default:
      return typeof value === type.kind
  }
}

function hasStringKeys(map: ReadonlyMap<unknown, unknown>): boolean {
  for (const key of map.keys()) if (typeof key !== 'string') return false
  return true
}

/** Of a tagged union only the struct that the tag names is tried. */
function acceptsUnion(type: UnionType<LazyType>, value: unknown, verdicts: Verdicts): boolean {
  if (type.discriminant === undefined || !isStruct(value)) {
    const test = () => type.branches.some((branch) => accepts(branch, value, verdicts))
    return isObject(value) ? verdicts.get(type, value, test) : test()
  }
  const named = namedStruct(type, type.discriminant, value)
  return named !== undefined && accepts(named, value, verdicts)
}

/** True if a tuple may have this many elements. */
export function hasLengthOf(
  { elements, required, rest }: TupleType<LazyType>,
  { length }: readonly unknown[],
): boolean {
  return length >= required && (rest !== undefined || length <= elements.length)
}

/** The type of the element at an index; undefined where an optional element is left out. */
export function elementType(type: TupleType<LazyType>, element: unknown, index: number): WireType | undefined {
  if (element === undefined && index >= type.required && index < type.elements.length) return undefined
  return type.elements[index] ?? type.rest
}

function acceptsTuple(type: TupleType<LazyType>, value: readonly unknown[], verdicts: Verdicts): boolean {
  if (!hasLengthOf(type, value)) return false
  // By index: `every` skips the holes of an array.
  for (let i = 0; i < value.length; i += 1) {
    const element = elementType(type, value[i], i)
    if (element && !accepts(element, value[i], verdicts)) return false
  }
  return true
}

function acceptsStruct(type: StructType<LazyType>, value: Struct, verdicts: Verdicts): boolean {
  const { rest, members } = type
  for (const { name, type: declared, optional } of members) {
    const there = own(value, name)
    if ((there !== undefined || !optional) && !accepts(declared, there, verdicts)) return false
  }
  return !rest || indexedKeys(type, value).every((name) => accepts(rest, value[name], verdicts))
}

/** The keys of a value that the index signature of a struct is for. */
export function indexedKeys(type: StructType<LazyType>, value: Struct): string[] {
  const known = new Set(type.members.map(({ name }) => name))
  return Object.keys(value).filter((name) => !known.has(name) && hasKey(type, name))
}
