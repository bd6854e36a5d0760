import type { Wire } from '../call/wire.js'
import { fromUint8Array, toUint8Array } from '../values/bytes.js'

const same = (value: unknown): unknown => value

/** XML-RPC has dates, binary data and 64-bit integers of its own: the reader and the writer do the work. */
export const xmlrpcWire: Wire = {
  readDate: same,
  readBytes: (value, as) => (value instanceof Uint8Array ? fromUint8Array(value, as) : value),
  readBigint: (value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value),
  writeDate: same,
  writeBytes: (value) => toUint8Array(value) ?? value,
  writeBigint: same,
}
