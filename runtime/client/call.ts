// One request over HTTP, from its first attempt to its outcome: with timeoutMs 1000 and two retries, an attempt that takes longer is
// given up after a second, and the request is sent again after some 200 and 400 ms, if every procedure in it is idempotent.
import { onAbort } from '../platform/on-abort.js'
import {
  type HiddenReason,
  type ReceivedResponse,
  RpcTransportError,
  type TransportResponse,
  unexpected,
} from './errors.js'
import { json, parseJson, readParsed } from './json.js'
import type { RpcRequest } from './members.js'
import type { ClientSettings, Retries, RpcCall } from './options.js'

const retryable: readonly unknown[] = ['RpcTransportError', 'TimeoutError', 429, 502, 503, 504]

/**
 * True for a failure that is worth a retry: by the status of a response, or by the name of an error without a body. Of these the connection is broken,
 * also within the body of a 200, or the time is over; an error with a body is that of a redirect, or of a body that is too large.
 */
function isRetryable({ name, body, status }: Partial<RpcTransportError>): boolean {
  return retryable.includes(status) || (body === undefined && retryable.includes(name))
}

/** Sends a request until it gets a response or must not be sent again. Rejects if it failed as a whole. */
async function sendWithRetries(
  body: string,
  calls: readonly RpcCall[],
  batch: boolean,
  settings: ClientSettings,
  flight: Flight,
): Promise<readonly unknown[]> {
  const { url, timeoutMs, transport, retries } = settings
  const maxRetries = calls.every(({ method }) => settings.isIdempotent(method)) ? retries.attempts : 0
  const onTimeout = () => flight.stop?.(new DOMException(`${url}: no response within ${timeoutMs} ms`, 'TimeoutError'))
  for (let attempt = 0; ; attempt++) {
    let response: Partial<TransportResponse> = {}
    let outcomes: readonly unknown[] | undefined
    let failure: unknown
    try {
      response = await withTimeout(
        flight,
        timeoutMs || Infinity,
        onTimeout,
        (signal) =>
          transport.exchange?.(body, calls, settings, signal) ??
          fetchResponse(body, settings, signal).then((fetched) => readResponse(fetched, settings)),
      )
      outcomes = await transport.read(response as TransportResponse, calls, batch, settings)
    } catch (error) {
      failure = error
    }
    // The status of a response decides, also if its body is an error of the protocol.
    const end = (response.status ? response : (failure ?? {})) as Partial<RpcTransportError>
    const { retryAfterMs = 0 } = end
    if (!(attempt < maxRetries) || retryAfterMs > retries.maxMs || !isRetryable(end)) {
      if (outcomes) return outcomes
      throw failure
    }
    const ms = Math.max(delayOf(attempt, retries), retryAfterMs)
    await withTimeout<void>(flight, ms, (resolve) => resolve())
  }
}

/**
 * Returns the milliseconds before the next attempt. Half of it is random, so that the clients of a server that was down do not come back all
 * at once.
 */
export function delayOf(failures: number, { baseMs, maxMs }: Omit<Required<Retries>, 'attempts'>): number {
  // 0 times 2 ** 1024, which is Infinity, is not a number.
  return Math.min(maxMs, baseMs && baseMs * 2 ** failures) * (1 - Math.random() / 2)
}

/** A response whose body has not been read, and what errors report of it. */
export interface Fetched {
  readonly response: Response
  readonly head: Omit<TransportResponse, 'bytes' | 'text'>
}

/**
 * Sends a request once.
 *
 * @param own headers, which those of the client replace. Default: a response of the protocol is accepted
 * @throws RpcTransportError if there is no response, or a redirect
 */
async function fetchResponse(
  body: string,
  settings: ClientSettings,
  signal: AbortSignal,
  own: Readonly<Record<string, string>> = { Accept: settings.transport.contentType },
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
  const response = await send().catch(noResponse({ url }))
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
    // A body that is not read would keep the connection, and with it the process, until the garbage is collected.
    response.body?.cancel().catch(() => {})
    throw new RpcTransportError(`redirect to ${location ?? 'elsewhere'} not followed: see init.redirect`, {
      ...head,
      text: '',
    })
  }
  return { response, head }
}

/** Reads the body of a response to its end. @throws RpcTransportError if it is too large, or ends early */
async function readResponse(
  { response, head }: Fetched,
  { maxResponseBytes }: ClientSettings,
): Promise<TransportResponse> {
  const bytes = await readBytes(response, maxResponseBytes).catch(noResponse(head))
  const text = new TextDecoder().decode(bytes)
  if (bytes.length > maxResponseBytes)
    throw new RpcTransportError(`more than maxResponseBytes (${maxResponseBytes})`, { ...head, text })
  return { ...head, bytes, text }
}

/**
 * Returns a function that throws the error for what `fetch` or the reader of a body has thrown, which may be anything. Node's message is "fetch
 * failed", and the reason is in the cause.
 */
function noResponse(seen: ReceivedResponse): (thrown: unknown) => never {
  return (thrown) => {
    const { message = String(thrown), cause: hidden } = Object(thrown) as Partial<Error> & { cause?: HiddenReason }
    const words = hidden ? `${message}: ${hidden.message || hidden.code}` : message
    throw new RpcTransportError(`no response: ${words}`, { ...seen, cause: thrown })
  }
}

/** Reads a body to its end, or until it exceeds a limit. */
async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  // React Native has no streams.
  if (!response.body) return new Uint8Array(await response.arrayBuffer())
  const reader = response.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let [size, joined] = [0, 0]
  for (;;) {
    const { value } = await reader.read()
    if (value) {
      chunks.push(value)
      size += value.length
    }
    if (size > limit) reader.cancel().catch(() => {})
    if (!value || size > limit) return join(chunks)
    // A chunk takes a hundred bytes beside its own. `joined` is the number of those at the beginning that were made of many.
    if (chunks.length - joined > 4096) chunks.push(await join(chunks.splice(joined++)))
  }
}

async function join(chunks: Uint8Array<ArrayBuffer>[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/**
 * `fetch` reports a malformed URL and an unreachable server alike, and only the second is worth a retry. Every `fetch` rejects a URL with
 * credentials; the part before the @ is never shown.
 */
function checkUrl(url: string, own: unknown): void {
  const [http, host, credentials] = /^https?:(\/\/([^/?#]*@)?[^/?#@]+([/?#]|$))?/i.exec(url) ?? []
  const isSocket = /^wss?:/i.test(url)
  // Only a page has a location and relative URLs; a `fetch` of the caller may accept others.
  if (http ? host && !credentials : own || (!isSocket && (globalThis as { readonly location?: object }).location))
    return
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

/** A request with all its attempts. `stop` ends the current attempt, or the wait for the next one. */
export interface Flight {
  stop?: ((reason?: unknown) => void) | undefined
}

/** 23 days. A timer of 2 ** 31 milliseconds and more would end at once. */
const MAX_TIMER_MS = 2e9

/** Runs one attempt, or a wait without `work`. Settles with `work`, or as `onTimeout` decides after `ms`, even if `work` ignores its signal. */
function withTimeout<T>(
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
    if (ms <= MAX_TIMER_MS) timer = setTimeout(onTimeout, ms, resolve)
    work?.(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    // The response has arrived: aborting now does not end the request.
    flight.stop = undefined
  })
}

/** State that all views of a client share. */
interface Shared {
  /** The id of the last call. */
  id: number
  /** Calls that wait for the end of the tick, with automatic batching. */
  readonly waiting: Map<ClientSettings, Set<Pending>>
}

/** One way to call, of several that a client may have: the options, and the signals that end its calls. */
export interface ClientState {
  readonly settings: ClientSettings
  readonly signals: readonly AbortSignal[]
  readonly shared: Shared
}

/** Makes a call: at once, or with the others of its tick. */
export async function send(request: RpcRequest, state: ClientState): Promise<unknown> {
  const pending = open(write(request, state), state)
  const { settings, shared } = state
  if (settings.maxSize >= 1) wait(pending, settings, shared)
  else transmit([pending], false, settings)
  return pending.promise
}

/** Makes calls in one request. When one of them cannot be written, none is sent, and all reject with the reason. */
export function sendBatch(requests: readonly RpcRequest[], state: ClientState): readonly Promise<unknown>[] {
  try {
    const calls = requests.map((request) => write(request, state)).map((written) => open(written, state))
    if (calls[0]) transmit(calls, true, state.settings)
    return calls.map((each) => each.promise)
  } catch (error) {
    return requests.map(() => Promise.reject(error))
  }
}

/**
 * Encodes a call. A subscription is called alone, unless its transport returns its id as the result of a call.
 *
 * @throws TypeError, or RpcValueError with a codec, for a value that cannot be serialised
 */
function write({ method, params, notify }: RpcRequest, { settings, signals, shared }: ClientState): Written {
  const { codec, transport } = settings
  if ((notify || !transport.subscribe) && settings.isSubscription(method)) rejectSubscription(method)
  for (const signal of signals) signal.throwIfAborted()
  const encoded = codec?.encode(method, params, transport.native)
  const call = { id: notify ? undefined : ++shared.id, method, params: encoded ?? params }
  return { call, text: transport.write(call) }
}

/** @throws TypeError for a subscription that is not called by itself, or over a transport without subscriptions */
export function rejectSubscription(method: string): never {
  throw new TypeError(`${method} is a subscription: call it alone over fetch or webSocket()`)
}

function wait(pending: Pending, settings: ClientSettings, { waiting }: Shared): void {
  const known = waiting.get(settings)
  const calls = known ?? new Set()
  waiting.set(settings, calls.add(pending))
  pending.onEnd = () => calls.delete(pending)
  if (known) return
  setTimeout(() => {
    waiting.delete(settings)
    const rest = [...calls]
    while (rest[0]) {
      const chunk = rest.splice(0, settings.maxSize)
      transmit(chunk, chunk.length > 1, settings)
    }
  })
}

/** Sends calls in one request, which continues as long as any of them is awaited. */
function transmit(pending: readonly Pending[], batch: boolean, settings: ClientSettings): void {
  const flight: Flight = {}
  let waited = pending.length
  const onEnd = () => {
    if (!--waited) flight.stop?.()
  }
  for (const each of pending) each.onEnd = onEnd
  const texts = pending.map((each) => each.text)
  const calls = pending.map((each) => each.call)
  sendWithRetries(settings.transport.join(texts, batch), calls, batch, settings, flight).then(
    (outcomes) => pending.forEach((each, i) => void each.resolve(outcomes[i])),
    (error) => pending.forEach((each) => void each.reject(error)),
  )
}

/** A call that is written, and not yet on its way. */
interface Written {
  readonly call: RpcCall
  readonly text: unknown
}

/** A call that has not ended. Of `resolve` and `reject` the first counts. */
interface Pending extends Written {
  promise: Promise<unknown>
  readonly resolve: (outcome: unknown) => void
  readonly reject: (reason: unknown) => void
  /** Called when the call has ended. */
  onEnd?: () => void
}

/** Opens a call. It ends when it is settled (resolving with an Error rejects it), or when one of the signals is aborted. */
function open(written: Written, { settings: { codec, transport }, signals }: ClientState): Pending {
  const { method, id } = written.call
  let pending = written as Pending
  const settled = new Promise<unknown>((resolve, reject) => {
    pending = { ...written, resolve, reject } as Pending
  })
  const removeListeners = signals.map((signal) => onAbort(signal, pending.reject))
  pending.promise = settled
    .finally(() => {
      removeListeners.forEach((remove) => void remove())
      transport.end?.(written.call)
      pending.onEnd?.()
    })
    .then((outcome) => {
      if (outcome instanceof Error) {
        codec?.decodeError?.(method, outcome)
        throw outcome
      }
      return codec && id ? codec.decode(method, outcome) : outcome
    })
  return pending
}

/**
 * What `events.ts` uses of the client. It imports none of it: with a module that two files of a bundle share, a client without subscriptions
 * would be a file more, and a tenth larger.
 */
export const parts = {
  RpcTransportError,
  delayOf,
  fetchResponse,
  isRetryable,
  json,
  noResponse,
  onAbort,
  parseJson,
  readResponse,
  readParsed,
  unexpected,
  withTimeout,
  write,
} as const
