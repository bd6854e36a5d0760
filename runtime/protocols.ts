/** The name of a protocol. */
export type ProtocolName = 'json-rpc' | 'xml-rpc'

/** What the runtime has to know of a protocol beside its codec, which `compatibility/codecs.ts` loads. */
interface ProtocolRow {
  /** The media types of its requests, in lower case; the error for another one names the first. */
  readonly types: readonly [string, ...string[]]
  /** The characters that a message can begin with, after white space: for servers whose clients send no media type. */
  readonly start: string
}

/** A row for each protocol of the RPC endpoint. */
export const protocolTable = {
  'json-rpc': {
    types: ['application/json', 'application/json-rpc', 'application/jsonrequest'],
    start: '{[',
  },
  'xml-rpc': {
    types: ['text/xml', 'application/xml'],
    start: '<',
  },
} as const satisfies Readonly<Record<ProtocolName, ProtocolRow>>

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
 * Returns the list of a choice; everything if nothing is chosen.
 *
 * @param owner the function with the option, for the error: `RpcServer`
 * @throws TypeError for an unknown protocol, and for an empty list
 */
export function protocolsOf(owner: string, choice: ProtocolChoice = Protocol.ALL): readonly ProtocolName[] {
  const names = [choice].flat()
  if (names.length > 0 && names.every((name) => Protocol.ALL.includes(name))) return names
  const given = JSON.stringify(choice)
  const known = Protocol.ALL.map((name) => `'${name}'`).join(', ')
  throw new TypeError(`${owner}: protocol is ${given}, expected ${known} or a list of them`)
}
