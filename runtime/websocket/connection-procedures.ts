import type { CallContext } from '../call/context.js'
import type { CallSettings, Procedure } from '../call/types.js'
import { CANCEL, PING, UNSUBSCRIBE, unsubscribeOf } from '../description/system-names.js'
import { RpcInvalidParams } from '../error.js'
import { uncheckedProcedure } from '../server/table.js'
import { memoize } from '../values/cache.js'

const cancelProcedure = uncheckedProcedure(cancel, { name: CANCEL, params: 'object', contextTarget: 1 })
const pingProcedure = uncheckedProcedure(() => null, { name: PING })

/** Returns the settings with the procedures of every connection; those of the user come first. They need no authorisation. */
export const withConnectionProcedures = memoize((settings: CallSettings): CallSettings => {
  const subscriptions = [...settings.table.values()].filter(({ subscription }) => subscription)
  const names = new Set(subscriptions.flatMap(({ name }) => [UNSUBSCRIBE, unsubscribeOf(name)]))
  const added = [...names].map((name) => uncheckedProcedure(unsubscribe, { name, contextTarget: 1 }))
  const own = [cancelProcedure, pingProcedure, ...added].map((procedure) => [procedure.name, procedure] as const)
  return { ...settings, table: new Map<string, Procedure>([...own, ...settings.table]) }
})

/** The most characters of a message that `isUrgent` parses. */
const MAX_URGENT = 1000

/** True for a cancellation or a heartbeat, which would be of no use after the calls that it waits for. */
export function isUrgent(data: string | Uint8Array, { table }: CallSettings): boolean {
  if (data.length > MAX_URGENT) return false
  const text = typeof data === 'string' ? data : new TextDecoder().decode(data)
  if (!/cancelRequest|rpc\.ping/.test(text)) return false
  try {
    const procedure = table.get(JSON.parse(text)?.method)
    return procedure === cancelProcedure || procedure === pingProcedure
  } catch {
    return false
  }
}

function unsubscribe(id: unknown, context: CallContext): boolean {
  return context.scope.connection?.unsubscribe(id) ?? false
}

function cancel(params: { readonly id?: unknown } | null | undefined, context: CallContext): void {
  const id = params?.id
  if (typeof id !== 'string' && typeof id !== 'number' && typeof id !== 'bigint') {
    throw new RpcInvalidParams('Invalid params: id: expected string or number')
  }
  context.scope.connection?.cancel(id)
}
