import type { Auth, CallSettings } from '../call/types.js'
import type { Switches } from '../compatibility.js'
import type { ApiInfo } from '../openrpc/info.js'
import type { ProtocolName } from '../protocols.js'

/** The options of a server with their defaults: of calls, of the endpoint and of the docs page. */
export interface Settings extends CallSettings {
  /** The protocols that the endpoint accepts. */
  readonly protocols: readonly ProtocolName[]
  readonly redirectGetRequestsTo?: string
  readonly sniffContentType: boolean
  readonly compatibility: Switches
  /** The title, version and servers in OpenRPC documents and on the docs page. */
  readonly info: ApiInfo
  /** True if the endpoint itself serves the docs page. */
  readonly docs: boolean
  /** Authorises readers of the descriptions of the procedures; absent for everyone. */
  readonly introspectionAuth?: Auth
}
