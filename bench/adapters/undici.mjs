// In process, with Node's own Request and Response.
import { items, jsonRpcRequest } from '../work/calls.mjs'

export function prepare({ fetch, request = jsonRpcRequest }, name) {
  const asked = fetch && request(items[name])
  if (!asked) return undefined
  const url = `http://localhost${asked.path}`
  const length = `${Buffer.byteLength(asked.body)}`
  const headers = { 'content-type': 'application/json', 'content-length': length, ...asked.headers }
  const options = { method: 'POST', headers, body: asked.body }
  return async () => (await fetch(new Request(url, options))).text()
}
