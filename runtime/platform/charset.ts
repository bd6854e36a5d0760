import { RpcParseError } from '../error.js'
import { MAX_NAME, truncate } from '../values/describe.js'

const utf8 = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the charset that a Content-Type specifies for a body; undefined if the body decides: it has a byte order mark, which wins over
 * all else (RFC 7303 section 3.1), or there is no such parameter.
 *
 * The names are those of the WHATWG Encoding Standard, which reads `iso-8859-1` as windows-1252: it differs in 0x80 to
 * 0x9F only, where senders that declare Latin-1 mean windows-1252.
 */
export function charsetOf(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const given = charsetParameter(contentType)
  if (given === undefined || sniffMark(bytes)) return undefined
  const charset = shortName(given)
  // RFC 2781 section 4.3: "utf-16" without a mark leaves the byte order open.
  return charset === 'utf-16' ? (sniffOrder(bytes) ?? charset) : charset
}

/**
 * Decodes a body in the charset of its Content-Type; without one by its byte order mark, which is not part of the text; without that in
 * the charset that it declares, or as UTF-8.
 *
 * @throws RpcParseError (-32700) if the bytes are not valid in their charset, or the declared one is not supported
 */
export function decodeText(bytes: Uint8Array, ofContentType: string | undefined, options: TextOptions = {}): string {
  const charset = ofContentType ?? sniffMark(bytes) ?? options.declaredCharset?.(bytes) ?? 'utf-8'
  if (charset === 'utf-8') return decodeWith(utf8, bytes, charset)
  if (options.wasText && !isAscii(bytes)) {
    throw new RpcParseError(`Parse error: the body is ${charset} and was read as UTF-8 before it came here`)
  }
  return decodeOther(bytes, charset)
}

/** What determines how bytes are decoded, besides the Content-Type. */
export interface TextOptions {
  /** Returns the charset that the body declares. */
  readonly declaredCharset?: ((bytes: Uint8Array) => string | undefined) | undefined
  /** True if the bytes were UTF-8 text before: in another charset only ASCII is preserved. Default false. */
  readonly wasText?: boolean | undefined
}

/** Returns the name, cut as names in errors are: no longer one is known. */
export function shortName(charset: string): string {
  return truncate(charset, MAX_NAME).toLowerCase()
}

/** One parameter of a Content-Type (RFC 9110 section 5.6.6). */
const parameter = /;[ \t]*(?:([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*)))?[ \t]*/y

function charsetParameter(contentType: string | undefined): string | undefined {
  if (contentType === undefined) return undefined
  parameter.lastIndex = contentType.indexOf(';')
  if (parameter.lastIndex === -1) return undefined
  for (let found = parameter.exec(contentType); found; found = parameter.exec(contentType)) {
    const [, name, quoted, plain] = found
    if (name?.toLowerCase() === 'charset') return quoted?.replace(/\\(.)/g, '$1') ?? plain
  }
  return undefined
}

function decodeOther(bytes: Uint8Array, charset: string): string {
  const decoder = makeDecoder(charset)
  if (!decoder) throw new RpcParseError(`Parse error: the ${unsupported(charset)}`)
  // The Encoding Standard reads US-ASCII as windows-1252, and so would guess at bytes that ASCII does not have.
  if (/^(us-)?ascii$/.test(charset) && !isAscii(bytes)) throw invalidText(charset)
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decodeWith(decoder, bytes, charset)
}

function decodeWith(decoder: TextDecoder, bytes: Uint8Array, charset: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalidText(charset)
  }
}

function invalidText(charset: string): RpcParseError {
  return new RpcParseError(`Parse error: the body is not valid ${charset}`)
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80)
}

/** The characters of windows-1252 at 0x80 to 0x9F. Where it has none, the Encoding Standard keeps the control character. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Not by a TextDecoder: Node 20 decodes windows-1252 as Latin-1, against the Encoding Standard. */
function decodeWindows1252(bytes: Uint8Array): string {
  const view = new DataView(new ArrayBuffer(2 * bytes.length))
  bytes.forEach((byte, i) => {
    const code = byte >= 0x80 && byte < 0xa0 ? windows1252.charCodeAt(byte - 0x80) : byte
    view.setUint16(2 * i, code, true)
  })
  return new TextDecoder('utf-16le').decode(view)
}

/** True if the platform can decode a charset. */
export function isSupported(charset: string): boolean {
  return charset === 'utf-8' || makeDecoder(charset) !== undefined
}

/** The words for one that it cannot. */
export function unsupported(charset: string): string {
  return `charset ${JSON.stringify(charset)} is not supported`
}

/** Returns undefined for a charset that is not supported. */
function makeDecoder(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return undefined
  }
}

function sniffMark(bytes: Uint8Array): string | undefined {
  const first = bytes[0]
  if (first === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (first === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return first === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** UTF-16 without a mark is recognised by the zero beside the first `<` (XML 1.0 appendix F.1). */
export function sniffOrder(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}
