import { RpcParseError } from '../error.js'
import { shortName, sniffOrder } from './charset.js'

/**
 * Returns the charset of an XML document without a byte order mark: by its first `<`, or by its declaration; undefined without one.
 *
 * @throws RpcParseError (-32700) for a declaration that cannot be true
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const order = sniffOrder(bytes)
  if (order) return order
  // The declaration is in ASCII, whatever it declares, and ends with the first `>`.
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, bytes.indexOf(0x3e) + 1))
  const given = /^<\?xml[^>]*?[ \t\r\n]encoding[ \t\r\n]*=[ \t\r\n]*["']([^"'>]+)["']/.exec(start)?.[1]
  if (given === undefined) return undefined
  const declared = shortName(given)
  // A declaration that is readable as single bytes is not UTF-16.
  if (/^(utf-16|ucs-2|iso-10646-ucs-2|unicode)/.test(declared)) {
    throw new RpcParseError(`Parse error: the body is declared as ${declared}, which it is not`)
  }
  return declared
}
