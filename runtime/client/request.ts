import { type Received, RpcTransportError, type TransportResponse } from './errors.js'
import type { Settings } from './options.js'
import type { RpcCall } from './transport.js'

// One request over HTTP, from its first attempt to its outcome: with timeoutMs 1000 and two retries, an attempt that takes longer is
// given up after a second, and the request is sent again after some 200 and 400 ms, if every procedure in it is idempotent.

/** Failures worth a retry: statuses, and by the names of their errors, which have no body, a broken connection and a timeout. */
export const retryable: readonly unknown[] = ['RpcTransportError', 'TimeoutError', 429, 502, 503, 504]

/** Sends a request until it gets a response or must not be sent again. Rejects if it failed as a whole. */
export async function post(
  body: string,
  calls: readonly RpcCall[],
  batch: boolean,
  settings: Settings,
  flight: Flight,
): Promise<readonly unknown[]> {
  const { url, timeoutMs, transport, retries } = settings
  const { attempts, baseMs, maxMs } = retries
  const maxRetries = calls.every(({ method }) => settings.isIdempotent(method)) ? attempts : 0
  const onTimeout = () => flight.stop?.(new DOMException(`${url}: no response within ${timeoutMs} ms`, 'TimeoutError'))
  for (let attempt = 0; ; attempt++) {
    let response: Partial<TransportResponse> = {}
    let outcomes: readonly unknown[] | undefined
    let failure: unknown
    try {
      response = await withTimeout(flight, timeoutMs || Infinity, onTimeout, (signal) =>
        transport.exchange ? transport.exchange(body, calls, settings, signal) : exchange(body, settings, signal),
      )
      outcomes = await transport.read(response as TransportResponse, calls, batch, settings)
    } catch (error) {
      failure = error
    }
    // The status of a response decides, also if its body is an error of the protocol.
    const end = (response.status ? response : (failure ?? {})) as Partial<RpcTransportError>
    const { name, body: seen, status, retryAfterMs = 0 } = end
    const isRetryable = retryable.includes(seen === undefined ? (name ?? status) : status)
    if (!(attempt < maxRetries) || retryAfterMs > maxMs || !isRetryable) {
      if (outcomes) return outcomes
      throw failure
    }
    // Half of it is random, so that the clients of a server that was down do not reconnect all at once.
    const own = Math.min(maxMs, baseMs * 2 ** attempt) * (1 - Math.random() / 2)
    await withTimeout<void>(flight, Math.max(own, retryAfterMs), (resolve) => resolve())
  }
}

async function exchange(body: string, settings: Settings, signal: AbortSignal): Promise<TransportResponse> {
  const { contentType } = settings.transport
  return readResponse(await fetchResponse(body, settings, signal, { Accept: contentType }), settings)
}

/** A response whose body has not been read, and what errors report of it. */
export interface Fetched {
  readonly response: Response
  readonly head: Omit<TransportResponse, 'bytes' | 'text'>
}

/**
 * Sends a request once.
 *
 * @param own headers, which those of the client replace
 * @throws RpcTransportError if there is no response, or a redirect
 */
export async function fetchResponse(
  body: string,
  settings: Settings,
  signal: AbortSignal,
  own: Readonly<Record<string, string>>,
): Promise<Fetched> {
  const { url, init, transport } = settings
  checkUrl(url, settings.fetch)
  const headers = new Headers({ 'Content-Type': transport.contentType, ...own })
  for (const source of settings.headers) {
    const more = new Headers(typeof source === 'function' ? await source() : source)
    for (const [name, value] of more) headers.set(name, value)
  }
  // Looked up for each request, since tests and tracers put another one there.
  const send = async () =>
    (settings.fetch ?? fetch)(url, { redirect: 'manual', ...init, method: 'POST', headers, body, signal })
  const response = await send().catch((cause) => {
    throw noResponse(cause, { url })
  })
  const { redirected, status, ok } = response
  const head = {
    url: response.url || url,
    redirected,
    status,
    ok,
    headers: response.headers,
    contentType: response.headers.get('Content-Type'),
    retryAfterMs: millisecondsOf(response.headers.get('Retry-After')),
  }
  const location = response.headers.get('Location')
  // In a page a redirect has neither a status nor a location.
  if (response.type === 'opaqueredirect' || (status > 300 && status < 400 && location)) {
    throw new RpcTransportError(`redirect to ${location ?? 'elsewhere'} not followed: see init.redirect`, {
      ...head,
      text: '',
    })
  }
  return { response, head }
}

/** Reads the body of a response to its end. @throws RpcTransportError if it is too large, or ends early */
export async function readResponse(
  { response, head }: Fetched,
  { maxResponseBytes }: Settings,
): Promise<TransportResponse> {
  const bytes = await readBytes(response, maxResponseBytes).catch((cause) => {
    throw noResponse(cause, head)
  })
  const text = new TextDecoder().decode(bytes)
  if (bytes.length > maxResponseBytes)
    throw new RpcTransportError(`more than maxResponseBytes (${maxResponseBytes})`, { ...head, text })
  return { ...head, bytes, text }
}

/** Returns the error for what `fetch` or the reader of a body has thrown. */
export function noResponse(cause: Error & { readonly cause?: Hidden }, seen: Received): RpcTransportError {
  const { message, cause: hidden } = cause
  const words = hidden ? `${message}: ${hidden.message || hidden.code}` : message
  return new RpcTransportError(`no response: ${words}`, { ...seen, cause })
}

/** Reads a body to its end, or until it exceeds a limit. */
async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  // React Native has no streams.
  if (!response.body) return new Uint8Array(await response.arrayBuffer())
  const reader = response.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { value } = await reader.read()
    if (value) {
      chunks.push(value)
      size += value.length
    }
    if (size > limit) reader.cancel().catch(() => {})
    if (!value || size > limit) return new Uint8Array(await new Blob(chunks).arrayBuffer())
  }
}

interface Platform {
  readonly location?: object
}

/**
 * `fetch` reports a malformed URL and an unreachable server alike, and only the second is worth a retry. Every `fetch` rejects a URL with
 * credentials; the part before the @ is never shown.
 */
function checkUrl(url: string, own: unknown): void {
  const [http, host, credentials] = /^https?:(\/\/([^/?#]*@)?[^/?#@]+([/?#]|$))?/i.exec(url) ?? []
  const isSocket = /^wss?:/i.test(url)
  // Only a page has a location and relative URLs; a `fetch` of the caller may accept others.
  if (http ? host && !credentials : own || (!isSocket && (globalThis as Platform).location)) return
  const wrong = credentials
    ? 'has credentials: use headers'
    : isSocket
      ? 'needs the transport webSocket()'
      : 'is not an http(s) URL'
  throw new TypeError(`${JSON.stringify(url.replace(/.*@/s, '@'))} ${wrong}`)
}

/** Seconds or a date (RFC 9110 section 10.2.3); 0 for none. */
function millisecondsOf(retryAfter: string | null): number {
  return Math.max(0, Number(retryAfter) * 1000 || Date.parse(retryAfter as string) - Date.now()) || 0
}

/**
 * Node's message is "fetch failed"; it hides the reason in the cause; a host with several addresses has no message but a
 * code.
 */
interface Hidden {
  readonly message?: string
  readonly code?: string
}

/** A request with all its attempts. `stop` ends the current attempt, or the wait for the next one. */
export interface Flight {
  stop?: ((reason?: unknown) => void) | undefined
}

/** 23 days. A timer of 2 ** 31 milliseconds and more would end at once. */
const longestTimer = 2e9

/** Runs one attempt, or a wait without `work`. Settles with `work`, or as `onTimeout` decides after `ms`, even if `work` ignores its signal. */
export function withTimeout<T>(
  flight: Flight,
  ms: number,
  onTimeout: (resolve: (value: T) => void) => void,
  work?: (signal: AbortSignal) => PromiseLike<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController()
    // The reason is passed on, because without it every call of the flight would get a separate error.
    flight.stop = (reason) => {
      reject(reason)
      controller.abort(reason)
    }
    if (ms <= longestTimer) timer = setTimeout(onTimeout, ms, resolve)
    work?.(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    // The response has arrived: aborting now does not end the request.
    flight.stop = undefined
  })
}
