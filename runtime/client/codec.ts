// Converts values between TypeScript and the wire by a table: with the type ['struct', { joined: 'date' }], { joined: new Date(0) } is sent as
// { joined: '1970-01-01T00:00:00.000Z' }, and read back as a Date. Scalars are at the end; a table has only what JSON cannot represent.
import { jsonScalars, parseDate } from '../jsonrpc/scalars.js'
import { toUint8Array } from '../values/bytes.js'
import { mapOf, setOf } from '../values/hash-loads.js'
import type { IssueRule } from '../values/issue.js'
import { isDate, isObject, isStruct, type Struct, setMember, structFrom } from '../values/predicates.js'
import type { AnyCodec, ScalarCodec } from '../values/scalar-codec.js'
import type { RpcParams } from '../values/types.js'
import { isSendableUrl, parseUrl } from '../values/url.js'
import { COLLECTION_STEPS, localScalars, MAX_STEPS, type StepLimit, type WireScalars } from '../values/wire.js'
import { type ValuePath, valueError } from './errors.js'
import type { ClientCodec } from './options.js'
import type {
  ClientMembersTable,
  ClientScalar,
  ClientStruct,
  ClientTable,
  ClientTuple,
  ClientType,
  ClientUnion,
} from './table.js'

/** What becomes of a value that is not of a type, while a union tries its branches. */
const INVALID = Symbol()

/** What all conversions of one direction of a call share. */
interface ConversionState {
  readonly method: string
  readonly types: Readonly<Record<string, ClientType>>
  readonly custom: CustomScalars | undefined
  readonly scalars: Scalars
  /** From TypeScript values to those of the wire. */
  readonly out: boolean
  /** The steps that are left to decode a value. */
  steps: number
}

/** The custom scalars of a client, as `scalarCodecs` returns them for `tableCodec`. `sent` is the type on the wire. */
export type CustomScalars = (
  name: string,
  sent: ClientType,
  value: unknown,
  path: ValuePath,
  converter: Converter,
) => unknown

/** Converts the values of one direction of a call. */
class Converter {
  readonly out: boolean
  readonly #state: ConversionState
  /**
   * Set while a union tries a branch: what became of objects of named types and custom scalars. Several branches may contain the same
   * type, so that without it the work doubles at each level of nesting.
   */
  readonly #results: Map<string | ClientType, Map<unknown, unknown>> | undefined

  constructor(state: ConversionState, results?: Map<string | ClientType, Map<unknown, unknown>>) {
    this.out = state.out
    this.#state = state
    this.#results = results
  }

  /** Converts a value that a server has sent. @throws RpcValueError for one that is not of the type, or nested too deeply */
  decode(type: ClientType, value: unknown, path: ValuePath): unknown {
    try {
      return this.convert(type, value, path)
    } catch (error) {
      // The stack has overflowed: how deep a value is nested is up to the server.
      throw error instanceof RangeError
        ? valueError(this.#state.method, path, 'less nesting', value, { code: 'type' })
        : error
    }
  }

  /** Converts a value; `reject` for one that is not of the type. */
  convert(type: ClientType, value: unknown, path: ValuePath): unknown {
    if (typeof type === 'string') return this.#scalar(type, value, path)
    switch (type[0]) {
      case 'ref':
        return this.#convertOnce(type[1], value, () => this.convert(this.#state.types[type[1]] ?? 'any', value, path))
      case 'is':
        if (value === type[1]) return value
        return this.reject(path, JSON.stringify(type[1]), value, { code: 'const', limit: type[1] })
      case 'template':
        if (typeof value === 'string' && new RegExp(type[1]).test(value)) return value
        return this.reject(path, `string matching ${type[1]}`, value, { code: 'pattern', limit: type[1] })
      case 'array':
        return this.#list(type[1], value, path)
      case 'tuple':
        return this.#tuple(type, value, path)
      case 'set':
        return this.#set(type[1], value, path)
      case 'map':
        return this.#map(type[1], value, path, type[2] === 'number')
      case 'struct':
        return this.#struct(type, value, path)
      case 'union':
        return this.#union(type, value, path)
      case 'custom':
        return this.#convertOnce(type, value, () => this.#state.custom?.(type[1], type[2], value, path, this))
    }
  }

  /** Returns INVALID while a union tries a branch. @throws RpcValueError otherwise */
  reject(path: ValuePath, expected: string, value: unknown, failure?: IssueRule): typeof INVALID {
    if (this.#results) return INVALID
    throw valueError(this.#state.method, path, expected, value, failure)
  }

  /** Counts what a server can make expensive: Sets, Maps and the branches of unions. @throws RpcValueError after too many steps */
  #countSteps(count: number, value: unknown, path: ValuePath): void {
    const state = this.#state
    if (state.out) return
    state.steps -= count
    if (state.steps < 0)
      throw valueError(state.method, path, `at most ${MAX_STEPS} steps to read values`, value, { code: 'type' })
  }

  #stepsAt(value: unknown, path: ValuePath): StepLimit {
    return { take: (count) => this.#countSteps(count, value, path) }
  }

  /** Returns a converter for which a value that is not of a type is not an error. */
  #trying(): Converter {
    return this.#results ? this : new Converter(this.#state, new Map())
  }

  /** Converts an object once while a union tries its branches. */
  #convertOnce(key: string | ClientType, value: unknown, convert: () => unknown): unknown {
    if (!this.#results || typeof value !== 'object') return convert()
    const known = this.#results.get(key) ?? new Map()
    this.#results.set(key, known)
    if (!known.has(value)) known.set(value, convert())
    return known.get(value)
  }

  #scalar(type: ClientScalar, value: unknown, path: ValuePath): unknown {
    const { out, scalars } = this.#state
    if (type === 'any' || (type === 'null' && value === null)) return value
    if (type === 'undefined' && (value === undefined || (value === null && !out))) return out ? null : undefined
    const converted = type in scalars ? scalars[type as Converted](value) : typeof value === type ? value : undefined
    if (converted !== undefined) return converted
    return this.reject(path, type, value, { code: 'type', limit: kinds[type] ?? type })
  }

  #list(type: ClientType, value: unknown, path: ValuePath): unknown[] | typeof INVALID {
    if (!Array.isArray(value)) return this.reject(path, 'array', value)
    const items: unknown[] = []
    for (const [i, each] of value.entries()) {
      const item = this.convert(type, each, [path, i])
      if (item === INVALID) return INVALID
      items.push(item)
    }
    return items
  }

  #tuple(
    [, elements, rest = 'any', required = elements.length]: ClientTuple,
    value: unknown,
    path: ValuePath,
  ): unknown {
    if (!Array.isArray(value)) return this.reject(path, 'array', value)
    const items = value.map((each, i) => {
      if (each === undefined && i < elements.length) return each
      // In JSON null represents an omitted element, unless null is one of its values.
      const isOmitted = each === null && !this.out && i >= required && i < elements.length
      const item = (isOmitted ? this.#trying() : this).convert(elements[i] ?? rest, each, [path, i])
      return isOmitted && item === INVALID ? undefined : item
    })
    return items.includes(INVALID) ? INVALID : items
  }

  #set(type: ClientType, value: unknown, path: ValuePath): unknown {
    if (this.out && !(value instanceof Set)) return this.reject(path, 'Set', value)
    this.#countSteps(COLLECTION_STEPS, value, path)
    const items = this.#list(type, this.out ? [...(value as Set<unknown>)] : value, path)
    return this.out || items === INVALID ? items : setOf(items, this.#stepsAt(value, path))
  }

  #map(type: ClientType, value: unknown, path: ValuePath, isNumeric: boolean): unknown {
    const { out } = this
    if (!(out ? value instanceof Map : isStruct(value))) return this.reject(path, out ? 'Map' : 'object', value)
    this.#countSteps(COLLECTION_STEPS, value, path)
    const struct: Struct = out ? structFrom(value as Map<unknown, unknown>) : (value as Struct)
    const converted = mapMembers(struct, (each, name) => this.convert(type, each, [path, name]))
    if (out || converted === INVALID) return converted
    const entries = Object.entries(converted).map(([name, each]): [unknown, unknown] => [
      isNumeric ? Number(name) : name,
      each,
    ])
    return mapOf(entries, this.#stepsAt(value, path))
  }

  #struct([, required, optional = {}, others]: ClientStruct, given: unknown, path: ValuePath): unknown {
    if (!isStruct(given)) return this.reject(path, 'object', given)
    const value = this.out ? this.sentMembers(given, [required, optional], path) : given
    if (value === INVALID) return value
    // A missing member may be undefined if its type allows that.
    for (const [name, type] of Object.entries(required)) {
      const isMissing = !Object.hasOwn(value, name)
      if (isMissing && this.convert(type, undefined, [path, name]) === INVALID) return INVALID
    }
    const into: Struct = {}
    for (const name of Object.keys(value)) {
      const each = value[name]
      const own = memberOf(required, name)
      const type = own ?? (each === undefined ? own : (memberOf(optional, name) ?? otherType(others, name)))
      const converted = type ? this.convert(type, each, [path, name]) : each
      if (converted === INVALID) return INVALID
      setMember(into, name, converted)
    }
    return into
  }

  /**
   * Returns an object with the members that are sent: those of `toJSON()`, where a value has one, as without a table; members that the
   * tables convert are those of the value. INVALID, or an RpcValueError, if `toJSON()` does not return an object.
   */
  sentMembers(value: Struct, tables: readonly ClientMembersTable[], path: ValuePath): Struct | typeof INVALID {
    if (typeof value['toJSON'] !== 'function') return value
    const json: unknown = value['toJSON']('')
    if (!isStruct(json)) return this.reject(path, 'object', json)
    const { toJSON, ...members } = json
    const types: ClientMembersTable = Object.assign(Object.create(null), ...tables)
    return mapMembers(typeof toJSON === 'function' ? members : json, (each, name) => {
      const type = memberOf(types, name) ?? 'any'
      const isConverted = typeof type !== 'string' || type in this.#state.scalars
      return isConverted && Object.hasOwn(value, name) ? value[name] : each
    })
  }

  /** Converts by the branch that the discriminant selects, so that a mismatch is reported with its path, or else by the first that matches. */
  #union([, branches, discriminant]: ClientUnion, value: unknown, path: ValuePath): unknown {
    const trying = this.#trying()
    const selected = discriminant === undefined ? undefined : trying.#branchBy(discriminant, branches, value)
    if (selected) return this.convert(selected, value, path)
    for (const branch of branches) {
      if (typeof value === 'object') this.#countSteps(1, value, path)
      const converted = trying.convert(branch, value, path)
      if (converted !== INVALID && this.#mayHaveLength(branch, value)) return converted
    }
    return this.reject(path, 'a value of the declared union', value, { code: 'anyOf' })
  }

  /** False for a list that is too short or too long for a tuple. */
  #mayHaveLength(branch: ClientType, value: unknown): boolean {
    const type = this.#resolved(branch)
    if (type?.[0] !== 'tuple' || !Array.isArray(value)) return true
    const [, elements, rest = 'never', required = elements.length] = type as ClientTuple
    return value.length >= required && (rest !== 'never' || value.length <= elements.length)
  }

  #branchBy(name: string, branches: readonly ClientType[], value: unknown): ClientType | undefined {
    if (!isStruct(value)) return undefined
    return branches.find((branch) => {
      const shape = this.#resolved(branch)
      const literal = shape?.[0] === 'struct' ? memberOf(shape[1] as ClientMembersTable, name) : undefined
      return literal && this.convert(literal, value[name], undefined) !== INVALID
    })
  }

  #resolved(type: ClientType): ClientType | undefined {
    return type[0] === 'ref' ? this.#state.types[type[1] as string] : type
  }
}

/** The kinds that have other names in issues. */
const kinds: Readonly<Record<string, string>> = { bytes: 'base64', bigint: 'integer', url: 'URL' }

/** Returns the type of a member, ignoring properties that every object inherits. */
function memberOf(table: ClientMembersTable, name: string): ClientType | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns a struct with every member mapped; INVALID if one of them is. */
function mapMembers(struct: Struct, map: (value: unknown, name: string) => unknown): Struct | typeof INVALID {
  const into: Struct = {}
  for (const name of Object.keys(struct)) {
    const mapped = map(struct[name], name)
    if (mapped === INVALID) return INVALID
    setMember(into, name, mapped)
  }
  return into
}

function otherType(others: ClientStruct[3], name: string): ClientType | undefined {
  if (typeof others !== 'object' || isClientType(others)) return others
  return Object.entries(others).findLast(([pattern]) => new RegExp(pattern).test(name))?.[1]
}

function isClientType(type: Exclude<ClientStruct[3], string | undefined>): type is Exclude<ClientType, string> {
  return Array.isArray(type)
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

/**
 * Returns a codec that converts Date, bytes, bigint, URL, Map and Set where a table lists them; other values are unchanged. A
 * parameter or result that does not match the table rejects the call with an RpcValueError, which has its path. `custom`, made by
 * `scalarCodecs`, converts custom scalars.
 *
 * @example
 * const codec = tableCodec({ methods: { 'user.create': { params: { joined: 'date' } } } })
 * const client = createClient<Procedures>('https://example.org/rpc', { codec })
 */
export function tableCodec({ methods, types = {} }: ClientTable, custom?: CustomScalars): ClientCodec {
  const converterOf = (method: string, scalars: Scalars, out: boolean) =>
    new Converter({ types, custom, method, scalars, out, steps: MAX_STEPS })
  const find = (method: string) => (Object.hasOwn(methods, method) ? methods[method] : undefined)
  const decode = (type: ClientType | undefined, value: unknown, path: ValuePath, method: string) =>
    type ? converterOf(method, fromWire, false).decode(type, value, path) : value
  return {
    isIdempotent: (method) => find(method)?.idempotent === true,
    encode(method, params, native) {
      const { params: declared = {}, rest, object } = find(method) ?? {}
      const converter = converterOf(method, native ? toNative : toJson, true)
      const names = Object.keys(declared)
      const encode = (type: ClientType | undefined, value: unknown, path: ValuePath) =>
        type && value !== undefined ? converter.convert(type, value, path) : value
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
      const sent = converter.sentMembers(params as Struct, [named], undefined) as Struct
      return mapMembers(sent, (value, name) => encode(memberOf(named, name), value, [undefined, name])) as Struct
    },
    decode: (method, result) => decode(find(method)?.result, result, [undefined, 'result'], method),
    decodeError(method, error: Error & { readonly code?: unknown; data?: unknown }) {
      const type = find(method)?.errors?.[`${error.code}`]
      try {
        if (type && error.data !== undefined) error.data = decode(type, error.data, [undefined, 'data'], method)
      } catch {
        // The code alone identifies an error: a procedure may throw it with other data, or without.
      }
    },
    isSubscription: (method) => find(method)?.items !== undefined,
    decodeItem: (method, item) => decode(find(method)?.items, item, [undefined, 'item'], method),
  }
}

/**
 * Returns the second argument of `tableCodec`: it converts custom scalars with the codecs, by their names in the table.
 *
 * @example
 * const codec = tableCodec(table, scalarCodecs({ Decimal: decimal }))
 */
export function scalarCodecs(codecs: Readonly<Record<string, AnyCodec>>): CustomScalars {
  return (name, sent, value, path, converter) => {
    const { is = isObject, encode, decode } = codecs[name] as unknown as ScalarCodec<unknown, unknown>
    const attempt = (turn: () => unknown): unknown => {
      try {
        return turn()
      } catch {
        return converter.reject(path, name, value)
      }
    }
    if (!converter.out) {
      const received = converter.convert(sent, value, path)
      return received === INVALID ? received : attempt(() => decode(received))
    }
    const encoded = is(value) ? attempt(() => encode(value)) : converter.reject(path, name, value)
    return encoded === INVALID ? encoded : converter.convert(sent, encoded, path)
  }
}
