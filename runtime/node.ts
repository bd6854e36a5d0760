/**
 * Serves rpc-gen from node:http, node:http2's compatibility API, Express, Connect, Fastify and Koa.
 *
 * @module
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { RpcServer } from './server/server.js'

/** A request listener of Node, and middleware of Express and Connect. */
export type NodeHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  next?: (error?: unknown) => void,
) => void

/**
 * Returns a request listener that serves a server on every path that it is mounted at.
 *
 * @example
 * createServer(nodeHandler(server)).listen(8080)
 */
export function nodeHandler(server: RpcServer): NodeHandler {
  const { fetch } = server
  return (incoming, outgoing, next) => {
    const controller = new AbortController()
    outgoing.once('close', () => outgoing.writableEnded || controller.abort())
    const fail = next ?? ((error: unknown) => void outgoing.destroy(error instanceof Error ? error : undefined))
    send(incoming, outgoing, fetch, controller.signal).catch(fail)
  }
}

async function send(
  incoming: IncomingMessage | Http2ServerRequest,
  outgoing: ServerResponse | Http2ServerResponse,
  fetch: RpcServer['fetch'],
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(requestOf(incoming, signal), { incoming, outgoing })
  const body = new Uint8Array(await response.arrayBuffer())
  outgoing.statusCode = response.status
  for (const [name, value] of response.headers) outgoing.setHeader(name, value)
  if (response.body) outgoing.setHeader('Content-Length', body.byteLength)
  if (incoming.method === 'HEAD' || !response.body) outgoing.end()
  else outgoing.end(body)
}

function requestOf(incoming: IncomingMessage | Http2ServerRequest, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value))
  }
  const { method = 'GET' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const host = headers.get('host') ?? incoming.headers[':authority'] ?? 'localhost'
  const url = new URL(incoming.url ?? '/', `http://${host}`)
  return new Request(url, { method, headers, signal, ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }) })
}

function bodyOf(incoming: IncomingMessage | Http2ServerRequest): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}
