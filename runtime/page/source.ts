import type { ProtocolName } from '../protocol.js'
import type { Description } from '../schema/description.js'

/** What the page is made of. */
export interface DocsSource {
  readonly description: Description
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  /** What the server speaks. */
  readonly protocols: readonly ProtocolName[]
  /** Where to POST to, relative to the page; the page's own address when undefined. */
  readonly endpoint: string | undefined
  /** Where the OpenRPC document is, relative to the page. */
  readonly openrpc: string | undefined
}
