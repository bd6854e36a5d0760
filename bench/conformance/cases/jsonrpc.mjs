import { ids, requests, specification } from './jsonrpc-requests.mjs'
import { batches, bodies, http, notifications, responses } from './jsonrpc-responses.mjs'

// `kind`: spec (required by a sentence of the JSON-RPC 2.0 specification or of RFC 8259), interop (clients in use fail without
// it, or an attacker could harm the server), ours (a choice of rpc-gen; not counted).

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
