// What the functions of structs call for their members, and definitions of types with inner types.
//
//   array(date)(['2026-01-31'], jsonWires.decode)  →  [Date]
import { define, INVALID, isProbe, reject, typeOf } from './definition.js'
import { mapOf, setOf } from './hash-loads.js'
import { hasNull, membersByName, regExp } from './inner-types.js'
import {
  isInt,
  isPlain,
  isStruct,
  member,
  memberOf,
  presentElements,
  type Struct,
  setMember,
  structFrom,
} from './predicates.js'
import { nullType } from './scalar-types.js'
import { membersOfJson } from './serialize-unknown.js'
import type { Keys, LazyType, StructType, WireType } from './types.js'
import { COLLECTION_STEPS, type Definition, type Value, type Wire } from './wire.js'

/** Rejects a value that is not an object with members; returns an empty object for its copy. */
export function readStruct(value: Value): Value {
  if (value?.constructor !== Object && !isStruct(value)) throw INVALID
  return {}
}

/** True if an optional member is present; null counts as omitted when decoding. */
export function isPresent(value: Value, wire: Wire): boolean {
  return value !== undefined && value !== wire.omitted
}

/** True if an optional member is present whose type includes null: null is a value then. */
export function isPresentOrNull(value: Value, wire: Wire): boolean {
  return value !== wire.omittedOrNull
}

/** Returns an own member whose name all objects inherit, such as `constructor`. */
export function ownMember(value: Value, name: string): Value {
  return value === undefined || value === null ? undefined : member(value, name)
}

/** An optional member: its name and its definition. */
type Optional = readonly [name: string, type: Definition]

interface Optionals {
  readonly list: readonly Optional[]
  readonly positions: ReadonlyMap<string, number>
}

const optionalsOfStructs = /* @__PURE__ */ new WeakMap<Definition, Optionals>()

/**
 * Converts the optional members of a struct that has very many, and sets them on `out`. Only those that a value has are visited.
 */
export function readOptionalMembers(
  value: Value,
  of: Definition,
  list: () => readonly Optional[],
  wire: Wire,
  out: Value,
): void {
  setOptionals(value, wire.describer ? list() : presentOptionals(value, of, list), wire, out)
}

function presentOptionals(value: Value, of: Definition, listOf: () => readonly Optional[]): readonly Optional[] {
  let known = optionalsOfStructs.get(of)
  if (!known) {
    const list = listOf()
    known = { list, positions: new Map(list.map(([name], i) => [name, i])) }
    optionalsOfStructs.set(of, known)
  }
  const { list, positions } = known
  // Other members may be inherited.
  return isPlain(value) ? presentElements(value, list, positions) : list
}

function setOptionals(value: Value, list: readonly Optional[], wire: Wire, out: Value): void {
  for (const [name, type] of list) {
    const inner = memberOf(value, name)
    // Null is a value of some types.
    if (isPresent(inner, wire) || (inner === null && hasNull(typeOf(type))))
      setMember(out, name, read(inner, type, wire))
  }
}

/**
 * A value of a type, checked and converted by its definition. Only the functions of structs run while types are described: a definition that
 * has inner types calls theirs itself.
 */
export function read<T>(value: Value, type: Definition<T>, wire: Wire): T {
  return wire.describer === undefined ? type(value, wire) : reject(value, type)
}

/** A value of a type, or null. */
export function readNullable<T>(value: Value, type: Definition<T>, wire: Wire): T | null {
  if (value === null) return null
  // A struct whose first member is `Node | null` would look for it in what is missing, and so on.
  if (value === undefined && typeOf(type).kind === 'struct') throw INVALID
  return wire.describer === undefined ? type(value, wire) : reject(value, nullable(type))
}

/** An array of values of a type. */
export function readArray<T>(value: Value, type: Definition<T>, wire: Wire): T[] {
  if (!Array.isArray(value)) {
    if (isProbe(value)) return reject(value, array(type))
    throw INVALID
  }
  const { length } = value
  let copy: T[] | undefined = mayKeepList(value, wire) ? undefined : new Array(length)
  for (let i = 0; i < length; i += 1) {
    const item = value[i]
    const converted = type(item, wire)
    if (copy === undefined && converted !== item) copy = copyUntil(value, i)
    if (copy !== undefined) copy[i] = converted
  }
  return copy ?? value
}

/**
 * True if a list needs no copy where its elements are unchanged: it does for callers in the same process, and if JSON.stringify would
 * call a method of it.
 */
export function mayKeepList(value: readonly unknown[], wire: Wire): boolean {
  return wire.decodes || (wire.encodes && (value as Value).toJSON === undefined)
}

function copyUntil<T>(items: readonly T[], end: number): T[] {
  const copy = new Array<T>(items.length)
  for (let i = 0; i < end; i += 1) copy[i] = items[i] as T
  return copy
}

/**
 * Converts the members of an index signature, all but `known` (names, or a struct that declares them), sets them on `out`, and returns it. A
 * member that matches several is checked by each and converted by the last. On the way out, a value with `toJSON()` has the members of what
 * that returns.
 */
export function readIndexSignature(
  value: Value,
  known: readonly string[] | Definition,
  type: Definition,
  wire: Wire,
  out: Value,
  keys?: Keys,
): Value {
  if (wire.describer) {
    wire.describer.onIndex(type, keys)
    return out
  }
  const pattern = keys && regExp(keys.pattern)
  const source = wire.decodes || value.toJSON === undefined ? value : membersOfJson(value)
  if (source === undefined) throw INVALID
  const declared = typeof known === 'function' ? membersByName(typeOf(known) as StructType<LazyType>) : undefined
  for (const name of Object.keys(source)) {
    if (
      !(declared ? declared.has(name) : (known as readonly string[]).includes(name)) &&
      (!pattern || pattern.test(name))
    )
      setMember(out, name, type(source[name], wire))
  }
  return out
}

export { setMember }

/** `T[]`, with the definition of `T`. */
export function array<T>(type: Definition<T>): Definition<T[]> {
  return define(
    (value: Value, wire: Wire) => readArray(value, type, wire),
    () => ({ kind: 'array', element: typeOf(type) }),
    () => [type],
  )
}

/** `Set<T>`: an array in both protocols. */
export function set<T>(type: Definition<T>): Definition<Set<T>> {
  const convert = (value: Value, wire: Wire): Value => {
    if (wire.decodes ? !Array.isArray(value) : !(value instanceof Set)) throw INVALID
    wire.steps?.take(COLLECTION_STEPS)
    const items = Array.from(value, (item) => type(item, wire))
    return wire.encodes ? items : setOf(items, wire.steps)
  }
  return define(
    convert,
    () => ({ kind: 'set', element: typeOf(type) }),
    () => [type],
  )
}

/** `Map<string, T>`, or with fewer keys, or with numbers: an object in both protocols. */
export function map<T>(type: Definition<T>, keys?: Keys): Definition<Map<Value, T>> {
  const convert = (value: Value, wire: Wire): Value => {
    if (wire.decodes ? !isStruct(value) : !(value instanceof Map)) throw INVALID
    wire.steps?.take(COLLECTION_STEPS)
    const entries = wire.decodes ? Object.entries(value) : [...value]
    const converted = entries.map(([name, each]): [Value, unknown] => [mapKey(name, keys, wire), type(each, wire)])
    return wire.encodes ? structFrom(converted) : mapOf(converted, wire.steps)
  }
  return define(
    convert,
    () => ({ kind: 'map', value: typeOf(type), ...(keys && { keys }) }),
    () => [type],
  )
}

/** Converts a key of a Map; throws INVALID for a value that is not one. */
export function mapKey(key: unknown, keys: Keys | undefined, wire: Wire): unknown {
  if (!isMapKey(key, keys, wire)) throw INVALID
  if (!keys?.numeric) return key
  return wire.decodes ? Number(key) : wire.encodes ? String(key) : key
}

/** True if a value is a key of a Map, as it is on a wire. */
export function isMapKey(key: unknown, keys: Keys | undefined, { decodes }: Wire): boolean {
  const numeric = keys?.numeric
  if (typeof key !== (numeric && !decodes ? 'number' : 'string')) return false
  const name = String(key)
  if (keys && !regExp(keys.pattern).test(name)) return false
  if (!numeric) return true
  const number = Number(name)
  // One number has one text, so that no entry replaces another one.
  return String(number) === name && Number.isFinite(number) && (numeric === 'number' || isInt(number))
}

/** True if an object needs no copy where its members are unchanged, as a list does not. */
function mayKeepMembers(value: Value, wire: Wire): boolean {
  if (!(wire.decodes || wire.encodes)) return false
  return Object.getPrototypeOf(value) === Object.prototype && (wire.decodes || value.toJSON === undefined)
}

/** Converts the members of an object. */
function readMembers(value: Struct, type: Definition, wire: Wire): Struct {
  const names = Object.keys(value)
  let copy: Struct | undefined
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string
    const converted = type(value[name], wire)
    if (copy === undefined && converted !== value[name]) {
      copy = {}
      for (const before of names.slice(0, i)) setMember(copy, before, value[before])
    }
    if (copy !== undefined) setMember(copy, name, converted)
  }
  return copy ?? value
}

/** `Record<string, T>`, or with fewer keys. */
export function record<T>(type: Definition<T>, keys?: Keys): Definition<Record<string, T>> {
  const convert = (value: Value, wire: Wire) => {
    readStruct(value)
    if (keys || !mayKeepMembers(value, wire)) return readIndexSignature(value, [], type, wire, {}, keys)
    return readMembers(value, type, wire)
  }
  return define(
    convert,
    () => ({ kind: 'struct', members: [], indexes: [{ type: typeOf(type), ...(keys && { keys }) }] }),
    () => [type],
  )
}

/** A tuple: the first `required` elements are required, and any number of `rest` may follow. */
export function tuple(types: readonly Definition[], required: number = types.length, rest?: Definition): Definition {
  const convert = (value: Value, wire: Wire) => {
    if (!Array.isArray(value) || value.length < required || (!rest && value.length > types.length)) throw INVALID
    const converted = new Array<unknown>(value.length)
    for (let i = 0; i < value.length; i += 1) {
      const item: Value = value[i]
      const type = (types[i] ?? rest) as Definition
      const isOptional = i >= required && i < types.length
      if (isOptional && (item ?? null) === null && isOmitted(typeOf(type), item, wire)) {
        converted[i] = wire.encodes ? null : undefined
      } else {
        converted[i] = type(item, wire)
      }
    }
    return converted
  }
  return define(
    convert,
    () => ({ kind: 'tuple', elements: types.map(typeOf), required, ...(rest && { rest: typeOf(rest) }) }),
    () => (rest ? [...types, rest] : types),
  )
}

/** True if a value means an omitted member or element of a type. */
export function isOmitted(type: WireType, value: unknown, wire: Wire): boolean {
  return value === undefined || (value === null && wire.decodes && !hasNull(type))
}

/** `T | null`. */
export function nullable<T>(type: Definition<T>): Definition<T | null> {
  return define(
    (value: Value, wire: Wire) => (value === null ? null : type(value, wire)),
    () => ({ kind: 'union', branches: [typeOf(type), typeOf(nullType)] }),
    () => [type],
  )
}

/** A type under another name. */
export function alias<T>(type: Definition<T>): Definition<T> {
  return lazy(() => type)
}

/** A type whose definition comes later in the module. */
export function lazy<T>(later: () => Definition<T>): Definition<T> {
  return define(
    (value: Value, wire: Wire) => later()(value, wire),
    () => typeOf(later()),
    () => [later()],
  )
}
