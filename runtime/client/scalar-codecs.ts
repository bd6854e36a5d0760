import { isObject } from '../values/predicates.js'
import type { AnyCodec, ScalarCodec } from '../values/scalar-codec.js'
import { type ConvertCustom, convert } from './convert.js'
import { valueError } from './value-error.js'

/**
 * Returns the second argument of `tableCodec`: it converts custom scalars with the codecs, by their names in the table.
 *
 * @example
 * const codec = tableCodec(table, scalarCodecs({ Decimal: decimal }))
 */
export function scalarCodecs(codecs: Readonly<Record<string, AnyCodec>>): ConvertCustom {
  return (name, sent, value, path, way) => {
    const { is = isObject, encode, decode } = codecs[name] as unknown as ScalarCodec<unknown, unknown>
    const attempted = (turn: () => unknown): unknown => {
      try {
        return turn()
      } catch {
        throw valueError(way.method, path, name, value)
      }
    }
    if (!way.out) {
      const received = convert(sent, value, path, way)
      return attempted(() => decode(received))
    }
    if (!is(value)) throw valueError(way.method, path, name, value)
    const encoded = attempted(() => encode(value))
    return convert(sent, encoded, path, way)
  }
}
