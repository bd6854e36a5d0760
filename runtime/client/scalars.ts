import { decodeBase64, encodeBase64 } from '../base64.js'
import { toUint8Array } from '../bytes.js'
import { isTooLong } from '../digits.js'
import { parseDate } from '../jsonrpc/dates.js'
import { isDate } from '../predicates.js'
import type { ClientScalar } from './table.js'
import { RpcValueError } from './value-error.js'

/** Turns a scalar that JSON does not have; undefined where the value is not of the type. */
export type Turn = (value: unknown) => unknown

type Converted = 'date' | 'bytes' | 'bigint' | 'url'

/** What a direction makes of the scalars that JSON does not have. */
export type Scalars = Readonly<Record<Converted, Turn>>

const urlToText: Turn = (value) => (value instanceof URL ? value.href : undefined)

/** To JSON: texts. */
export const toJson: Scalars = {
  date: (value) => (isDate(value) ? value.toISOString() : undefined),
  bytes: (value) => {
    const bytes = toUint8Array(value)
    return bytes && encodeBase64(bytes)
  },
  bigint: (value) => (typeof value === 'bigint' ? `${value}` : undefined),
  url: urlToText,
}

/** To a protocol that has them itself, but for URLs. */
export const toNative: Scalars = {
  date: (value) => (isDate(value) ? value : undefined),
  bytes: toUint8Array,
  bigint: (value) => (typeof value === 'bigint' ? value : undefined),
  url: urlToText,
}

/** From either of them. */
export const fromWire: Scalars = {
  date: (value) => (typeof value === 'string' ? parseDate(value) : isDate(value) ? value : undefined),
  bytes: (value) => (typeof value === 'string' ? decodeBase64(value) : toUint8Array(value)),
  bigint: readBigint,
  url: (value) => (typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined),
}

function readBigint(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return /^-?\d+$/.test(value) && !isTooLong(value) ? BigInt(value) : undefined
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
}

/** What a scalar has to know of the direction. */
export interface ScalarsWay {
  readonly method: string
  readonly scalars: Scalars
  /** From TypeScript values to those of the wire. */
  readonly out: boolean
}

/** Turns or checks a scalar; throws RpcValueError when it is not of the type. */
export function convertScalar(
  type: ClientScalar,
  value: unknown,
  path: string,
  { method, scalars, out }: ScalarsWay,
): unknown {
  if (type === 'any') return value
  if (type === 'undefined' && (value === undefined || (value === null && !out))) return out ? null : undefined
  if (type === 'null' && value === null) return value
  if (type in scalars) {
    const turned = scalars[type as Converted](value)
    if (turned !== undefined) return turned
  } else if (typeof value === type && value !== undefined) {
    return value
  }
  throw new RpcValueError(method, path, type, value)
}
