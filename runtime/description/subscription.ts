import { UNSUBSCRIBE } from './system-names.js'

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
