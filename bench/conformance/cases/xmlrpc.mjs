import { calls, extensions, http } from './xmlrpc-calls.mjs'
import { documents, hostile, malformed } from './xmlrpc-documents.mjs'
import { compound, scalars, wrong } from './xmlrpc-values.mjs'

// `kind`: spec (required by a sentence of xmlrpc.com/spec or of XML 1.0), interop (clients in use need it, or an attacker could
// harm the server), ours (a choice of rpc-gen; not counted).

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
