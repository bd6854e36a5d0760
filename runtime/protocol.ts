/** The name of a protocol. */
export type ProtocolName = 'json-rpc' | 'xml-rpc'

/** Which protocols a server, an entry point or a procedure speaks: one, or a list. */
export type ProtocolChoice = ProtocolName | readonly ProtocolName[]

/** The protocols of the RPC endpoint. */
export const Protocol = {
  /** JSON-RPC 2.0. */
  JSON_RPC: 'json-rpc',
  /** XML-RPC. */
  XML_RPC: 'xml-rpc',
  /** Every protocol of the RPC endpoint. */
  ALL: ['json-rpc', 'xml-rpc'],
} as const satisfies Record<string, ProtocolChoice>

/** The list that a choice stands for; everything when nothing is chosen. */
export function protocolsOf(choice: ProtocolChoice = Protocol.ALL): readonly ProtocolName[] {
  return typeof choice === 'string' ? [choice] : choice
}
