import type { Codec, CodecFor } from './call/types.js'
import type { Switches } from './compatibility.js'
import { jsonrpc } from './jsonrpc/codec.js'
import type { ProtocolName } from './protocol.js'

let xmlrpc: Codec | undefined

/** Returns the codec of a protocol. That of XML-RPC is a separate chunk, loaded for the first XML request. */
const codecFor: CodecFor = (protocol) => (protocol === 'json-rpc' ? jsonrpc : (xmlrpc ?? loadXmlrpc()))

async function loadXmlrpc(): Promise<Codec> {
  xmlrpc = (await import('./xmlrpc/codec.js')).xmlrpc
  return xmlrpc
}

/** Returns a function that returns the codecs of a server: those of the specifications, unless a switch changes one. */
export function codecsOf(switches: Switches): CodecFor {
  const { jsonRpc1, lenientVersion, nullParams, jsonMulticall } = switches
  const { xmlRpcVoid, xmlRpcFaultData, xmlRpcBigint, xmlRpcInvalidText } = switches
  const changed: Readonly<Record<ProtocolName, boolean>> = {
    'json-rpc': jsonRpc1 || lenientVersion || nullParams || jsonMulticall,
    'xml-rpc': xmlRpcVoid !== 'nil' || xmlRpcFaultData || xmlRpcBigint !== 'i8' || xmlRpcInvalidText !== 'error',
  }
  if (!changed['json-rpc'] && !changed['xml-rpc']) return codecFor
  const made = new Map<ProtocolName, Codec>()
  const load = async (protocol: ProtocolName): Promise<Codec> => {
    const { compatibleJsonrpc, compatibleXmlrpc } = await import('./compatible.js')
    const isJson = protocol === 'json-rpc'
    const codec = isJson ? compatibleJsonrpc(switches) : compatibleXmlrpc(await import('./xmlrpc/codec.js'), switches)
    made.set(protocol, codec)
    return codec
  }
  return (protocol) => (changed[protocol] ? (made.get(protocol) ?? load(protocol)) : codecFor(protocol))
}
