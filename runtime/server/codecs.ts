import type { Codec, CodecFor } from '../call/types.js'
import type { Switches } from '../compatibility.js'
import { jsonrpc } from '../jsonrpc/codec.js'
import type { ProtocolName } from '../protocols.js'

/** How the codec of a protocol is loaded. */
interface CodecLoader {
  /** The codec of the specification. */
  load(): Codec | Promise<Codec>
  /** The switches that change it, with the values that do not. */
  readonly unchanged: Partial<Switches>
  /** The codec with the switches of a server. */
  loadChanged(switches: Switches): Promise<Codec>
}

let xmlrpc: Codec | undefined

/** That of XML-RPC is a separate chunk, loaded for the first XML request. */
const loaders: Readonly<Record<ProtocolName, CodecLoader>> = {
  'json-rpc': {
    load: () => jsonrpc,
    unchanged: { jsonRpc1: false, lenientVersion: false, nullParams: false, jsonMulticall: false },
    loadChanged: async (switches) => (await import('../compatible.js')).compatibleJsonrpc(switches),
  },
  'xml-rpc': {
    load: () => xmlrpc ?? loadXmlrpc(),
    unchanged: { xmlRpcVoid: 'nil', xmlRpcFaultData: false, xmlRpcBigint: 'i8', xmlRpcInvalidText: 'error' },
    loadChanged: async (switches) =>
      (await import('../compatible.js')).compatibleXmlrpc(await import('../xmlrpc/codec.js'), switches),
  },
}

async function loadXmlrpc(): Promise<Codec> {
  xmlrpc = (await import('../xmlrpc/codec.js')).xmlrpc
  return xmlrpc
}

/** Returns a function that returns the codecs of a server: those of the specifications, unless a switch changes one. */
export function codecsOf(switches: Switches): CodecFor {
  const isChanged = (protocol: ProtocolName) =>
    Object.entries(loaders[protocol].unchanged).some(([name, value]) => switches[name as keyof Switches] !== value)
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
