import { toUint8Array } from './bytes.js'
import { appendKey, describeValue } from './describe.js'
import { isDate, isStruct, type Struct, setMember } from './predicates.js'
import type { WireScalars } from './wire.js'

/** The largest `limits.depth`, at which every type fits into the stack of every host; circular values end here too. */
export const MAX_DEPTH = 300

/**
 * Serialises a value of type `any` or `unknown` by its JavaScript type.
 *
 * @throws SerializationError for a value, or a part of it at `path`, that the protocol cannot represent
 */
export function serializeUnknown(value: unknown, wire: WireScalars, depth = 0): unknown {
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
      return value === null ? null : serializeObject(value, wire, depth + 1)
    default:
      throw new SerializationError('', `a ${typeof value} cannot be serialised`)
  }
}

function serializeObject(value: object, wire: WireScalars, depth: number): unknown {
  if (value instanceof Date) {
    if (isDate(value)) return wire.writeDate(value)
    throw new SerializationError('', 'an invalid date, or one outside the years 0001 to 9999, cannot be serialised')
  }
  if (Array.isArray(value) || value instanceof Set) return serializeItems(value, wire, depth)
  if (value instanceof Map) return serializeMembers(value, wire, depth)
  if (value instanceof URL) return value.href
  const bytes = toUint8Array(value)
  if (bytes) return wire.writeBytes(bytes)
  if (isStruct(value) && isPlainData(value)) return serializeMembers(definedMembers(value), wire, depth)
  throw new SerializationError('', `${describeValue(value)} cannot be serialised`)
}

/** False for built-in classes, whose state is not in their properties: an Error, a RegExp or a Promise would be `{}`. */
function isPlainData(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]'
}

function serializeItems(items: Iterable<unknown>, wire: WireScalars, depth: number): unknown[] {
  const written: unknown[] = []
  try {
    for (const each of items) written.push(serializeUnknown(each, wire, depth))
  } catch (error) {
    throw prefixPath(`[${written.length}]`, error)
  }
  return written
}

function definedMembers(value: Struct): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined)
}

function serializeMembers(members: Iterable<[unknown, unknown]>, wire: WireScalars, depth: number): Struct {
  const struct: Struct = {}
  let name = ''
  try {
    for (const [key, value] of members) {
      name = String(key)
      setMember(struct, name, serializeUnknown(value, wire, depth))
    }
  } catch (error) {
    throw prefixPath(appendKey('', name), error)
  }
  return struct
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
