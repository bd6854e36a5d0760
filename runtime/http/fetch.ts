import type { ExecutionContext } from 'hono'
import type { Settings } from '../options.js'
import { readRequest } from './body.js'
import { respond } from './endpoint.js'
import type { Body, BodyOptions, HttpRequest, HttpResponse } from './message.js'
import { type NodeHost, nodeOf } from './node-requests.js'
import { BodyConsumedError } from './parsed-body.js'

/** Responds to a request on any path, as Bun, Deno, Workers and route handlers call it. */
export type FetchHandler = (request: Request, env?: unknown, executionContext?: ExecutionContext) => Promise<Response>

/** The fetch entry point. */
export async function serveFetch(request: FetchHttpRequest, settings: Settings): Promise<Response> {
  return toResponse(await respond(request, settings), request.method)
}

function toResponse({ status, headers, text, stream, variesByAccept }: HttpResponse, method: string): Response {
  const init = { status, headers: variesByAccept ? { ...headers, Vary: 'Accept' } : headers }
  if (stream) return new Response(stream, init)
  return new Response(method === 'HEAD' ? null : text, init)
}

/** A request of the web standard. */
export class FetchHttpRequest implements HttpRequest {
  readonly honoContext = undefined
  readonly nonce = undefined
  readonly request: Request
  readonly env: unknown
  readonly node: NodeHost
  readonly executionContext: ExecutionContext | undefined

  constructor(request: Request, env: unknown, executionContext: ExecutionContext | undefined) {
    this.request = request
    this.env = env
    this.node = nodeOf(env)
    this.executionContext = executionContext
  }

  get method(): string {
    return this.request.method
  }

  get url(): string {
    return this.request.url
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  receiveBody({ limit }: BodyOptions, onBody: (body: Body) => void, onError: (error: unknown) => void): void {
    if (this.request.bodyUsed) throw new BodyConsumedError()
    readRequest(this.request, limit, this.node).then(onBody, onError)
  }
}
