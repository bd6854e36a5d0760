import type { Codec, CodecFor } from '../call/types.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { ProtocolName } from '../protocols.js'
import { compatibilityTable, type Switches } from './options.js'

/** How the codec of a protocol is loaded. */
interface CodecLoader {
  /** Loads the codec of the specification. */
  load(): Promise<Codec>
  /** The switches that change it. */
  readonly switches: readonly (keyof Switches)[]
  /** The codec with the switches of a server. */
  loadChanged(switches: Switches): Promise<Codec>
}

/** That of XML-RPC is a separate chunk, loaded for the first XML request. */
const loaders: Readonly<Record<ProtocolName, CodecLoader>> = {
  'json-rpc': {
    load: async () => jsonrpc,
    switches: ['jsonRpc1', 'lenientVersion', 'nullParams', 'jsonMulticall'],
    loadChanged: async (switches) => (await import('./index.js')).compatibleJsonrpc(switches),
  },
  'xml-rpc': {
    load: async () => (await import('../xmlrpc/codec.js')).xmlrpc,
    switches: ['xmlRpcVoid', 'xmlRpcFaultData', 'xmlRpcBigint', 'xmlRpcInvalidText'],
    loadChanged: async (switches) =>
      (await import('./index.js')).compatibleXmlrpc(await import('../xmlrpc/codec.js'), switches),
  },
}

/** Returns a function that returns the codecs of a server: those of the specifications, unless a switch changes one. */
export function codecsOf(switches: Switches): CodecFor {
  const isChanged = (protocol: ProtocolName) =>
    loaders[protocol].switches.some((name) => switches[name] !== compatibilityTable[name].initial)
  const codecs: Partial<Record<ProtocolName, Codec>> = isChanged('json-rpc') ? {} : { 'json-rpc': jsonrpc }
  const load = async (protocol: ProtocolName): Promise<Codec> => {
    const { load, loadChanged } = loaders[protocol]
    const codec = await (isChanged(protocol) ? loadChanged(switches) : load())
    codecs[protocol] = codec
    return codec
  }
  return (protocol) => codecs[protocol] ?? load(protocol)
}
