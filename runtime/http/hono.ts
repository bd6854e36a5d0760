import type { Context, ExecutionContext, HonoRequest } from 'hono'
import { type Awaitable, isPromise } from '../call/maybe-async.js'
import { fromUint8Array } from '../values/bytes.js'
import { isBytes } from '../values/predicates.js'
import { hasHostLength } from '../values/url.js'
import { readIncoming, readRequest } from './body.js'
import type { Body, BodyOptions, HttpRequest, HttpResponse } from './message.js'
import { type NodeHost, type NodeRequest, nodeOf, toSend } from './node-requests.js'
import { BodyConsumedError, parsedBody } from './parsed-body.js'

/** A Hono handler that responds to RPC requests. */
export type View = (c: Context) => Response | Promise<Response>

/** Sends a response through the Hono context, so that headers which middleware has set stay. */
export function sendHono(c: Context, response: Awaitable<HttpResponse>): Response | Promise<Response> {
  return isPromise(response) ? Promise.resolve(response.then((value) => toResponse(c, value))) : toResponse(c, response)
}

/** Makes the Response; a text is sent in one piece, so that the host adds Content-Length. */
function toResponse(c: Context, { status, headers, text, stream, variesByAccept }: HttpResponse): Response {
  if (variesByAccept) c.header('Vary', 'Accept', { append: true })
  const body = text !== null && nodeOf(c.env).incoming ? toSend(text) : text
  return c.newResponse(stream ?? body, status as 200, headers)
}

/** A request that Hono routed. */
export class HonoHttpRequest implements HttpRequest {
  readonly honoContext: Context
  readonly method: string
  readonly env: unknown
  readonly node: NodeHost

  constructor(c: Context) {
    this.honoContext = c
    this.method = c.req.method
    this.env = c.env
    this.node = nodeOf(c.env)
  }

  /** The URL of the request; with `localhost` for a host that is in no URL, such as `xn--a`, which Node's adapter passes on. */
  get url(): string {
    const { url } = this.honoContext.req
    return hasHostLength(url) && URL.canParse(url) ? url : url.replace(/^(https?:\/\/)[^/?#]*/i, '$1localhost')
  }

  get request(): Request {
    return this.honoContext.req.raw
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

  receiveBody(options: BodyOptions, onBody: (body: Body) => void, onError: (error: unknown) => void): void {
    const { req } = this.honoContext
    const { incoming } = this.node
    if (!incoming || hasMembers(req.bodyCache) || !isReadable(incoming, req.raw)) {
      readHono(req, this.node, options).then(onBody, onError)
      return
    }
    const onRead = (body: Body) => {
      // Where the Request finds it, if it is read again. One chunk of Node is a Buffer already.
      incoming.rawBody = isBytes(body.bytes, 'Buffer') ? body.bytes : fromUint8Array(body.bytes, 'Buffer')
      onBody(body)
    }
    readIncoming(incoming, options.limit, onRead, onError)
  }
}

/** Reads the body that Hono, middleware or a body parser has kept, or that of the Request. */
function readHono(req: HonoRequest, node: NodeHost, options: BodyOptions): Promise<Body> {
  const { incoming } = node
  const { raw, bodyCache } = req
  const { limit } = options
  const readAll = () => req.arrayBuffer()
  if (hasMembers(bodyCache)) {
    // Hono keeps what `c.req.text()` and its like have read, which are text unless the bytes were read first.
    const wasText = raw.bodyUsed && !('arrayBuffer' in bodyCache || 'blob' in bodyCache)
    return readRequest(raw, limit, node, readAll).then((body) => ({ ...body, wasText }))
  }
  if (!raw.bodyUsed && !incoming?.readableDidRead) return readRequest(raw, limit, node, readAll)
  const parsed = incoming && !raw.bodyUsed && parsedBody(incoming, options)
  return parsed ? Promise.resolve(parsed) : readConsumed(raw, limit, node, readAll)
}

/** Some of Hono's middleware replaces the request by one whose body can be read. */
async function readConsumed(
  raw: Request,
  limit: number,
  node: NodeHost,
  readAll: () => Promise<ArrayBuffer>,
): Promise<Body> {
  const body = await readRequest(raw, limit, node, readAll).catch((cause: unknown) => {
    throw cause instanceof TypeError ? new BodyConsumedError({ cause }) : cause
  })
  if (body.bytes.byteLength === 0) throw new BodyConsumedError()
  return body
}

function hasMembers(value: object): boolean {
  for (const _ in value) return true
  return false
}

/**
 * True if a request of Node can be read instead of its Request, which copies the body: without, a small call takes a tenth less. Its length
 * is known, no listener has begun to read it, and the Request is that of @hono/node-server, not one that was made of it.
 */
function isReadable(incoming: Partial<NodeRequest>, request: Request): incoming is NodeRequest {
  const { headers, destroyed, readableFlowing } = incoming
  // A host that has read the body may throw for `rawBody`.
  if (readableFlowing !== null || destroyed || incoming.rawBody !== undefined) return false
  if (headers?.['content-length'] === undefined || headers['transfer-encoding'] !== undefined) return false
  let isOfIncoming = false
  for (const symbol of Object.getOwnPropertySymbols(request)) {
    const value: unknown = (request as never)[symbol]
    if (value === incoming) isOfIncoming = true
    else if (value instanceof Request) return false
  }
  return isOfIncoming && !request.bodyUsed
}
