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

/**
 * The list of a choice; everything if nothing is chosen.
 *
 * @throws TypeError for an unknown protocol, and for an empty list
 */
export function protocolsOf(choice: ProtocolChoice = Protocol.ALL): readonly ProtocolName[] {
  const names: readonly string[] = typeof choice === 'string' ? [choice] : choice
  const known: readonly string[] = Protocol.ALL
  if (names.length > 0 && names.every((name) => known.includes(name))) return names as readonly ProtocolName[]
  throw new TypeError(`protocol is one or several of ${known.join(', ')}, not ${JSON.stringify(choice)}`)
}
