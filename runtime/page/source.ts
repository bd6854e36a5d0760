import type { ProtocolName } from '../protocol.js'
import type { Description } from '../schema/description.js'

/** The input of the page. */
export interface DocsSource {
  readonly description: Description
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  /** The protocols of the server. */
  readonly protocols: readonly ProtocolName[]
  /** The endpoint, relative to the page. Default: the page's own address. */
  readonly endpoint: string | undefined
  /** The WebSocket, relative to the page. Default: the endpoint. */
  readonly webSocket?: string | undefined
  /** The address of the OpenRPC document, relative to the page. */
  readonly openrpc: string | undefined
}
