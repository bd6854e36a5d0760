import { toUint8Array } from './bytes.js'
import { setMember } from './convert.js'
import { isDate, isStruct, type Struct } from './predicates.js'
import type { Wire } from './wire.js'

/** Why a value without a declared type cannot travel. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/** Deeper than any reader of ours goes; a value that contains itself ends here too. */
const maxDepth = 256

/** Lowers a value of type `any` or `unknown` by what it is; throws when it, or something in it, cannot travel. */
export function writeAny(value: unknown, wire: Wire, depth = 0): unknown {
  if (depth > maxDepth) throw new Unwritable(`a value nested deeper than ${maxDepth}, or in itself, cannot travel`)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'undefined':
      return null
    case 'number':
      if (Number.isFinite(value)) return value
      throw new Unwritable(`${value} cannot travel`)
    case 'bigint':
      return wire.writeBigint(value)
    case 'object':
      return value === null ? null : writeObject(value, wire, depth + 1)
    default:
      throw new Unwritable(`a ${typeof value} cannot travel`)
  }
}

function writeObject(value: object, wire: Wire, depth: number): unknown {
  if (value instanceof Date) {
    if (isDate(value)) return wire.writeDate(value)
    throw new Unwritable('an invalid date, or one outside the years 0001 to 9999, cannot travel')
  }
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, (each) => writeAny(each, wire, depth))
  const bytes = toUint8Array(value)
  if (bytes) return wire.writeBytes(bytes)
  return writeMembers(value instanceof Map ? value : Object.entries(value), wire, depth, isStruct(value))
}

function writeMembers(members: Iterable<[unknown, unknown]>, wire: Wire, depth: number, absent: boolean): Struct {
  const struct: Struct = {}
  for (const [name, value] of members) {
    if (absent && value === undefined) continue
    setMember(struct, String(name), writeAny(value, wire, depth))
  }
  return struct
}
