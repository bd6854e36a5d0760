// Not in describe.ts, which Standard Schema loads without OpenRPC.
import type { Description } from '../description/description.js'
import type { ApiInfo, OpenRpc } from '../description/openrpc.js'
import { openRpcOf } from '../description/openrpc-document.js'
import { describeProcedures } from './describe.js'
import type { Table } from './types.js'

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
  const procedures = [...table.values()].filter(({ builtIn }) => !builtIn)
  const description = describeProcedures(procedures)
  const document = openRpcOf(description, info, servers)
  const discovered: Discovered = { description, document }
  known.set(table, discovered)
  return discovered
}
