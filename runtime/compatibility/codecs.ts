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
    const codec = await loaders[protocol](isChanged(protocol) ? switches : undefined)
    known[protocol] = codec
    return codec
  }
}

/** Loads the codec of a protocol; `switches` are those of a server, if one of them changes it. */
const loaders: Readonly<Record<ProtocolName, (switches: Switches | undefined) => Promise<Codec>>> = {
  'json-rpc': async (switches) => (switches ? (await import('./index.js')).compatibleJsonrpc(switches) : jsonrpc),
  'xml-rpc': async (switches) => {
    const xml = await import('../xmlrpc/codec.js')
    return switches ? (await import('./index.js')).compatibleXmlrpc(xml, switches) : xml.xmlrpc
  },
}
