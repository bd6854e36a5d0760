import { anyKey, isStruct, member, type Predicate, type Struct } from './predicates.js'
import { localScalars, same, type WireScalars } from './wire.js'

/** Converts one value. Never throws: returns a value that it cannot convert unchanged. */
export type Convert = (value: unknown, wire: WireScalars) => unknown

/** True if an optional member is present: null on the wire counts as omitted. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Decodes null for a type that includes undefined but not null. */
export function nullToUndefined(value: unknown): unknown {
  return value === null ? undefined : value
}

/** Encodes undefined as null. */
export function undefinedToNull(value: unknown): unknown {
  return value === undefined ? null : value
}

/** Decodes a URL; returns an invalid URL unchanged. */
export function stringToUrl(value: unknown): unknown {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : value
}

export function urlToString(value: unknown): unknown {
  return value instanceof URL ? value.href : value
}

/** Decodes all arguments; `accepts` rejects too many or too few. */
export function reviveArguments(
  args: readonly unknown[],
  converts: readonly Convert[],
  wire: WireScalars = localScalars,
  rest: Convert = same,
): readonly unknown[] {
  return args.map((arg, i) => (converts[i] ?? rest)(arg, wire))
}

/** Converts the items of an array. Here and below, `wire` may be omitted if no part of the type needs it. */
export function mapArray(value: unknown, convert: Convert, wire: WireScalars = localScalars): unknown {
  return Array.isArray(value) ? value.map((each) => convert(each, wire)) : value
}

/** Converts the elements of a tuple; `rest` converts those after the last of `elements`. */
export function mapTuple(value: unknown, elements: readonly Convert[], rest: Convert, wire: WireScalars = localScalars): unknown {
  return Array.isArray(value) ? value.map((each, i) => (elements[i] ?? rest)(each, wire)) : value
}

/** Converts members whose names match `keys`, except those in `known`, and sets them on `into`, which has these already. */
export function mapRecord(
  value: unknown,
  convert: Convert,
  wire: WireScalars = localScalars,
  known: readonly string[] = [],
  into: Struct = {},
  keys = anyKey,
): unknown {
  if (!isStruct(value)) return value
  for (const name of Object.keys(value)) {
    if (!known.includes(name) && keys.test(name)) setMember(into, name, convert(value[name], wire))
  }
  return into
}

/** Sets an own property, `__proto__` too: no name changes the prototype. */
export function setMember(into: Struct, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

export function arrayToSet(value: unknown, convert: Convert, wire: WireScalars = localScalars): unknown {
  return Array.isArray(value) ? new Set(value.map((each) => convert(each, wire))) : value
}

export function setToArray(value: unknown, convert: Convert, wire: WireScalars = localScalars): unknown {
  return value instanceof Set ? Array.from(value, (each) => convert(each, wire)) : value
}

export function structToMap(value: unknown, convert: Convert, wire: WireScalars = localScalars): unknown {
  if (!isStruct(value)) return value
  return new Map(Object.keys(value).map((name) => [name, convert(value[name], wire)]))
}

export function mapToStruct(value: unknown, convert: Convert, wire: WireScalars = localScalars): unknown {
  if (!(value instanceof Map)) return value
  const struct: Struct = {}
  for (const [name, each] of value) setMember(struct, name, convert(each, wire))
  return struct
}

/** A branch of a union: the predicate over its TypeScript values, and its conversion. */
export type Branch = readonly [is: Predicate, convert: Convert]

/** Decodes a union: merges the results of all branches that accept their own result. */
export function reviveUnion(value: unknown, branches: readonly Branch[], wire: WireScalars = localScalars): unknown {
  const accepted: unknown[] = []
  for (const [is, convert] of branches) {
    const revived = convert(value, wire)
    if (is(revived)) accepted.push(revived)
  }
  return accepted.length === 0 ? value : accepted.reduce(merge)
}

/** Encodes a union: merges the results of all branches that accept the value. */
export function lowerUnion(value: unknown, branches: readonly Branch[], wire: WireScalars = localScalars): unknown {
  const lowered = branches.filter(([is]) => is(value)).map(([, convert]) => convert(value, wire))
  return lowered.length === 0 ? value : lowered.reduce(merge)
}

/** A branch of a tagged union: its tags, and its conversion. */
export type TaggedBranch = readonly [tags: readonly unknown[], convert: Convert]

/** Converts a tagged union, in both directions, by the branch of the tag; values that are not structs by `otherwise`. */
export function convertTagged(
  value: unknown,
  discriminant: string,
  branches: readonly TaggedBranch[],
  otherwise: Convert = same,
  wire: WireScalars = localScalars,
): unknown {
  if (!isStruct(value)) return otherwise(value, wire)
  const tag = member(value, discriminant)
  const named = branches.find(([tags]) => tags.includes(tag))
  return named ? named[1](value, wire) : value
}

/** Merges two conversions of one value: the members of both, recursively. */
function merge(one: unknown, other: unknown): unknown {
  if (one === other) return one
  if (Array.isArray(one) && Array.isArray(other)) return one.map((each, i) => merge(each, other[i]))
  if (!isStruct(one) || !isStruct(other)) return one
  const both: Struct = {}
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const shared = Object.hasOwn(one, name) && Object.hasOwn(other, name)
    setMember(both, name, shared ? merge(one[name], other[name]) : Object.hasOwn(one, name) ? one[name] : other[name])
  }
  return both
}
