import { localWire, type Wire } from '../call/wire.js'
import { anyKey, isStruct, member, type Predicate, type Struct } from './predicates.js'

/** Turns one value; total: what it cannot turn comes back as it went in. */
export type Convert = (value: unknown, wire: Wire) => unknown

/** Whether an optional member is there: null from the wire stands for left out. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Null on the wire is undefined to a type that has undefined and no null. */
export function nullToUndefined(value: unknown): unknown {
  return value === null ? undefined : value
}

/** Undefined has no form on the wire but null. */
export function undefinedToNull(value: unknown): unknown {
  return value === undefined ? null : value
}

/** A URL travels as a string; one that is none stays as it is. */
export function stringToUrl(value: unknown): unknown {
  return typeof value === 'string' && URL.canParse(value) ? new URL(value) : value
}

export function urlToString(value: unknown): unknown {
  return value instanceof URL ? value.href : value
}

/** For what travels as it is. */
export function same(value: unknown): unknown {
  return value
}

/** Converts arguments one by one, however many there are: too many or too few are for `accepts` to refuse. */
export function reviveArguments(
  args: readonly unknown[],
  converts: readonly Convert[],
  wire: Wire = localWire,
  rest: Convert = same,
): readonly unknown[] {
  return args.map((arg, i) => (converts[i] ?? rest)(arg, wire))
}

/** `wire` is left out, here and below, where no part of the type needs one. */
export function mapArray(value: unknown, convert: Convert, wire: Wire = localWire): unknown {
  return Array.isArray(value) ? value.map((each) => convert(each, wire)) : value
}

/** Element by element; `rest` for those behind the last. */
export function mapTuple(value: unknown, elements: readonly Convert[], rest: Convert, wire: Wire = localWire): unknown {
  return Array.isArray(value) ? value.map((each, i) => (elements[i] ?? rest)(each, wire)) : value
}

/** Every member whose name fits `keys`, but those that `known` names; `into` is the object that holds these already. */
export function mapRecord(
  value: unknown,
  convert: Convert,
  wire: Wire = localWire,
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

/** Sets a member as an own property, `__proto__` too: no name reaches the prototype. */
export function setMember(into: Struct, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
}

export function arrayToSet(value: unknown, convert: Convert, wire: Wire = localWire): unknown {
  return Array.isArray(value) ? new Set(value.map((each) => convert(each, wire))) : value
}

export function setToArray(value: unknown, convert: Convert, wire: Wire = localWire): unknown {
  return value instanceof Set ? Array.from(value, (each) => convert(each, wire)) : value
}

export function structToMap(value: unknown, convert: Convert, wire: Wire = localWire): unknown {
  if (!isStruct(value)) return value
  return new Map(Object.keys(value).map((name) => [name, convert(value[name], wire)]))
}

export function mapToStruct(value: unknown, convert: Convert, wire: Wire = localWire): unknown {
  if (!(value instanceof Map)) return value
  const struct: Struct = {}
  for (const [name, each] of value) setMember(struct, name, convert(each, wire))
  return struct
}

/** A branch of a union: how it converts, and the predicate over its TypeScript values. */
export type Branch = readonly [is: Predicate, convert: Convert]

/** From the wire: every branch that accepts what it makes of the value contributes the members that it declares. */
export function reviveUnion(value: unknown, branches: readonly Branch[], wire: Wire = localWire): unknown {
  const accepted: unknown[] = []
  for (const [is, convert] of branches) {
    const revived = convert(value, wire)
    if (is(revived)) accepted.push(revived)
  }
  return accepted.length === 0 ? value : accepted.reduce(merge)
}

/** To the wire: every branch that accepts the value contributes the members that it declares. */
export function lowerUnion(value: unknown, branches: readonly Branch[], wire: Wire = localWire): unknown {
  const lowered = branches.filter(([is]) => is(value)).map(([, convert]) => convert(value, wire))
  return lowered.length === 0 ? value : lowered.reduce(merge)
}

/** A branch of a tagged union: the literals that name it, and how it converts. */
export type TaggedBranch = readonly [tags: readonly unknown[], convert: Convert]

/** Both ways: by the branch that the tag names, and no other. `otherwise` is for what is no struct. */
export function convertTagged(
  value: unknown,
  discriminant: string,
  branches: readonly TaggedBranch[],
  otherwise: Convert = same,
  wire: Wire = localWire,
): unknown {
  if (!isStruct(value)) return otherwise(value, wire)
  const tag = member(value, discriminant)
  const named = branches.find(([tags]) => tags.includes(tag))
  return named ? named[1](value, wire) : value
}

/** Two views of one value: the members of both, all the way down. */
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
