import type { OpenRpcInfo } from './openrpc.js'

/** What an API is called where nothing says it. */
export const defaultInfo: OpenRpcInfo = { title: 'RPC API', version: '0.0.0' }
