import { jsonScalars, parseDate } from '../jsonrpc/scalars.js'
import { toUint8Array } from '../values/bytes.js'
import { isDate } from '../values/predicates.js'
import { isSendableUrl, parseUrl } from '../values/url.js'
import { localScalars, type WireScalars } from '../values/wire.js'
import type { ClientScalar } from './table.js'
import { type ValuePath, valueError } from './value-error.js'

/** Converts a scalar that JSON does not have; undefined if the value is not of the type. */
export type Turn = (value: unknown) => unknown

type Converted = Exclude<ClientScalar, 'any' | 'never' | 'string' | 'number' | 'boolean' | 'null' | 'undefined'>

/** How a direction converts the scalars that JSON does not have. */
export type Scalars = Readonly<Record<Converted, Turn>>

/** Returns the encoders of a protocol. URLs are sent as text, because no protocol has them. */
function writtenBy(wire: WireScalars): Scalars {
  return {
    date: (value) => (isDate(value) ? wire.writeDate(value) : undefined),
    bytes: (value) => {
      const bytes = toUint8Array(value)
      return bytes && wire.writeBytes(bytes)
    },
    bigint: (value) => (typeof value === 'bigint' ? wire.writeBigint(value) : undefined),
    url: (value) => (isSendableUrl(value) ? value.href : undefined),
  }
}

/** To JSON: texts. */
export const toJson: Scalars = /* @__PURE__ */ writtenBy(jsonScalars)

/** To a protocol that has them itself, but for URLs. */
export const toNative: Scalars = /* @__PURE__ */ writtenBy(localScalars)

/** The decoders for both: a value that already has the type is unchanged. */
export const fromWire: Scalars = {
  date: (value) => (typeof value === 'string' ? parseDate(value) : isDate(value) ? value : undefined),
  bytes: (value) => toUint8Array(jsonScalars.readBytes(value, 'Uint8Array')),
  bigint: (value) => {
    const read = jsonScalars.readBigint(value)
    return typeof read === 'bigint' ? read : undefined
  },
  url: (value) => (typeof value === 'string' ? parseUrl(value) : undefined),
}

/** What the conversion of a scalar needs to know of the direction. */
export interface ScalarsWay {
  readonly method: string
  readonly scalars: Scalars
  /** From TypeScript values to those of the wire. */
  readonly out: boolean
}

/** True if a value is of a scalar type. */
export function isScalar(type: ClientScalar, value: unknown, way: Omit<ScalarsWay, 'method'>): boolean {
  return type === 'any' || turn(type, value, way) !== undefined || (type === 'undefined' && isAbsent(value, way))
}

/** Turns or checks a scalar; throws RpcValueError when it is not of the type. */
export function convertScalar(type: ClientScalar, value: unknown, path: ValuePath, way: ScalarsWay): unknown {
  if (type === 'any') return value
  if (type === 'undefined' && isAbsent(value, way)) return way.out ? null : undefined
  const turned = turn(type, value, way)
  if (turned !== undefined) return turned
  throw valueError(way.method, path, type, value)
}

function isAbsent(value: unknown, { out }: Pick<ScalarsWay, 'out'>): boolean {
  return value === undefined || (value === null && !out)
}

function turn(type: ClientScalar, value: unknown, { scalars }: Pick<ScalarsWay, 'scalars'>): unknown {
  if (type === 'null') return value === null ? value : undefined
  if (type in scalars) return scalars[type as Converted](value)
  return typeof value === type ? value : undefined
}
