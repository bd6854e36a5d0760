import xmlrpc from 'xmlrpc'
import { report } from './calling.mjs'

const client = xmlrpc.createClient(process.argv[2])

await report(
  (method, params) =>
    new Promise((resolve, reject) =>
      client.methodCall(method, params, (error, value) => (error ? reject(error) : resolve(value))),
    ),
)
