// The options of a client, what becomes of them (`ClientSettings`), and what codecs and transports implement. Options of some calls replace those of
// all: `client.$with({ timeoutMs: 1000 }).add(1, 2)`.
import type { RpcParams } from '../values/types.js'
import type { TransportResponse } from './errors.js'
import type { RpcRequest } from './members.js'
import type { SubscribeOptions, SubscribingClient } from './subscriptions.js'

/** The argument of `new Headers`, which has no name without the types of the DOM. */
type HeadersLike = NonNullable<ConstructorParameters<typeof Headers>[0]>

/** Headers, or a function that returns them for each request, retries included: for instance a renewed access token. */
export type HeadersSource = HeadersLike | (() => HeadersLike | Promise<HeadersLike>)

/** A name and a password (RFC 7617). */
export interface BasicAuth {
  readonly username: string
  readonly password: string
}

/** A token (RFC 6750), or a function that returns it for each request, retries included. */
export interface BearerAuth {
  readonly bearer: string | (() => string | Promise<string>)
}

/** A key in a header; the key may be a function that returns it for each request, retries included. */
export interface ApiKeyAuth<Header extends string = string> {
  readonly apiKey: string | (() => string | Promise<string>)
  readonly header: Header
}

type KeysOf<T> = T extends unknown ? keyof T : never

/** One type of a union, without the members that only others have. */
export type OneOf<T, All = T> = T extends unknown
  ? T & { readonly [Name in Exclude<KeysOf<All>, keyof T>]?: never }
  : never

/** The credentials of the caller, of one kind. */
export type ClientAuth = OneOf<BasicAuth | BearerAuth | ApiKeyAuth>

function headersOf(auth: ClientAuth): HeadersSource {
  return async () => {
    const { apiKey, header, username, password, bearer } = auth
    const kinds = [apiKey ?? header, username ?? password, bearer].filter((each) => each !== undefined)
    const source = apiKey ?? bearer
    const secret = typeof source === 'function' ? await source() : (source ?? (username || password))
    const isOne = kinds.length < 2 && !apiKey === !header && (username == null) === (password == null)
    // An environment variable that is not set, or is empty. The error of Headers would contain the secret.
    if (!isOne || !secret || /[\0\r\n]/.test(secret.trimEnd())) {
      const wrong = isOne ? 'is empty, or has a line break' : 'is incomplete, or several secrets'
      throw new TypeError(`auth: ${Object.keys(auth).join(' and ')} ${wrong}`)
    }
    if (header) return { [header]: secret }
    const pair = new TextEncoder().encode(`${username}:${password}`)
    return { Authorization: bearer ? `Bearer ${secret}` : `Basic ${btoa(String.fromCharCode(...pair))}` }
  }
}

/** How a request is sent: the platform's `fetch`, a service binding's, or `app.request` of a Hono app. */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>

/** Options for all calls of a client, or for some of them by `$with`. */
export interface CallOptions<Auth extends ClientAuth = ClientAuth> {
  /** Aborts the calls, which reject with its reason. One in `$with` applies in addition to that of the client. Default: none. */
  readonly signal?: AbortSignal
  /** Headers of each request; those in `$with` replace headers of the client by name. Default: none. */
  readonly headers?: HeadersSource
  /** The credentials of the caller, as headers of each request. Those in `$with` replace them; undefined: none. Default: none. */
  readonly auth?: Auth | undefined
  /**
   * Milliseconds that one attempt may take, its body included; beyond it a DOMException `TimeoutError`, as of
   * `AbortSignal.timeout()`. Of a subscription over `fetch`, that nothing may arrive, heartbeats included. Default, and 0: no limit.
   */
  readonly timeoutMs?: number
  /** How often, and after which delay, calls of idempotent procedures are sent again. A number is `attempts`. Default: those of Retries. */
  readonly retries?: number | Retries
  /**
   * Whether a subscription is made again when the connection was lost; items in between are missed. Default false: its iterator throws
   * the RpcTransportError. Over `fetch`, one whose events have ids is resumed in any case, as often as `retries`, and misses none.
   */
  readonly resubscribe?: boolean
}

/**
 * How calls are sent again; everything has a default. The delay doubles from `baseMs` to `maxMs`; the actual delay is random, between half of
 * that and the whole.
 */
export interface Retries {
  /** How often a call is sent again. Default 2. */
  readonly attempts?: number
  /** Milliseconds before the second attempt. Default 200. */
  readonly baseMs?: number
  /** The longest delay. If a server requires a longer one (Retry-After), the call is not sent again. Default 5000. */
  readonly maxMs?: number
}

/** The options of `createClient`. */
export interface ClientOptions<Auth extends ClientAuth = ClientAuth> extends CallOptions<Auth> {
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch
  /**
   * Further members of the `init` of every `fetch`: `credentials`, `mode`, `cache`, `keepalive` … `redirect` is `'manual'` by
   * default: a redirect rejects the call, since following one to another origin would send it the headers and the body.
   */
  readonly init?: Omit<RequestInit, 'body' | 'headers' | 'method' | 'signal'>
  /**
   * Sends calls that are made before the next timer runs as one batch. Default false. `maxSize` is the most calls of a request,
   * default 1000, the default limit of a server.
   */
  readonly batch?: boolean | { readonly maxSize?: number }
  /**
   * The most bytes of a response body, after decompression; reading stops beyond them and the call rejects with an
   * RpcTransportError. Default 64 MiB; `Infinity` for no limit.
   */
  readonly maxResponseBytes?: number
  /**
   * The procedures whose calls may be sent again if it is not known whether they have run. A list is added to those of the codec,
   * a function replaces them. Default: those of the codec, or none.
   */
  readonly idempotent?: readonly string[] | ((method: string) => boolean)
  /**
   * The procedures that are subscriptions: a call returns an AsyncIterable of the items. The list is added to those of the codec.
   * Default: those of the codec, or none.
   */
  readonly subscriptions?: readonly string[]
  /** Deviations of the server that are accepted. Default: none. */
  readonly compatibility?: ClientCompatibility
  /** How values that JSON cannot represent are sent. Default: in their JSON form. */
  readonly codec?: ClientCodec
  /** The protocol: `xmlRpc()`, `webSocket()` or `nats()`. Default: JSON-RPC 2.0 over `fetch`. */
  readonly transport?: Transport
}

/** Converts parameters and results. `tableCodec` makes one. */
export interface ClientCodec {
  /** Converts TypeScript values to those of the wire. `native`: the transport supports dates, bytes and integers itself. */
  encode(method: string, params: RpcParams, native: boolean): RpcParams
  /** Converts a result to TypeScript values. */
  decode(method: string, result: unknown): unknown
  /** Converts the data of an error in place; other data than the declared remains as it was received. Must not throw. */
  decodeError?(method: string, error: Error): void
  /** True if calls of the procedure may be sent again. */
  isIdempotent?(method: string): boolean
  /** True if the procedure returns an AsyncIterable. */
  isSubscription?(method: string): boolean
  /** Converts an item of a subscription to TypeScript values. */
  decodeItem?(method: string, item: unknown): unknown
}

/** A call as a transport sends it. */
export interface RpcCall {
  /** From 1 on; undefined for a notification, which has no response. */
  readonly id: number | undefined
  readonly method: string
  readonly params: RpcParams
}

/** Deviations of servers from JSON-RPC 2.0 that a client accepts. */
export interface ClientCompatibility {
  /**
   * Accepts responses of JSON-RPC 1.0 and 1.1: without `jsonrpc`, with `error: null` beside a result or `result: null` beside an
   * error, also if they declare 2.0. An error that is not an object with `code` and `message` has the code -32000, and is the `data`
   * of the RpcError. Requests stay those of 2.0. Default false.
   */
  readonly jsonRpc1?: boolean
}

/** The settings of a client that its transport needs. */
export interface TransportSettings {
  readonly url: string
  readonly headers: readonly HeadersSource[]
  readonly maxResponseBytes: number
  /** Milliseconds that the request may take; 0 for no limit. */
  readonly timeoutMs: number
  /** Deviations of servers that are accepted. */
  readonly compatibility?: ClientCompatibility | undefined
}

/** A protocol of a client, over HTTP POST if it has no `exchange`. */
export interface Transport {
  readonly contentType: string
  /** True if it represents Date, Uint8Array and bigint directly. */
  readonly native: boolean
  /**
   * Encodes a call, before it is known whether it is sent alone.
   *
   * @throws TypeError for a value that cannot be serialised
   */
  write(call: RpcCall): unknown
  /** Returns the body of a request: one encoded call, or a batch. */
  join(written: readonly unknown[], batch: boolean): string
  /**
   * Returns the result of each call in order, with an Error for a call that failed.
   *
   * @throws RpcTransportError if the response is not one of the protocol
   */
  read(
    response: TransportResponse,
    calls: readonly RpcCall[],
    batch: boolean,
    settings: TransportSettings,
  ): readonly unknown[] | PromiseLike<readonly unknown[]>
  /** Sends a body and resolves to the response. After an error that is not a TypeError, an idempotent call may be sent again. Default: `fetch`. */
  exchange?(
    body: string,
    calls: readonly RpcCall[],
    settings: TransportSettings,
    signal: AbortSignal,
  ): Promise<TransportResponse>
  /** Called when a call has ended, also before its response has arrived. Default: nothing. */
  end?(call: RpcCall): void
  /** Subscribes by a call of a client. Absent if the protocol has no notifications. */
  subscribe?(client: SubscribingClient, request: RpcRequest, options: SubscribeOptions): AsyncIterableIterator<unknown>
}

/** The options of a client, complete. Calls of the same settings may share a request. */
export interface ClientSettings extends TransportSettings {
  readonly fetch?: Fetch | undefined
  readonly init?: RequestInit | undefined
  /** The one of the headers that has the credentials. */
  readonly credentials?: HeadersSource | undefined
  readonly retries: Required<Retries>
  readonly resubscribe: boolean
  /** How many calls a request contains; 0 if calls are sent one by one. */
  readonly maxSize: number
  readonly codec?: ClientCodec | undefined
  readonly transport: Transport
  isIdempotent(method: string): boolean | undefined
  isSubscription(method: string): boolean | undefined
}

/** Returns the settings of a client; `withOptions` adds the options of some calls. */
export function settingsOfClient(url: string, options: ClientOptions, transport: Transport): ClientSettings {
  const { batch, codec, idempotent, subscriptions } = options
  return {
    ...options,
    url,
    transport,
    headers: [],
    timeoutMs: 0,
    resubscribe: false,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
    retries: { attempts: 2, baseMs: 200, maxMs: 5000 },
    maxSize: batch ? ((batch as { maxSize?: number }).maxSize ?? 1000) : 0,
    isIdempotent: (method) =>
      typeof idempotent === 'function'
        ? idempotent(method)
        : idempotent?.includes(method) || codec?.isIdempotent?.(method),
    isSubscription: (method) => subscriptions?.includes(method) || codec?.isSubscription?.(method),
  }
}

/** Returns the same object if only the signal differs: such calls continue to share a request. */
export function withOptions(settings: ClientSettings, options: CallOptions): ClientSettings {
  const { auth, headers, timeoutMs, retries, resubscribe } = options
  const isNew = 'auth' in options
  if (!isNew && (headers ?? timeoutMs ?? retries ?? resubscribe) === undefined) return settings
  const known = settings.credentials
  const credentials = isNew ? (auth === undefined ? auth : headersOf(auth)) : known
  const kept = settings.headers.filter((each) => !isNew || each !== known)
  return {
    ...settings,
    credentials,
    headers: [...kept, (isNew && credentials) || {}, headers ?? {}],
    timeoutMs: timeoutMs ?? settings.timeoutMs,
    resubscribe: resubscribe ?? settings.resubscribe,
    retries: { ...settings.retries, ...(typeof retries === 'number' ? { attempts: retries } : retries) },
  }
}
