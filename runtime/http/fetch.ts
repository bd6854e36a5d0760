import type { ExecutionContext } from 'hono'
import type { Settings } from '../options.js'
import { respond } from './endpoint.js'
import { announcedLength } from './headers.js'
import { isDisconnect, isNodeHttp1 } from './incoming.js'
import { type Body, checkLength, cutOff, HttpError, type HttpRequest, type HttpResponse } from './message.js'
import { BodyConsumedError } from './parsed-body.js'
import { LINGER_MS, readStream } from './stream.js'

/** Responds to a request on any path, as Bun, Deno, Workers and route handlers call it. */
export type Fetch = (request: Request, env?: unknown, executionContext?: ExecutionContext) => Promise<Response>

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
  readonly executionContext: ExecutionContext | undefined

  constructor(request: Request, env: unknown, executionContext: ExecutionContext | undefined) {
    this.request = request
    this.env = env
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

  readBody(limit: number, _protocol: unknown, onBody: (body: Body) => void, onError: (error: unknown) => void): void {
    if (this.request.bodyUsed) throw new BodyConsumedError()
    readRequest(this.request, limit, this.env).then(onBody, onError)
  }
}

/**
 * Reads the body of a Request of at most `limit` bytes; `readAll` reads one whose length is known to be within them. `env` is what the
 * host passed with it.
 */
export function readRequest(
  request: Request,
  limit: number,
  env: unknown,
  readAll: () => Promise<ArrayBuffer> = () => request.arrayBuffer(),
): Promise<Body> {
  const { headers, bodyUsed } = request
  const length = announcedLength((name) => headers.get(name), limit)
  const stream = Number.isNaN(length) && !bodyUsed ? request.body : null
  const lingerMs = isNodeHttp1(env) ? LINGER_MS : 0
  const bytes = stream
    ? readStream(stream, limit, lingerMs)
    : readAll().then((buffer) => {
        // A request over HTTP/2 that was cancelled, where the host passes no `env`. Earlier middleware may have replaced the body.
        if (buffer.byteLength < length && request.signal.aborted) throw cutOff()
        return checkLength(new Uint8Array(buffer), limit)
      })
  return bytes.then(
    (read) => ({ bytes: read }),
    (error) => {
      // Not every failure is the client's: earlier middleware may have replaced the stream.
      const isCutOff = isDisconnect(error) || (request.signal.aborted && !(error instanceof HttpError))
      throw isCutOff ? cutOff() : error
    },
  )
}
