import type { Context, ExecutionContext } from 'hono'
import { type Awaitable, isPromise } from '../call/maybe-async.js'
import type { ScopeOptions } from '../call/scope.js'
import type { ProtocolName } from '../protocol.js'
import { readRequest } from './body.js'
import { methodNotAllowed, respond } from './endpoint.js'
import type { Body, HttpRequest, HttpResponse } from './message.js'
import { BodyConsumedError, type ParsedMessage, parsedBody } from './parsed-body.js'
import type { Settings } from './settings.js'

/** A Hono handler that responds to RPC requests. */
export type View = (c: Context) => Response | Promise<Response>

/** The Hono entry point. */
export function serveHono(c: Context, settings: Settings, options?: ScopeOptions): Response | Promise<Response> {
  const request = new HonoHttpRequest(c)
  return sendHono(c, respond(request, settings, options) ?? methodNotAllowed(request, settings))
}

/** Sends a response through the Hono context, so that headers which middleware has set stay. */
export function sendHono(c: Context, response: Awaitable<HttpResponse>): Response | Promise<Response> {
  return isPromise(response) ? Promise.resolve(response.then((value) => toResponse(c, value))) : toResponse(c, response)
}

/** One string, so that the host sends Content-Length. */
function toResponse(c: Context, { status, headers, text, variesByAccept }: HttpResponse): Response {
  if (variesByAccept) c.header('Vary', 'Accept', { append: true })
  return c.newResponse(text, status as 200, headers)
}

/** A request that Hono took. */
export class HonoHttpRequest implements HttpRequest {
  readonly honoContext: Context

  constructor(c: Context) {
    this.honoContext = c
  }

  get method(): string {
    return this.honoContext.req.method
  }

  get url(): string {
    return this.honoContext.req.url
  }

  get request(): Request {
    return this.honoContext.req.raw
  }

  get env(): unknown {
    return this.honoContext.env
  }

  get executionContext(): ExecutionContext | undefined {
    try {
      return this.honoContext.executionCtx
    } catch {
      // Hono throws if there is none.
      return undefined
    }
  }

  get nonce(): string | undefined {
    const nonce: unknown = this.honoContext.get('secureHeadersNonce')
    return typeof nonce === 'string' ? nonce : undefined
  }

  header(name: string): string | undefined {
    return this.honoContext.req.raw.headers.get(name) ?? undefined
  }

  readBody(limit: number, protocol: ProtocolName | undefined): Promise<Body> {
    const { req, env } = this.honoContext
    const { raw, bodyCache } = req
    const readAll = () => req.arrayBuffer()
    if (hasMembers(bodyCache)) {
      // Hono keeps what `c.req.text()` and its like have read, which are text unless the bytes were read first.
      const wasText = raw.bodyUsed && !('arrayBuffer' in bodyCache || 'blob' in bodyCache)
      return readRequest(raw, limit, readAll).then((body) => ({ ...body, wasText }))
    }
    const incoming = incomingOf(env)
    const isConsumed = raw.bodyUsed || incoming?.readableDidRead
    if (!isConsumed) return readRequest(raw, limit, readAll)
    const parsed = incoming && !raw.bodyUsed && parsedBody(incoming, limit, protocol)
    return parsed ? Promise.resolve(parsed) : readConsumed(raw, limit, readAll)
  }
}

/** Some of Hono's middleware replaces the request by one whose body can be read. */
async function readConsumed(raw: Request, limit: number, readAll: () => Promise<ArrayBuffer>): Promise<Body> {
  const body = await readRequest(raw, limit, readAll).catch((cause: unknown) => {
    throw cause instanceof TypeError ? new BodyConsumedError({ cause }) : cause
  })
  if (body.bytes.byteLength === 0) throw new BodyConsumedError()
  return body
}

function hasMembers(value: object): boolean {
  for (const _ in value) return true
  return false
}

/** What is read of Node's IncomingMessage, which @hono/node-server has in `c.env.incoming`. */
interface Incoming extends ParsedMessage {
  readonly readableDidRead?: unknown
}

function incomingOf(env: unknown): Incoming | undefined {
  const { incoming } = (env ?? {}) as { readonly incoming?: Incoming | null }
  return typeof incoming === 'object' && incoming !== null ? incoming : undefined
}
