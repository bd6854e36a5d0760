import type { Codec, CodecFor } from '../call/types.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { ProtocolName } from '../protocols.js'
import { compatibilityTable, type Switches } from './options.js'

/** The switches that change the codec of a protocol. */
const switchesOf: Readonly<Record<ProtocolName, readonly (keyof Switches)[]>> = {
  'json-rpc': ['jsonRpc1', 'lenientVersion', 'nullParams', 'jsonMulticall'],
  'xml-rpc': ['xmlRpcVoid', 'xmlRpcFaultData', 'xmlRpcBigint', 'xmlRpcInvalidText'],
}

/**
 * Returns a function that returns the codecs of a server: those of the specifications, unless a switch changes one. That of XML-RPC is a
 * separate chunk, loaded by the first XML request.
 */
export function codecsOf(switches: Switches): CodecFor {
  const isChanged = (protocol: ProtocolName) =>
    switchesOf[protocol].some((name) => switches[name] !== compatibilityTable[name].initial)
  const known: Partial<Record<ProtocolName, Codec>> = isChanged('json-rpc') ? {} : { 'json-rpc': jsonrpc }
  return (protocol) => known[protocol] ?? load(protocol)

  async function load(protocol: ProtocolName): Promise<Codec> {
    const compatible = isChanged(protocol) ? await import('./index.js') : undefined
    const xml = protocol === 'xml-rpc' ? await import('../xmlrpc/codec.js') : undefined
    const codec = xml
      ? (compatible?.compatibleXmlrpc(xml, switches) ?? xml.xmlrpc)
      : (compatible?.compatibleJsonrpc(switches) ?? jsonrpc)
    known[protocol] = codec
    return codec
  }
}
