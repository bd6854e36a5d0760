// In process, with the Request and Response of @hono/node-server: light objects that become undici's only if members are
// read that they lack. Requests are made as its listener makes them, of a body that has arrived already.
import { getRequestListener } from '@hono/node-server'
import { items, jsonRpcRequest } from '../work/calls.mjs'

const prototype = await requestPrototype()
const [incomingKey, methodKey, urlKey] = ['incomingKey', 'methodKey', 'urlKey'].map(
  (name) => prototype.names.find(({ description }) => description === name) ?? fail(name),
)
const cache = Object.getOwnPropertySymbols(new Response('')).find(({ description }) => description === 'cache')

/** The prototype and the symbols of its requests, which are private to it. Creating a listener also installs its Response. */
function requestPrototype() {
  return new Promise((resolve) => {
    const listener = getRequestListener((request) => {
      resolve({ object: Object.getPrototypeOf(request), names: Object.getOwnPropertySymbols(request) })
      return new Response('')
    })
    const outgoing = { on() {}, once() {}, writeHead() {}, end() {} }
    listener({ method: 'GET', url: '/', headers: { host: 'localhost' }, rawHeaders: [] }, outgoing)
  })
}

function fail(name) {
  throw new Error(`this @hono/node-server has no ${name}`)
}

/** One operation; undefined for a contestant that makes undici's Request of it immediately, so that the light one is not used. */
export function prepare({ fetch, needsWholeRequest, request = jsonRpcRequest }, name) {
  const message = fetch && !needsWholeRequest ? request(items[name]) : undefined
  if (!message) return undefined
  const rawBody = Buffer.from(message.body)
  const headers = { host: 'localhost', 'content-type': 'application/json', 'content-length': `${rawBody.length}` }
  const incoming = { headers, rawHeaders: Object.entries(headers).flat(), rawBody }
  const url = `http://localhost${message.path}`
  const read = (response) => (response[cache] ? response[cache][1] : response.text())
  return () => {
    const light = Object.create(prototype.object)
    light[incomingKey] = incoming
    light[methodKey] = 'POST'
    light[urlKey] = url
    const response = fetch(light)
    return response instanceof Promise ? response.then(read) : read(response)
  }
}
