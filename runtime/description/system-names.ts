// The names of the procedures that servers and connections have of their own, where the wire, a client or a check needs them.

/** Runs several calls of XML-RPC in one; codecs decode its entries. */
export const MULTICALL = 'system.multicall'

/** Returns the OpenRPC document of a server. */
export const DISCOVER = 'rpc.discover'

/** Ends a subscription of any procedure. */
export const UNSUBSCRIBE = 'rpc.unsubscribe'

/** Returns null: a client that cannot ping notices by the response that the connection is alive. */
export const PING = 'rpc.ping'

/** Cancels a call of the connection (LSP 3.17, "Cancellation Support"): `{ "id": 7 }`. */
export const CANCEL = '$/cancelRequest'
