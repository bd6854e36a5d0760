import { define, INVALID, typeOf } from './definition.js'
import { importCycleHint } from './describe.js'
import { isObject } from './predicates.js'
import type { ScalarCodec } from './scalar-codec.js'
import { SerializationError } from './serialize-unknown.js'
import type { Definition, Value, Wire } from './wire.js'

/**
 * A value that a codec converts; `sent` is the definition of its wire type. A value that stays in the process is encoded too, so that it is
 * rejected wherever a protocol would reject it.
 *
 * @throws TypeError without a codec
 */
export function scalar<T, Sent>(name: string, codec: ScalarCodec<T, Sent>, sent: Definition): Definition<T> {
  if (typeof codec?.decode !== 'function' || typeof codec.encode !== 'function') {
    throw new TypeError(`scalar ${name}: its codec is ${typeof codec}; ${importCycleHint}`)
  }
  const { decode, encode, is = isObject, schema } = codec
  const convert = (value: Value, wire: Wire): Value => {
    if (wire.decodes) {
      const received = sent(value, wire)
      try {
        return decode(received)
      } catch {
        throw INVALID
      }
    }
    if (!is(value)) throw INVALID
    const encoded = sent(encodedBy(encode, value, name, wire), wire)
    return wire.encodes ? encoded : value
  }
  // Two strings of one text are two values, and become two objects.
  const convertOnce = (value: Value, wire: Wire): Value => {
    return wire.matcher && typeof value === 'object' ? wire.matcher.convertOnce(convert, value) : convert(value, wire)
  }
  return define(
    convertOnce,
    () => ({ kind: 'custom', name, wire: typeOf(sent), ...(schema && { schema }) }),
    () => [sent],
  )
}

/** An argument that cannot be encoded is not of the type; for a result, the error of the codec is the reason. */
function encodedBy<T, Sent>(encode: (value: T) => Sent, value: T, name: string, wire: Wire): Sent {
  try {
    return encode(value)
  } catch (cause) {
    if (!wire.serializes) throw INVALID
    throw new SerializationError('', `the codec of ${name} threw an error`, { cause })
  }
}
