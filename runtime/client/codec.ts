import { PairCache } from '../values/pair-cache.js'
import { isObject, type Struct } from '../values/predicates.js'
import type { AnyCodec, ScalarCodec } from '../values/scalar-codec.js'
import {
  type Conversion,
  type ConvertCustom,
  convert,
  fromWire,
  mapMembers,
  memberOf,
  sentMembers,
  toJson,
  toNative,
} from './convert.js'
import { type ValuePath, valueError } from './errors.js'
import type { ClientCodec } from './options.js'
import type { ClientMembersTable, ClientTable, ClientType } from './table.js'
import type { RpcParams } from './types.js'

/**
 * Returns a codec that converts Date, bytes, bigint, URL, Map and Set where a table lists them; other values are unchanged. A
 * parameter or result that does not match the table rejects the call with an RpcValueError, which has its path. `custom`, made by
 * `scalarCodecs`, converts custom scalars.
 *
 * @example
 * const codec = tableCodec({ methods: { 'user.create': { params: { joined: 'date' } } } })
 * const client = createClient<Procedures>('https://example.org/rpc', { codec })
 */
export function tableCodec({ methods, types = {} }: ClientTable, custom?: ConvertCustom): ClientCodec {
  const conversionOf = (method: string, scalars: Conversion['scalars'], out: boolean): Conversion => {
    return { types, custom, method, scalars, out, matches: new PairCache(), converted: new PairCache() }
  }
  const find = (method: string) => (Object.hasOwn(methods, method) ? methods[method] : undefined)
  const decode = (type: ClientType | undefined, value: unknown, path: ValuePath, method: string) => {
    if (!type) return value
    try {
      return convert(type, value, path, conversionOf(method, fromWire, false))
    } catch (error) {
      // The stack has overflowed: how deep a value is nested is up to the server.
      if (error instanceof RangeError) throw valueError(method, path, 'less nesting', value, { code: 'type' })
      throw error
    }
  }
  return {
    isIdempotent: (method) => find(method)?.idempotent === true,
    encode(method, params, native) {
      const { params: declared = {}, rest, object } = find(method) ?? {}
      const conversion = conversionOf(method, native ? toNative : toJson, true)
      const names = Object.keys(declared)
      const encode = (type: ClientType | undefined, value: unknown, path: ValuePath) =>
        type && value !== undefined ? convert(type, value, path, conversion) : value
      if (object) {
        const [name = 'params'] = names
        const value = encode(declared[name], Array.isArray(params) ? params[0] : params, [undefined, name]) as
          | RpcParams
          | undefined
        return native || value === undefined ? [value] : value
      }
      if (Array.isArray(params)) {
        return params.map((value, i) => {
          const name = names[i]
          if (name !== undefined) return encode(declared[name], value, [undefined, name])
          return rest ? encode(rest[1], value, [[undefined, rest[0]], i - names.length]) : value
        })
      }
      const named: ClientMembersTable = rest ? { ...declared, [rest[0]]: ['array', rest[1]] } : declared
      const sent = sentMembers(params as Struct, [named], undefined, conversion)
      return mapMembers(sent, (value, name) => encode(memberOf(named, name), value, [undefined, name]))
    },
    decode: (method, result) => decode(find(method)?.result, result, [undefined, 'result'], method),
    decodeError(method, error: Error & { readonly code?: unknown; data?: unknown }) {
      const type = find(method)?.errors?.[`${error.code}`]
      if (type) error.data = orAsIs((data) => decode(type, data, [undefined, 'data'], method), error.data)
    },
    isSubscription: (method) => find(method)?.items !== undefined,
    decodeItem: (method, item) => decode(find(method)?.items, item, [undefined, 'item'], method),
  }
}

/** The code alone identifies an error: a procedure may throw it with other data, or without. */
function orAsIs(decode: (value: unknown) => unknown, value: unknown): unknown {
  if (value === undefined) return undefined
  try {
    return decode(value)
  } catch {
    return value
  }
}

/**
 * Returns the second argument of `tableCodec`: it converts custom scalars with the codecs, by their names in the table.
 *
 * @example
 * const codec = tableCodec(table, scalarCodecs({ Decimal: decimal }))
 */
export function scalarCodecs(codecs: Readonly<Record<string, AnyCodec>>): ConvertCustom {
  return (name, sent, value, path, conversion) => {
    const { is = isObject, encode, decode } = codecs[name] as unknown as ScalarCodec<unknown, unknown>
    const attempted = (turn: () => unknown): unknown => {
      try {
        return turn()
      } catch {
        throw valueError(conversion.method, path, name, value)
      }
    }
    if (!conversion.out) {
      const received = convert(sent, value, path, conversion)
      return attempted(() => decode(received))
    }
    if (!is(value)) throw valueError(conversion.method, path, name, value)
    const encoded = attempted(() => encode(value))
    return convert(sent, encoded, path, conversion)
  }
}
