// Which scalars a value is, without converting it and without an exception: the part of the comparison that depends on the wire.
import { memoize } from '../cache.js'
import { type Constraints, testOf, type ValueKeys } from '../constraints.js'
import { INVALID } from '../definition.js'
import { regExp } from '../inner-types.js'
import { isBytes, isDate, isInt, isNumber } from '../predicates.js'
import type { WireType } from '../types.js'
import { isSendableUrl, parseUrl } from '../url.js'
import type { Wire } from '../wire.js'

type Composite = Extract<WireType, { kind: 'array' | 'set' | 'tuple' | 'struct' | 'map' }>
type ScalarWireType = Exclude<WireType, Composite | { kind: 'ref' | 'union' | 'custom' }>

/** True if a value is of a scalar type. */
export function matchesScalar(type: ScalarWireType, value: unknown, wire: Wire): boolean {
  const read = scalarValue(type, value, wire)
  return read !== INVALID && (type.constraints === undefined || meetsAll(wire.encodes ? value : read, type.constraints))
}

/** Returns the TypeScript value of a scalar without constraints, or INVALID if the value is not of the type. */
function scalarValue(type: ScalarWireType, value: unknown, wire: Wire): unknown {
  switch (type.kind) {
    case 'any':
      return value
    case 'int':
      return isInt(value) ? value : INVALID
    case 'double':
    case 'number':
      return isNumber(value) ? value : INVALID
    case 'string':
    case 'boolean':
      return typeof value === type.kind ? value : INVALID
    case 'null':
      return value === null ? value : INVALID
    case 'undefined':
    case 'void':
      return value === undefined || (value === null && wire.decodes) ? value : INVALID
    case 'literal':
      return value === type.value ? value : INVALID
    case 'template':
      return typeof value === 'string' && regExp(type.pattern).test(value) ? value : INVALID
    case 'date': {
      const date = wire.decodes ? wire.scalars.readDate(value) : value
      return isDate(date) ? date : INVALID
    }
    case 'bigint': {
      const integer = wire.decodes ? wire.scalars.readBigint(value) : value
      return typeof integer === 'bigint' && (type.value === undefined || type.value === `${integer}`)
        ? integer
        : INVALID
    }
    case 'bytes': {
      const bytes = wire.decodes ? wire.scalars.readBytes(value, type.as) : value
      return isBytes(bytes, type.as) ? bytes : INVALID
    }
    case 'url':
      if (!wire.decodes) return isSendableUrl(value) ? value : INVALID
      // Its limits of length, which are tested first, count what is sent.
      if (typeof value !== 'string' || (type.constraints && !meetsAll(value, type.constraints))) return INVALID
      return parseUrl(value) ?? INVALID
    default:
      return type satisfies never
  }
}

const knownTest = /* @__PURE__ */ memoize(testOf)

/** True if a value of the right type meets constraints. */
export function meetsAll(value: unknown, constraints: Constraints, keys?: ValueKeys): boolean {
  return knownTest(constraints)(value, keys)
}
