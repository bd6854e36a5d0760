/**
 * Returns what the own or inherited `toJSON(key)` of a value returns, as JSON.stringify does, or the value itself if it has none. The
 * methods of Date, URL and Buffer, and those that polyfills add to Map and Set, are not called, since protocols have forms for these; those of
 * derived classes are.
 *
 * @throws what `toJSON()` throws
 */
export function replaceByToJson(value: object, key: string | number): unknown {
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
