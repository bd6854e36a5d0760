// oRPC with zod on both sides: its fetch handler in process, its node handler over HTTP.
import { createServer } from 'node:http'
import { os } from '@orpc/server'
import { RPCHandler as FetchHandler } from '@orpc/server/fetch'
import { RPCHandler as NodeHandler } from '@orpc/server/node'
import { BatchHandlerPlugin } from '@orpc/server/plugins'
import { schemas } from '../../work/zod.mjs'

export async function start(project) {
  const functions = await project.user('procedures.js')
  const router = {
    add: os
      .input(schemas.add)
      .output(schemas.sum)
      .handler(({ input }) => functions.add(input.a, input.b)),
    order: os
      .input(schemas.order)
      .output(schemas.order)
      .handler(({ input }) => functions.order(input)),
  }
  // A handler modifies its options, so each has its own.
  const options = () => ({ plugins: [new BatchHandlerPlugin({ maxSize: 1000 })] })
  const handler = new FetchHandler(router, options())
  return {
    fetch: async (request) => (await handler.handle(request, { context: {} })).response,
    needsWholeRequest: true,
    request,
    listen: (port, ready) => {
      const node = new NodeHandler(router, options())
      const server = createServer((request, response) => void node.handle(request, response, { context: {} }))
      server.listen(port, '127.0.0.1', () => ready(server.address().port))
    },
  }
}

export function request({ batch, calls }) {
  if (!batch) return { path: `/${calls[0].method}`, body: JSON.stringify({ json: calls[0].named }), headers: {} }
  const entries = calls.map(({ method, named }) => ({ body: { json: named }, url: `http://localhost/${method}` }))
  return { path: '/__batch__', body: JSON.stringify(entries), headers: { 'x-orpc-batch': 'buffered' } }
}

export function results(text) {
  const response = JSON.parse(text)
  if (!Array.isArray(response)) return [response.json]
  return response.sort((one, other) => one.index - other.index).map(({ body }) => body.json)
}
