import { calls, extensions, http } from './xmlrpc-calls.mjs'
import { documents, hostile, malformed } from './xmlrpc-documents.mjs'
import { compound, scalars, wrong } from './xmlrpc-values.mjs'

// `kind`: spec (a sentence of xmlrpc.com/spec or of XML 1.0 says so), interop (clients in use need it, or somebody could
// harm the server), ours (a choice of rpc-gen; counted for nobody).

export const xmlrpc = [
  ...scalars,
  ...compound,
  ...wrong,
  ...documents,
  ...malformed,
  ...calls,
  ...extensions,
  ...hostile,
  ...http,
]
