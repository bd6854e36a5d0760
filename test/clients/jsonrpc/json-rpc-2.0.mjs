import { createJSONRPCRequest, JSONRPCClient, JSONRPCErrorException } from 'json-rpc-2.0'
import { report } from './calling.mjs'

// The package leaves the transport to its user; this is the one of its README.
const client = new JSONRPCClient(async (request) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(process.argv[2], { method: 'POST', headers, body: JSON.stringify(request) })
  if (response.status === 200) client.receive(await response.json())
  else if (request.id !== undefined) throw new Error(response.statusText)
})

await report({
  call: (method, params) => client.request(method, params),
  async batch(calls) {
    const requests = calls.map(({ method, params }, id) => createJSONRPCRequest(`batch ${id}`, method, params))
    const responses = await client.requestAdvanced(requests)
    return requests.map(async ({ id }) => {
      const { result, error } = responses.find((response) => response.id === id)
      if (error) throw new JSONRPCErrorException(error.message, error.code, error.data)
      return result
    })
  },
  notify: (method, params) => client.notify(method, params),
})
