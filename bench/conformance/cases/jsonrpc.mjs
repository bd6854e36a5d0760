import { batches, bodies, http, notifications, responses } from './jsonrpc-answers.mjs'
import { ids, requests, specification } from './jsonrpc-requests.mjs'

// `kind`: spec (a sentence of the JSON-RPC 2.0 specification or of RFC 8259 says so), interop (clients in use fail without
// it, or somebody could harm the server), ours (a choice of rpc-gen; counted for nobody).

export const jsonrpc = [
  ...specification,
  ...ids,
  ...requests,
  ...responses,
  ...notifications,
  ...batches,
  ...bodies,
  ...http,
]
