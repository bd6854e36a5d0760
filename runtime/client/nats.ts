/**
 * JSON-RPC over NATS for the typed client.
 *
 * @module
 */

import { RpcTransportError, type TransportResponse } from './errors.js'
import { json } from './json.js'
import type { Transport, TransportSettings } from './options.js'

/** The used members of a connection of `@nats-io/transport-node`, or another one of `@nats-io/nats-core`. */
export interface NatsConnection<Headers = never> {
  /** The NATS server, once connected. */
  readonly info?: { readonly max_payload: number }
  /** Sends a message and resolves to its response. */
  request(
    subject: string,
    payload: Uint8Array,
    options: { timeout: number; headers?: Headers },
  ): Promise<{ readonly data: Uint8Array }>
}

/** Options of `nats`; everything has a default. */
export interface NatsOptions<Headers = never> {
  /** The function `headers` of `@nats-io/nats-core`. Required if calls have headers. Default: none. */
  readonly createHeaders?: () => Headers
  /** Milliseconds that a request may take if the client has no `timeoutMs`. Default 30,000. */
  readonly timeoutMs?: number
}

/** What `headers()` of `@nats-io/nats-core` returns. */
interface NatsHeaders {
  append(name: string, value: string): void
}

/**
 * Returns a transport for JSON-RPC 2.0 over NATS. The URL of the client is `nats:` and the subject. The caller closes the connection.
 *
 * If no process serves the subject, a call rejects with an RpcTransportError at once. If the process ends before it responds, the
 * call rejects with a TimeoutError. Either is sent again if the procedure is idempotent.
 *
 * @example
 * const connection = await connect({ servers: '127.0.0.1:4222' })
 * const client = createClient<JsonProcedures>('nats:tools', { transport: nats(connection), timeoutMs: 5000 })
 * @throws TypeError if the connection is not one, such as a promise of it
 * @throws TypeError from a call: the URL is not `nats:` and a subject, the request is larger than the `max_payload` of the NATS server, or
 * the call has headers and `createHeaders` is missing
 */
export function nats<Headers extends NatsHeaders = never>(
  connection: NatsConnection<Headers>,
  options: NatsOptions<Headers> = {},
): Transport {
  if (typeof connection?.request !== 'function') {
    throw new TypeError('nats(): expected a connection of NATS, such as await connect(…)')
  }
  const { timeoutMs = 30_000 } = options
  return {
    ...json,
    exchange: async (body, _calls, settings, signal) => {
      const { url } = settings
      const subject = subjectOf(url)
      const payload = new TextEncoder().encode(body)
      checkPayload(payload, connection)
      const headers = await headersOf(settings, options)
      signal.throwIfAborted()
      // A timer of 2 ** 31 milliseconds and more would end at once.
      const timeout = Math.min(settings.timeoutMs || timeoutMs, 2e9)
      const response = connection.request(subject, payload, { timeout, ...(headers && { headers }) })
      const { data } = await response.catch((error: RequestError) => {
        throw errorOf(error, url, timeout)
      })
      if (data.byteLength > settings.maxResponseBytes) {
        throw new RpcTransportError(`more than maxResponseBytes (${settings.maxResponseBytes})`, { url })
      }
      return { url, ok: true, bytes: data, text: new TextDecoder().decode(data) } satisfies TransportResponse
    },
  }
}

function subjectOf(url: string): string {
  const [, subject] = /^nats:([^\s.*>/]+(?:\.[^\s.*>/]+)*)$/.exec(url) ?? []
  if (subject !== undefined) return subject
  throw new TypeError(`${JSON.stringify(url)} is not "nats:" and a subject, such as "nats:tools"`)
}

function checkPayload({ byteLength }: Uint8Array, { info }: NatsConnection): void {
  if (!info || byteLength <= info.max_payload) return
  throw new TypeError(`the request has ${byteLength} bytes, the NATS server accepts ${info.max_payload} (max_payload)`)
}

async function headersOf<Headers extends NatsHeaders>(
  { headers: sources }: TransportSettings,
  { createHeaders }: NatsOptions<Headers>,
): Promise<Headers | undefined> {
  const all = new Headers()
  for (const source of sources) {
    const some = new Headers(typeof source === 'function' ? await source() : source)
    for (const [name, value] of some) all.set(name, value)
  }
  const list = [...all]
  if (list.length === 0) return undefined
  if (!createHeaders)
    throw new TypeError('nats(): calls have headers: pass { createHeaders: headers } of @nats-io/nats-core')
  const headers = createHeaders()
  for (const [name, value] of list) headers.append(name, value)
  return headers
}

/** What `request` of nats-core rejects with: a TimeoutError, or a RequestError. */
interface RequestError extends Error {
  isNoResponders?(): boolean
}

function errorOf(error: RequestError, url: string, timeout: number): Error {
  const { name, message } = error
  if (name === 'TimeoutError') return new DOMException(`${url}: no response within ${timeout} ms`, 'TimeoutError')
  const reason = error.isNoResponders?.() ? 'no service listens on the subject' : `no response: ${message}`
  return new RpcTransportError(reason, { url, cause: error })
}
