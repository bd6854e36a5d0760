import { Client, HTTPTransport, RequestManager } from '@open-rpc/client-js'
import { report } from './calling.mjs'

const client = new Client(new RequestManager([new HTTPTransport(process.argv[2])]))

await report({
  call: (method, params) => client.request({ method, params }),
  async batch(calls) {
    client.startBatch()
    const responses = calls.map(({ method, params }) => client.request({ method, params }))
    client.stopBatch()
    return responses
  },
  notify: (method, params) => client.notify({ method, params }),
})
