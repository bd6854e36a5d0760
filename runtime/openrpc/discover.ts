import { describe } from '../schema/describe.js'
import type { Description } from '../schema/description.js'
import type { Table } from '../table.js'
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
  /** The document as it is sent, and its strong entity tag (RFC 9110 section 8.8.3). */
  readonly text: Promise<{ readonly body: string; readonly etag: string }>
}

const known = new WeakMap<Table, Discovered>()

/** Describes the procedures of a table, the server's own left out. */
export function discover(table: Table, { servers, ...info }: ApiInfo): Discovered {
  const made = known.get(table)
  if (made) return made
  const description = describe([...table.values()].filter(({ name }) => !/^(?:rpc|system)\./.test(name)))
  const document = openRpcOf(description, info, servers)
  let text: Discovered['text'] | undefined
  const discovered: Discovered = {
    description,
    document,
    get text() {
      text ??= tagged(JSON.stringify(document))
      return text
    },
  }
  known.set(table, discovered)
  return discovered
}

async function tagged(body: string): Promise<{ readonly body: string; readonly etag: string }> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const hex = Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return { body, etag: `"${hex.join('')}"` }
}
