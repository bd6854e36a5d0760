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

// A procedure that returns an AsyncIterable is a subscription: a call results in an id, notifications contain the items.

/** The type of the result of a call. */
export const subscriptionId = { kind: 'string' } as const

/** Returns the method of the notifications with the items: `eth_subscribe` → `eth_subscription`, `ticks` → `ticks`. */
export function notificationOf(procedure: string): string {
  return procedure.replace('subscribe', 'subscription')
}

/** Returns the method that ends subscriptions of a procedure beside `rpc.unsubscribe`: `eth_subscribe` → `eth_unsubscribe`. */
export function unsubscribeOf(procedure: string): string {
  return procedure.includes('subscribe') ? procedure.replace('subscribe', 'unsubscribe') : UNSUBSCRIBE
}
