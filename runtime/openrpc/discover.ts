import { describeProcedures } from '../schema/describe-procedures.js'
import type { Description } from '../schema/description.js'
import type { Table } from '../server/table.js'
import { openRpcOf } from './document.js'
import type { OpenRpc, OpenRpcInfo, OpenRpcServer } from './openrpc.js'

/** What an API says of itself. */
export interface ApiInfo extends OpenRpcInfo {
  /** Where it is served, by absolute URLs. */
  readonly servers?: readonly OpenRpcServer[]
}

/** A server's own description, made once for each table. */
export interface Discovered {
  readonly description: Description
  readonly document: OpenRpc
}

const known = new WeakMap<Table, Discovered>()

/** Describes the procedures of a table, the server's own left out. */
export function discover(table: Table, { servers, ...info }: ApiInfo): Discovered {
  const made = known.get(table)
  if (made) return made
  const description = describeProcedures([...table.values()].filter(({ name }) => !/^(?:rpc|system)\./.test(name)))
  const document = openRpcOf(description, info, servers)
  const discovered: Discovered = { description, document }
  known.set(table, discovered)
  return discovered
}
