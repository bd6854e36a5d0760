import { jsonScalars, parseDate } from '../jsonrpc/scalars.js'
import { toUint8Array } from '../values/bytes.js'
import { PairCache } from '../values/pair-cache.js'
import { isDate, isObject, isStruct, type Struct, setMember } from '../values/predicates.js'
import type { AnyCodec, ScalarCodec } from '../values/scalar-codec.js'
import { isSendableUrl, parseUrl } from '../values/url.js'
import { localScalars, type WireScalars } from '../values/wire.js'
import { RpcValueError, type ValuePath, valueError } from './errors.js'
import type { RpcParams } from './members.js'
import type { ClientCodec } from './options.js'
import type {
  ClientCustom,
  ClientMembersTable,
  ClientScalar,
  ClientStruct,
  ClientTable,
  ClientTuple,
  ClientType,
  ClientUnion,
} from './table.js'

// Converts values between TypeScript and the wire by a table: with the type ['struct', { joined: 'date' }], { joined: new Date(0) } is sent as
// { joined: '1970-01-01T00:00:00.000Z' }, and read back as a Date. Scalars are at the end; a table has only what JSON cannot represent.

/** One direction of a call. */
interface Conversion extends ScalarConversion {
  readonly types: Readonly<Record<string, ClientType>>
  readonly custom: ConvertCustom | undefined
  /** Which objects are of a named type or a union: several branches may ask about the same one. */
  readonly matches: PairCache<string | readonly ClientType[], boolean>
  /** The objects that codecs have converted: a union converts to decide, at each level of a value. */
  readonly converted: PairCache<ClientType, unknown>
}

/** Converts a value of a custom scalar; `sent` is the type on the wire. */
export type ConvertCustom = (
  name: string,
  sent: ClientType,
  value: unknown,
  path: ValuePath,
  conversion: Conversion,
) => unknown

/** Converts a value; throws RpcValueError with its path if it is not of the type. */
function convert(type: ClientType, value: unknown, path: ValuePath, conversion: Conversion): unknown {
  if (typeof type === 'string') return convertScalar(type, value, path, conversion)
  switch (type[0]) {
    case 'ref':
      return convert(conversion.types[type[1]] ?? 'any', value, path, conversion)
    case 'is':
      if (value === type[1]) return value
      throw valueError(conversion.method, path, JSON.stringify(type[1]), value, { code: 'const', limit: type[1] })
    case 'template':
      if (typeof value === 'string' && new RegExp(type[1]).test(value)) return value
      throw valueError(conversion.method, path, `string matching ${type[1]}`, value, {
        code: 'pattern',
        limit: type[1],
      })
    case 'array':
      return convertItems(value, [], type[1], path, conversion)
    case 'tuple':
      return convertItems(value, type[1], type[2], path, conversion, type[3])
    case 'set':
      return convertSet(type[1], value, path, conversion)
    case 'map':
      return convertMap(type[1], value, path, conversion, type[2] === 'number')
    case 'struct':
      return convertStruct(type, value, path, conversion)
    case 'union':
      return convertUnion(type, value, path, conversion)
    case 'custom':
      return convertCustom(type, value, path, conversion)
  }
}

/** Two strings of one text are two values, and become two objects. */
function convertCustom(type: ClientCustom, value: unknown, path: ValuePath, conversion: Conversion): unknown {
  const byCodec = () => conversion.custom?.(type[1], type[2], value, path, conversion)
  return typeof value === 'object' ? conversion.converted.get(type, value, byCodec) : byCodec()
}

/** Returns the type of a member, ignoring properties that every object inherits. */
function memberOf(table: ClientMembersTable | undefined, name: string): ClientType | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined
}

/**
 * Returns an object with the members that are sent: those of `toJSON()`, where a value has one, as without a table; members that the
 * tables convert are those of the value.
 *
 * @throws RpcValueError if `toJSON()` does not return an object
 */
function sentMembers(
  value: Struct,
  tables: readonly ClientMembersTable[],
  path: ValuePath,
  conversion: Conversion,
): Struct {
  if (typeof value['toJSON'] !== 'function') return value
  const json: unknown = value['toJSON']('')
  if (!isStruct(json)) throw valueError(conversion.method, path, 'object', json)
  const { toJSON, ...members } = json
  const types: ClientMembersTable = Object.assign({}, ...tables)
  return mapMembers(typeof toJSON === 'function' ? members : json, (each, name) => {
    const type = memberOf(types, name) ?? 'any'
    return Object.hasOwn(value, name) && (typeof type !== 'string' || type in conversion.scalars) ? value[name] : each
  })
}

/** Returns a struct with every member mapped. */
function mapMembers(struct: Struct, map: (value: unknown, name: string) => unknown): Struct {
  const into: Struct = {}
  for (const name of Object.keys(struct)) setMember(into, name, map(struct[name], name))
  return into
}

function convertItems(
  value: unknown,
  first: readonly ClientType[],
  rest: ClientType | undefined,
  path: ValuePath,
  conversion: Conversion,
  required: number = first.length,
): unknown[] {
  if (!Array.isArray(value)) throw valueError(conversion.method, path, 'array', value)
  return value.map((each, i) => {
    const type = first[i] ?? rest
    const isMissing = each === undefined && i < first.length
    if (!type || isMissing) return each
    // In JSON null represents an omitted element, unless null is one of its values.
    const isOmitted = each === null && !conversion.out && i >= required && i < first.length
    if (isOmitted && !matches(type, null, conversion)) return undefined
    return convert(type, each, [path, i], conversion)
  })
}

function convertSet(type: ClientType, value: unknown, path: ValuePath, conversion: Conversion): unknown {
  if (!conversion.out) return new Set(convertItems(value, [], type, path, conversion))
  if (value instanceof Set) return convertItems([...value], [], type, path, conversion)
  throw valueError(conversion.method, path, 'Set', value)
}

function convertMap(
  type: ClientType,
  value: unknown,
  path: ValuePath,
  conversion: Conversion,
  isNumeric: boolean,
): unknown {
  const convertMember = (each: unknown, name: string) => convert(type, each, [path, name], conversion)
  if (conversion.out) {
    if (!(value instanceof Map)) throw valueError(conversion.method, path, 'Map', value)
    const into: Struct = {}
    for (const [name, each] of value) setMember(into, `${name}`, convertMember(each, `${name}`))
    return into
  }
  if (!isStruct(value)) throw valueError(conversion.method, path, 'object', value)
  return new Map(
    Object.entries(value).map(([name, each]): [unknown, unknown] => [
      isNumeric ? Number(name) : name,
      convertMember(each, name),
    ]),
  )
}

function convertStruct(
  [, required, optional, others]: ClientStruct,
  given: unknown,
  path: ValuePath,
  conversion: Conversion,
): unknown {
  if (!isStruct(given)) throw valueError(conversion.method, path, 'object', given)
  const value = conversion.out ? sentMembers(given, [required, optional ?? {}], path, conversion) : given
  const convertMember = (type: ClientType, each: unknown, name: string) => convert(type, each, [path, name], conversion)
  // A missing member may be undefined if its type allows that; else this throws.
  for (const name of Object.keys(required)) {
    if (!Object.hasOwn(value, name)) convertMember(required[name] ?? 'any', undefined, name)
  }
  return mapMembers(value, (each, name) => {
    const type = memberOf(required, name)
    if (type) return convertMember(type, each, name)
    const other = memberOf(optional, name) ?? otherType(others, name)
    return other && each !== undefined ? convertMember(other, each, name) : each
  })
}

function otherType(others: ClientStruct[3], name: string): ClientType | undefined {
  if (typeof others !== 'object' || isClientType(others)) return others
  return Object.entries(others).findLast(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function isClientType(type: Exclude<ClientStruct[3], string | undefined>): type is Exclude<ClientType, string> {
  return Array.isArray(type)
}

function convertUnion(
  [, branches, discriminant]: ClientUnion,
  value: unknown,
  path: ValuePath,
  conversion: Conversion,
): unknown {
  const branch = branchFor(branches, discriminant, value, conversion)
  if (branch) return convert(branch, value, path, conversion)
  throw valueError(conversion.method, path, 'a value of the declared union', value, { code: 'anyOf' })
}

/** Returns the branch that the discriminant selects, so that a mismatch is reported with its path, or else the first that matches. */
function branchFor(
  branches: readonly ClientType[],
  discriminant: string | undefined,
  value: unknown,
  conversion: Conversion,
): ClientType | undefined {
  const selected = discriminant === undefined ? undefined : branchBy(discriminant, branches, value, conversion)
  return (
    selected ??
    branches.find((branch) => mayHaveLength(branch, value, conversion) && matches(branch, value, conversion))
  )
}

/** True if a value can be converted. Each pair of a named type or a union and an object is decided once. */
function matches(type: ClientType, value: unknown, conversion: Conversion): boolean {
  if (typeof type === 'string') {
    const isMissing = type === 'undefined' && isAbsent(value, conversion)
    return type === 'any' || isMissing || scalarOf(type, value, conversion) !== undefined
  }
  switch (type[0]) {
    case 'ref':
      return conversion.matches.get(type[1], value, () =>
        matches(conversion.types[type[1]] ?? 'any', value, conversion),
      )
    case 'union':
      return conversion.matches.get(type[1], value, () => {
        const branch = branchFor(type[1], type[2], value, conversion)
        return branch !== undefined && matches(branch, value, conversion)
      })
    case 'is':
      return value === type[1]
    case 'template':
      return typeof value === 'string' && new RegExp(type[1]).test(value)
    case 'array':
      return matchesItems(value, [], type[1], conversion)
    case 'tuple':
      return matchesItems(value, type[1], type[2], conversion, type[3])
    case 'set':
      return conversion.out
        ? value instanceof Set && matchesItems([...value], [], type[1], conversion)
        : matchesItems(value, [], type[1], conversion)
    case 'map':
      if (conversion.out ? !(value instanceof Map) : !isStruct(value)) return false
      return (conversion.out ? [...(value as Map<unknown, unknown>).values()] : Object.values(value as Struct)).every(
        (each) => matches(type[1], each, conversion),
      )
    case 'struct':
      return isStruct(value) && matchesStruct(type, value, conversion)
    case 'custom':
      return isConverted(type, value, conversion)
  }
}

function matchesItems(
  value: unknown,
  first: readonly ClientType[],
  rest: ClientType | undefined,
  conversion: Conversion,
  required: number = first.length,
): boolean {
  if (!Array.isArray(value)) return false
  return value.every((each, i) => {
    const type = first[i] ?? rest
    if (!type || (i < first.length && each === undefined)) return true
    const isOmitted = each === null && !conversion.out && i >= required && i < first.length
    return isOmitted || matches(type, each, conversion)
  })
}

function matchesStruct([, required, optional, others]: ClientStruct, value: Struct, conversion: Conversion): boolean {
  for (const name of Object.keys(required)) {
    if (!Object.hasOwn(value, name) && !matches(required[name] ?? 'any', undefined, conversion)) return false
  }
  return Object.keys(value).every((name) => {
    const each = value[name]
    const type = memberOf(required, name)
    if (type) return matches(type, each, conversion)
    const other = memberOf(optional, name) ?? otherType(others, name)
    return !other || each === undefined || matches(other, each, conversion)
  })
}

function isConverted(type: ClientType, value: unknown, conversion: Conversion): boolean {
  try {
    convert(type, value, undefined, conversion)
    return true
  } catch (error) {
    if (error instanceof RpcValueError) return false
    throw error
  }
}

/** False for a list that is too short or too long for a tuple. */
function mayHaveLength(branch: ClientType, value: unknown, { types }: Conversion): boolean {
  const type = branch[0] === 'ref' ? (types[branch[1] as string] ?? 'any') : branch
  if (type[0] !== 'tuple' || !Array.isArray(value)) return true
  const [, elements, rest = 'never', required = elements.length] = type as ClientTuple
  return value.length >= required && (rest !== 'never' || value.length <= elements.length)
}

function branchBy(
  name: string,
  branches: readonly ClientType[],
  value: unknown,
  conversion: Conversion,
): ClientType | undefined {
  if (!isStruct(value)) return undefined
  return branches.find((branch) => {
    const shape = branch[0] === 'ref' ? conversion.types[branch[1] as string] : branch
    const literal = shape?.[0] === 'struct' ? memberOf(shape[1] as ClientMembersTable, name) : undefined
    return literal && matches(literal, value[name], conversion)
  })
}

/** Converts a scalar that JSON does not have; undefined if the value is not of the type. */
type ScalarConverter = (value: unknown) => unknown

type Converted = Exclude<ClientScalar, 'any' | 'never' | 'string' | 'number' | 'boolean' | 'null' | 'undefined'>

/** How a direction converts the scalars that JSON does not have. */
type Scalars = Readonly<Record<Converted, ScalarConverter>>

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
const toJson: Scalars = /* @__PURE__ */ writtenBy(jsonScalars)

/** To a protocol that has them itself, but for URLs. */
const toNative: Scalars = /* @__PURE__ */ writtenBy(localScalars)

/** The decoders for both: a value that already has the type is unchanged. */
const fromWire: Scalars = {
  date: (value) => (typeof value === 'string' ? parseDate(value) : isDate(value) ? value : undefined),
  bytes: (value) => toUint8Array(jsonScalars.readBytes(value, 'Uint8Array')),
  bigint: (value) => {
    const read = jsonScalars.readBigint(value)
    return typeof read === 'bigint' ? read : undefined
  },
  url: (value) => (typeof value === 'string' ? parseUrl(value) : undefined),
}

/** What the conversion of a scalar needs to know of the direction. */
interface ScalarConversion {
  readonly method: string
  readonly scalars: Scalars
  /** From TypeScript values to those of the wire. */
  readonly out: boolean
}

/** Converts or checks a scalar; throws RpcValueError if it is not of the type. */
function convertScalar(type: ClientScalar, value: unknown, path: ValuePath, conversion: ScalarConversion): unknown {
  if (type === 'any') return value
  if (type === 'undefined' && isAbsent(value, conversion)) return conversion.out ? null : undefined
  const converted = scalarOf(type, value, conversion)
  if (converted !== undefined) return converted
  throw valueError(conversion.method, path, type, value, { code: 'type', limit: kinds[type] ?? type })
}

/** The kinds that have other names in issues. */
const kinds: Readonly<Record<string, string>> = { bytes: 'base64', bigint: 'integer', url: 'URL' }

function isAbsent(value: unknown, { out }: Pick<ScalarConversion, 'out'>): boolean {
  return value === undefined || (value === null && !out)
}

function scalarOf(type: ClientScalar, value: unknown, { scalars }: Pick<ScalarConversion, 'scalars'>): unknown {
  if (type === 'null') return value === null ? value : undefined
  if (type in scalars) return scalars[type as Converted](value)
  return typeof value === type ? value : undefined
}

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
