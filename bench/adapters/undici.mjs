// In process, with Node's own Request and Response.
import { items, jsonRpcRequest } from '../work/calls.mjs'

export function prepare({ fetch, request = jsonRpcRequest }, name) {
  const message = fetch && request(items[name])
  if (!message) return undefined
  const url = `http://localhost${message.path}`
  const length = `${Buffer.byteLength(message.body)}`
  const headers = { 'content-type': 'application/json', 'content-length': length, ...message.headers }
  const options = { method: 'POST', headers, body: message.body }
  return async () => (await fetch(new Request(url, options))).text()
}
