// JSON-RPC with nothing but the fetch of Node.
import { report } from './calling.mjs'

async function send(body) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(process.argv[2], { method: 'POST', headers, body: JSON.stringify(body) })
  if (response.status === 204) return undefined
  if (response.headers.get('content-type') !== 'application/json') throw new Error(await response.text())
  return response.json()
}

const request = ({ method, params }, id) => ({ jsonrpc: '2.0', method, params, id })
const settle = ({ result, error }) => (error ? Promise.reject(error) : Promise.resolve(result))

await report({
  call: async (method, params) => settle(await send(request({ method, params }, 'é'))),
  async batch(calls) {
    const responses = await send(calls.map(request))
    return calls.map((_, id) => settle(responses.find((response) => response.id === id)))
  },
  notify: (method, params) => send(request({ method, params })),
})
