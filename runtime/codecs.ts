import type { Awaitable } from './call/maybe-async.js'
import type { Codec } from './call/types.js'
import { jsonrpc } from './jsonrpc/codec.js'
import type { ProtocolName } from './protocol.js'

let xmlrpc: Codec | undefined

/** Returns the codec of a protocol. That of XML-RPC is a chunk of its own, loaded when the first XML request comes. */
export function codecFor(protocol: ProtocolName): Awaitable<Codec> {
  return protocol === 'json-rpc' ? jsonrpc : (xmlrpc ?? loadXmlrpc())
}

async function loadXmlrpc(): Promise<Codec> {
  xmlrpc = (await import('./xmlrpc/codec.js')).xmlrpc
  return xmlrpc
}
