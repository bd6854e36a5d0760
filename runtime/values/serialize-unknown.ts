// Serialises values without a declared type, by their JavaScript type: in JSON, `{ at: new Date(0), tags: new Set(['a']) }` becomes
// `{ at: '1970-01-01T00:00:00.000Z', tags: ['a'] }`.
import { toUint8Array } from './bytes.js'
import { appendKey, describeValue } from './describe.js'
import { isDate, isStruct, type Struct, setMember } from './predicates.js'
import type { WireScalars } from './wire.js'

/** The largest `limits.depth`, at which every type fits into the stack of every host; circular values end here too. */
export const MAX_DEPTH = 300

/**
 * Serialises a value of type `any` or `unknown` by its JavaScript type: what its `toJSON()` returns, where it has one. A list or an object of
 * which nothing changes is returned as it is.
 *
 * @param key what `toJSON()` receives: the name or the index of the value in the one that contains it
 * @returns undefined if `toJSON()` does, for a member that is omitted; null for undefined itself
 * @throws SerializationError for a value, or a part of it at `path`, that the protocol cannot represent
 */
export function serializeUnknown(value: unknown, wire: WireScalars, key = ''): unknown {
  return serialize(value, key, wire, 0)
}

/** `key` is undefined for what a `toJSON()` has returned: as in JavaScript, that of the result is not called. */
function serialize(value: unknown, key: string | number | undefined, wire: WireScalars, depth: number): unknown {
  if (depth > MAX_DEPTH)
    throw new SerializationError('', `a circular value, or one nested deeper than ${MAX_DEPTH}, cannot be serialised`)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'undefined':
      return null
    case 'number':
      if (Number.isFinite(value)) return value
      throw new SerializationError('', `${describeValue(value)} cannot be serialised`)
    case 'bigint':
      return wire.writeBigint(value)
    case 'object':
    case 'function': {
      if (value === null) return null
      const json = key === undefined ? value : toJsonOf(value, key)
      if (json !== value) return json === undefined ? undefined : serialize(json, undefined, wire, depth)
      if (typeof value === 'object') return serializeObject(value, wire, depth + 1, key !== undefined)
    }
  }
  throw new SerializationError('', `a ${typeof value} cannot be serialised`)
}

/**
 * Returns the object whose members an index signature sends: what `toJSON()` returns, or the value itself if it has none. Undefined if
 * that is not an object with members.
 *
 * @throws SerializationError for an error of `toJSON()`
 */
export function membersOfJson(value: Struct): Struct | undefined {
  const json = toJsonOf(value, '')
  if (!isStruct(json)) return undefined
  if (json === value && typeof value['toJSON'] !== 'function') return value
  return Object.fromEntries(Object.entries(json).filter(([name, each]) => each !== undefined && !isMethod(name, each)))
}

/** An RpcError that `toJSON()` throws is not one of the call. */
function toJsonOf(value: object, key: string | number): unknown {
  try {
    return replaceByToJson(value, key)
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    throw new SerializationError('', `toJSON() threw an error${reason}`, { cause })
  }
}

/** `mayKeep` if a list or an object without changes may be the result: it has no `toJSON()`, which JSON.stringify would call. */
function serializeObject(value: object, wire: WireScalars, depth: number, mayKeep: boolean): unknown {
  if (value instanceof Date) {
    if (isDate(value)) return wire.writeDate(value)
    throw new SerializationError('', 'an invalid date, or one outside the years 0001 to 9999, cannot be serialised')
  }
  if (Array.isArray(value)) return serializeItems(value, wire, depth, mayKeep)
  if (value instanceof Set) return serializeItems([...value], wire, depth, true)
  if (value instanceof Map) return serializeMap(value, wire, depth)
  if (value instanceof URL) return value.href
  const bytes = toUint8Array(value)
  if (bytes) return wire.writeBytes(bytes)
  if (isStruct(value) && isPlainData(value)) return serializeMembers(value, wire, depth, mayKeep)
  if (isBoxed(value)) return serialize(value.valueOf(), undefined, wire, depth)
  throw new SerializationError('', `${describeValue(value)} cannot be serialised`)
}

/** True for `new String('a')`, `Object(1n)` and the like, of which JSON.stringify sends the primitive value. */
function isBoxed(value: object): boolean {
  return [String, Number, Boolean, BigInt].some((each) => value instanceof each)
}

/** False for built-in classes, whose state is not in their properties: an Error, a RegExp or a Promise would be `{}`. */
function isPlainData(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]'
}

function serializeItems(items: readonly unknown[], wire: WireScalars, depth: number, mayKeep: boolean): unknown {
  let copy: unknown[] | undefined = mayKeep ? undefined : []
  let index = 0
  try {
    // An iterator takes 5 % longer.
    for (; index < items.length; index++) {
      const item = items[index]
      const written = serialize(item, index, wire, depth) ?? null
      if (copy === undefined && written !== item) copy = Array.from({ length: index }, (_, i) => items[i])
      copy?.push(written)
    }
  } catch (error) {
    throw prefixPath(`[${index}]`, error)
  }
  return copy ?? items
}

function serializeMembers(value: Struct, wire: WireScalars, depth: number, mayKeep: boolean): Struct {
  let copy: Struct | undefined = mayKeep ? undefined : {}
  const names = Object.keys(value)
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    const each = value[name]
    const written = each === undefined || isMethod(name, each) ? undefined : serializeMember(name, each, wire, depth)
    if (copy === undefined && written !== each) {
      copy = {}
      for (const before of names.slice(0, at)) setMember(copy, before, value[before])
    }
    if (copy !== undefined && written !== undefined) setMember(copy, name, written)
  }
  return copy ?? value
}

/** A function called `toJSON` is a method, which a copy such as `{ ...this }` may have as its own. */
function isMethod(name: string, value: unknown): boolean {
  return typeof value === 'function' && name === 'toJSON'
}

function serializeMap(map: ReadonlyMap<unknown, unknown>, wire: WireScalars, depth: number): Struct {
  const struct: Struct = {}
  for (const [key, value] of map) {
    const name = String(key)
    const written = serializeMember(name, value, wire, depth)
    if (written !== undefined) setMember(struct, name, written)
  }
  return struct
}

function serializeMember(name: string, value: unknown, wire: WireScalars, depth: number): unknown {
  try {
    return serialize(value, name, wire, depth)
  } catch (error) {
    throw prefixPath(appendKey('', name), error)
  }
}

/** A value cannot be serialised. `path` is relative to the value that was to be serialised: `lines[2]`. */
export class SerializationError extends Error {
  override readonly name = 'SerializationError'
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(path === '' ? reason : `${path}: ${reason}`, options)
    this.path = path
    this.reason = reason
  }
}

const MAX_PATH = 200

/** Returns the error with a path that begins at the containing value: `segment` is `lines`, `[2]` or `["first line"]`. */
export function prefixPath(segment: string, error: unknown): SerializationError {
  if (!(error instanceof SerializationError)) {
    return new SerializationError(segment, error instanceof Error ? error.message : String(error), { cause: error })
  }
  // The path of a circular value has no end.
  if (error.path.length > MAX_PATH) return error
  const joint = error.path === '' || error.path.startsWith('[') ? '' : '.'
  return new SerializationError(segment + joint + error.path, error.reason, { cause: error.cause })
}

/**
 * Returns what the own or inherited `toJSON(key)` of a value returns, as JSON.stringify does, or the value itself if it has none. The
 * methods of Date, URL and Buffer, and those that polyfills add to Map and Set, are not called, since protocols have forms for these; those of
 * derived classes are.
 *
 * @throws what `toJSON()` throws
 */
function replaceByToJson(value: object, key: string | number): unknown {
  const { toJSON } = value as { readonly toJSON?: unknown }
  return typeof toJSON !== 'function' || isOfPlatform(value, toJSON) ? value : toJSON.call(value, `${key}`)
}

function isOfPlatform(value: object, toJSON: unknown): boolean {
  if (value instanceof Uint8Array) return isOfBuffer(value)
  return [Date, URL, Map, Set].some((each) => value instanceof each && (each.prototype as WithToJson).toJSON === toJSON)
}

interface WithToJson {
  readonly toJSON?: unknown
}

/** True if `toJSON` is a method of a Buffer class: that of the host, or of a package for browsers. */
function isOfBuffer(bytes: Uint8Array): boolean {
  let owner: object = bytes
  while (!Object.hasOwn(owner, 'toJSON')) owner = Object.getPrototypeOf(owner)
  return Object.hasOwn(owner, 'readUInt8')
}
