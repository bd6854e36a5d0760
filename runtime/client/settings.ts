import { json } from './json.js'
import type { CallOptions, ClientCodec, ClientOptions, Fetch, HeadersSource, Retries } from './options.js'
import type { ClientCompatibility, Transport } from './transport.js'

/** The options of a client, complete. Calls of the same settings may share a request. */
export interface Settings {
  readonly url: string
  readonly fetch?: Fetch | undefined
  readonly init?: RequestInit | undefined
  readonly headers: readonly HeadersSource[]
  readonly timeoutMs: number
  readonly retries: Retries
  readonly resubscribe: boolean
  readonly maxResponseBytes: number
  /** How many calls a request contains; 0 if calls are sent one by one. */
  readonly maxSize: number
  readonly codec?: ClientCodec | undefined
  readonly compatibility?: ClientCompatibility | undefined
  readonly transport: Transport
  isIdempotent(method: string): boolean | undefined
  isSubscription(method: string): boolean | undefined
}

/** Without those that `withOptions` puts in. */
export function completeOptions(url: string, options: ClientOptions): Settings {
  const { batch, codec, idempotent, subscriptions } = options
  return {
    ...options,
    url,
    transport: options.transport ?? json,
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
export function withOptions(settings: Settings, { headers, timeoutMs, retries, resubscribe }: CallOptions): Settings {
  if ((headers ?? timeoutMs ?? retries ?? resubscribe) === undefined) return settings
  return {
    ...settings,
    headers: [...settings.headers, headers ?? {}],
    timeoutMs: timeoutMs ?? settings.timeoutMs,
    resubscribe: resubscribe ?? settings.resubscribe,
    retries: { ...settings.retries, ...(typeof retries === 'number' ? { attempts: retries } : retries) },
  }
}
