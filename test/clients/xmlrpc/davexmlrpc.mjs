import davexmlrpc from 'davexmlrpc'
import { report } from './calling.mjs'

await report(
  (method, params) =>
    new Promise((resolve, reject) =>
      davexmlrpc.client(process.argv[2], method, params, 'xml', (error, value) =>
        error ? reject(error) : resolve(value),
      ),
    ),
)
