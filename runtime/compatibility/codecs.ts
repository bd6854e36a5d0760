import type { Codec, CodecFor } from '../call/types.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { ProtocolName } from '../protocols.js'
import { compatibilityTable, type Switches } from './options.js'

/** How the codec of a protocol is loaded. */
interface CodecLoader {
  /** The codec of the specification. */
  load(): Codec | Promise<Codec>
  /** The switches that change it. */
  readonly switches: readonly (keyof Switches)[]
  /** The codec with the switches of a server. */
  loadChanged(switches: Switches): Promise<Codec>
}

let xmlrpc: Codec | undefined

/** That of XML-RPC is a separate chunk, loaded for the first XML request. */
const loaders: Readonly<Record<ProtocolName, CodecLoader>> = {
  'json-rpc': {
    load: () => jsonrpc,
    switches: ['jsonRpc1', 'lenientVersion', 'nullParams', 'jsonMulticall'],
    loadChanged: async (switches) => (await import('./index.js')).compatibleJsonrpc(switches),
  },
  'xml-rpc': {
    load: () => xmlrpc ?? loadXmlrpc(),
    switches: ['xmlRpcVoid', 'xmlRpcFaultData', 'xmlRpcBigint', 'xmlRpcInvalidText'],
    loadChanged: async (switches) =>
      (await import('./index.js')).compatibleXmlrpc(await import('../xmlrpc/codec.js'), switches),
  },
}

async function loadXmlrpc(): Promise<Codec> {
  xmlrpc = (await import('../xmlrpc/codec.js')).xmlrpc
  return xmlrpc
}

/** Returns a function that returns the codecs of a server: those of the specifications, unless a switch changes one. */
export function codecsOf(switches: Switches): CodecFor {
  const isChanged = (protocol: ProtocolName) =>
    loaders[protocol].switches.some((name) => switches[name] !== compatibilityTable[name].initial)
  const changed = new Set((Object.keys(loaders) as ProtocolName[]).filter(isChanged))
  if (changed.size === 0) return (protocol) => loaders[protocol].load()
  const made = new Map<ProtocolName, Codec>()
  const loadChanged = async (protocol: ProtocolName): Promise<Codec> => {
    const codec = await loaders[protocol].loadChanged(switches)
    made.set(protocol, codec)
    return codec
  }
  return (protocol) =>
    changed.has(protocol) ? (made.get(protocol) ?? loadChanged(protocol)) : loaders[protocol].load()
}
