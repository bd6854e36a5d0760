import jayson from 'jayson'
import { report } from './calling.mjs'

const client = jayson.client.http(process.argv[2])

function send(...args) {
  return new Promise((resolve, reject) =>
    client.request(...args, (error, response) => (error ? reject(error) : resolve(response))),
  )
}

function settle({ result, error }) {
  return error ? Promise.reject(error) : Promise.resolve(result)
}

await report({
  call: async (method, params) => settle(await send(method, params)),
  async batch(calls) {
    const requests = calls.map(({ method, params }) => client.request(method, params))
    const responses = await send(requests)
    return requests.map(({ id }) => settle(responses.find((response) => response.id === id)))
  },
  notify: (method, params) => send(method, params, null),
})
