import type { OpenRpcInfo, OpenRpcServer } from './openrpc.js'

/** Title, version and servers of an API. */
export interface ApiInfo extends OpenRpcInfo {
  /** Where it is served, by absolute URLs. */
  readonly servers?: readonly OpenRpcServer[]
}

/** The title and the version of an API that specifies none. */
export const defaultInfo: OpenRpcInfo = { title: 'RPC API', version: '0.0.0' }
