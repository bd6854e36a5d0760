// The calls over JSON, and their JSON-RPC 2.0 form; a contestant with another form has its own.
import { order } from './values.mjs'

const add = (a, b) => ({ method: 'add', params: [a, b], named: { a, b }, result: a + b })

/** Items by name: the calls of one request; `batch` is true if it is a batch. */
export const items = {
  add: { batch: false, calls: [add(20, 22)] },
  '12 members': { batch: false, calls: [{ method: 'order', params: [order], named: order, result: order }] },
  'batch of 100': { batch: true, calls: Array.from({ length: 100 }, (_, i) => add(i, 1000 + i)) },
}

/** A request in JSON-RPC 2.0. */
export function jsonRpcRequest({ batch, calls }) {
  const entries = calls.map(({ method, params }, i) => ({ jsonrpc: '2.0', method, params, id: i + 1 }))
  return { path: '/rpc', body: JSON.stringify(batch ? entries : entries[0]), headers: {} }
}

/** The results in a response of JSON-RPC 2.0, in the order of their ids. */
export function jsonRpcResults(text) {
  const response = JSON.parse(text)
  const entries = Array.isArray(response) ? response.sort((one, other) => one.id - other.id) : [response]
  return entries.map(({ jsonrpc, result }) => {
    if (jsonrpc !== '2.0') throw new Error(`no JSON-RPC: ${text.slice(0, 200)}`)
    return result
  })
}
