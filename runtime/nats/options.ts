import { checkLimit } from '../call/limits.js'
import { checkNames } from '../call/options.js'

// The members have the names of @nats-io/nats-core, which is not imported.

/** A connection of `@nats-io/transport-node`, or another one of `@nats-io/nats-core`. */
export interface NatsConnection {
  /** The NATS server, once connected. */
  readonly info?: { readonly max_payload: number; readonly headers?: boolean }
  /** Subscribes to a subject. */
  subscribe(subject: string, options: SubscribeOptions): NatsSubscription
  /** Resolves when the NATS server has received everything that was sent. */
  flush(): Promise<void>
  /** True if the connection is closed. */
  isClosed(): boolean
}

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /** The queue group. Default: none, every subscription gets each message. */
  readonly queue?: string
  /** Called for each message, or with the error of the subscription. */
  callback(error: Error | null, message: NatsMessage): void
}

/** A subscription. */
export interface NatsSubscription {
  /** Unsubscribes, and resolves when the last message that was sent to it has reached the callback. */
  drain(): Promise<void>
}

/** A message as NATS delivers it. */
export interface NatsMessage {
  readonly subject: string
  /** The subject of the response; absent or `''` if none is expected. */
  readonly reply?: string
  readonly data: Uint8Array
  readonly headers?: NatsHeaders
  /** Sends a response; false if none is expected. */
  respond(payload?: Uint8Array | string, options?: { readonly headers?: NatsHeaders }): boolean
}

/** Headers of a message; a name may have several values. */
export interface NatsHeaders {
  /** Returns the names. */
  keys(): string[]
  /** Returns the values of a name. */
  values(name: string): string[]
}

/** Options of `serveNats`. */
export interface NatsOptions {
  /** The name of the service, shared by its processes: letters, digits, `-` and `_`. */
  readonly name: string
  /** Its version, by SemVer: `1.4.0`. */
  readonly version: string
  /** A description of the service in one sentence. Default: `''`. */
  readonly description?: string
  /** Further metadata of this process for discovery: `{ region: 'eu' }`. Default: none. */
  readonly metadata?: Readonly<Record<string, string>>
  /** The subject that messages are sent to, without wildcards. Default: the name. */
  readonly subject?: string
  /** The queue group: each message is delivered to one of its processes. Default `'q'`, as of every NATS service. */
  readonly queue?: string
  /**
   * Messages that a process handles at once; a further one is rejected with -32000 and not handled, so that the caller may send it
   * again. Default 10,000.
   */
  readonly maxMessages?: number
}

/** Options with their defaults. */
export type CompleteOptions = Required<NatsOptions>

const optionNames = {
  name: true,
  version: true,
  description: true,
  metadata: true,
  subject: true,
  queue: true,
  maxMessages: true,
} as const

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError for an option with a wrong value
 * @throws RangeError if `maxMessages` is not a positive number
 */
export function completeOptions(options: NatsOptions): CompleteOptions {
  checkNames(options, 'serveNats', optionNames)
  const { name, version, description = '', metadata = {}, subject = name, queue = 'q', maxMessages = 10_000 } = options
  check('name', name, /^[\w-]+$/, 'letters, digits, "-" and "_"')
  check('version', version, semVer, 'a version such as "1.4.0"')
  check('subject', subject, tokens, 'a subject without spaces and wildcards, such as "tools.rpc"')
  check('queue', queue, tokens, 'a name without spaces and wildcards')
  check('description', description, /^/, 'a string')
  if (typeof metadata !== 'object' || !Object.values(metadata).every((value) => typeof value === 'string')) {
    throw new TypeError('serveNats: metadata is not an object of strings')
  }
  checkLimit('maxMessages', maxMessages, 'serveNats: ')
  return { name, version, description, metadata, subject, queue, maxMessages }
}

/** https://semver.org: three numbers, a prerelease, build metadata. */
const semVer =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/

const tokens = /^[^\s.*>]+(?:\.[^\s.*>]+)*$/

function check(name: string, value: unknown, pattern: RegExp, expected: string): void {
  if (typeof value === 'string' && pattern.test(value)) return
  throw new TypeError(`serveNats: ${name} is ${JSON.stringify(value)}, expected ${expected}`)
}
