import { HTTPException } from 'hono/http-exception'
import type { CompleteLimits } from '../call/limits.js'
import { plainText } from '../http/message.js'
import { isHostOf, parseOrigin } from '../http/origin.js'
import { checkedLater, count, interval, type OptionTable, shortText } from '../option-table.js'
import { isStruct } from '../values/predicates.js'
import { parseUrl } from '../values/url.js'

/** Options of `webSocket`; everything has a default. */
export interface WebSocketOptions {
  /**
   * Texts that clients send as heartbeats, with the reply to each; null for none: `{ ping: 'pong', pong: null, '': null }`. They are not
   * JSON-RPC, and are not calls; a text is matched as a whole, and has at most 1000 characters. Default: none.
   */
  readonly heartbeatTexts?: Readonly<Record<string, string | null>>
  /** Limits of each connection, listed below. `limits` of the server apply to messages and calls as over HTTP. Default: the default of each. */
  readonly limits?: ConnectionLimits
  /**
   * The origins of the pages that may connect, such as `https://example.org`: browsers do not ask the server before they connect
   * across origins, and send its cookies. A request without `Origin` is not from a browser, and accepted. Default `'same'`: the
   * host of the request; `'*'` for every origin.
   */
  readonly origins?: AllowedOrigins
  /**
   * Milliseconds between pings on Node, where a client that has not replied by the next one is disconnected; 0 for none. Bun, Deno
   * and Workers ping by themselves. Default 30,000.
   */
  readonly pingMs?: number
  /**
   * Milliseconds after which the predicates of a running subscription are called again; if they do not authorise its caller any more, it ends with
   * the error -32098, or -32099 if a later rule of `{ all }` rejects the caller. `context.request` is another Request object then, also for later
   * calls, so that `oncePerRequest` calls its predicate again. 0 for never. Default 60,000.
   */
  readonly reauthorizeMs?: number
}

/** The limits of one connection; everything has a default. */
export interface ConnectionLimits {
  /** Calls that run at once, entries of batches included; further ones wait. Default 100. */
  readonly calls?: number
  /**
   * Characters of messages that wait for calls to end, or for the client to read; beyond it the connection is closed with 1008.
   * A message counts as 256 more. Default 8 Mi.
   */
  readonly queue?: number
  /**
   * Characters of responses and notifications that wait for the client to read, beside those that the host has buffered; beyond it the
   * connection is closed with 1008. A text counts as 512 more. Default: `responseBytes` of the server and 4 Mi, so one response always fits.
   */
  readonly outbox?: number
  /** Subscriptions at once; a further one is rejected with -32600. Default 100. */
  readonly subscriptions?: number
}

/** The options with their defaults. */
export interface CompleteWebSocketOptions extends Required<Omit<WebSocketOptions, 'limits'>> {
  readonly limits: Required<ConnectionLimits>
}

/** What may wait to be sent beside one response. */
const OUTBOX_SLACK = 4 * 1024 * 1024

/** Returns a row for each option. @param server the limits of the server */
export function optionTableOf(server: CompleteLimits): OptionTable<WebSocketOptions, CompleteWebSocketOptions> {
  const limitTable: OptionTable<ConnectionLimits, Required<ConnectionLimits>> = {
    calls: count(100),
    queue: count(8 * 1024 * 1024),
    outbox: count(server.responseBytes + OUTBOX_SLACK),
    subscriptions: count(100),
  }
  return {
    heartbeatTexts: { initial: {}, expected: 'an object of texts and replies', accepts: isStruct },
    limits: { table: limitTable },
    origins: checkedLater('same'),
    pingMs: interval(30_000),
    reauthorizeMs: interval(60_000),
  }
}

/** The most characters of a heartbeat. */
export const MAX_HEARTBEAT = 1000

export function heartbeatsOf({ heartbeatTexts }: CompleteWebSocketOptions): ReadonlyMap<string, string | null> {
  for (const [text, reply] of Object.entries(heartbeatTexts)) {
    const option = `webSocket: heartbeatTexts[${shortText(text)}]`
    if (text.length > MAX_HEARTBEAT) throw new TypeError(`${option}: more than ${MAX_HEARTBEAT} characters`)
    if (reply !== null && typeof reply !== 'string') {
      throw new TypeError(`${option} is ${shortText(reply)}, expected the reply, a string, or null for none`)
    }
  }
  return new Map(Object.entries(heartbeatTexts))
}

/** Which pages may connect: those of the same host, every page, or those of the origins in a list. */
export type AllowedOrigins = 'same' | '*' | readonly string[]

/** @throws TypeError for what is not a choice of origins */
export function checkOrigins(origins: AllowedOrigins): void {
  if (origins === 'same' || origins === '*') return
  if (!Array.isArray(origins)) {
    throw new TypeError(`webSocket: origins is ${JSON.stringify(origins)}, expected 'same', '*' or a list of origins`)
  }
  for (const origin of origins) {
    if (originOf(origin) !== origin) {
      throw new TypeError(`webSocket: ${JSON.stringify(origin)} is not an origin, such as "https://example.org"`)
    }
  }
}

/** @throws HTTPException (403) if the page that connects is of an origin that is not allowed */
export function checkOrigin(request: { header(name: string): string | undefined }, allowed: AllowedOrigins): void {
  const origin = request.header('Origin')
  if (origin === undefined || allowed === '*') return
  if (allowed === 'same' ? isSameHost(origin, request.header('Host')) : allowed.includes(origin)) return
  const message = 'Forbidden origin'
  const { headers } = plainText(403, message)
  throw new HTTPException(403, { message, res: new Response(message, { status: 403, headers }) })
}

function originOf(text: unknown): string | undefined {
  return typeof text === 'string' ? parseUrl(text)?.origin : undefined
}

/** Not the scheme: a proxy that ends TLS changes it. A request without Host has none in common with any page. */
function isSameHost(origin: string, host: string | undefined): boolean {
  const page = parseOrigin(origin)
  return !!host && page !== undefined && isHostOf(page, host)
}
