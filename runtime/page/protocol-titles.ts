import type { ProtocolName } from '../protocol.js'

/** How the page calls protocols. */
export const protocolTitles: Readonly<Record<ProtocolName, string>> = { 'json-rpc': 'JSON-RPC', 'xml-rpc': 'XML-RPC' }
