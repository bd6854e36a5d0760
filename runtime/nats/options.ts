import { completeOptions, count, type OptionRow, type OptionTable } from '../option-table.js'
import { isStruct } from '../values/predicates.js'

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
  /** Resolves when the connection is closed. */
  closed(): Promise<unknown>
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
   * Messages that a process handles at once, in which a batch counts as one; a further one is rejected with -32000 and not handled, so
   * that the caller may send it again. Default 10,000.
   */
  readonly maxMessages?: number
}

/** Options with their defaults. */
export type CompleteNatsOptions = Required<NatsOptions>

/** https://semver.org: three numbers, a prerelease, build metadata. */
const semVer =
  /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/

const tokens = /^[^\s.*>]+(?:\.[^\s.*>]+)*$/

const optionTable: OptionTable<NatsOptions, NatsOptions & Required<Omit<NatsOptions, 'subject'>>> = {
  name: { ...matching(/^[\w-]+$/, 'letters, digits, "-" and "_"'), isRequired: true },
  version: { ...matching(semVer, 'a version such as "1.4.0"'), isRequired: true },
  description: { ...matching(/^/, 'a string'), initial: '' },
  metadata: { initial: {}, expected: 'an object of strings', accepts: isRecordOfStrings },
  subject: matching(tokens, 'a subject without spaces and wildcards, such as "tools.rpc"'),
  queue: { ...matching(tokens, 'a name without spaces and wildcards'), initial: 'q' },
  maxMessages: count(10_000),
}

/** A string that matches. */
function matching(pattern: RegExp, expected: string): OptionRow<string> {
  return { expected, accepts: (value) => typeof value === 'string' && pattern.test(value) }
}

function isRecordOfStrings(value: unknown): boolean {
  return isStruct(value) && Object.values(value).every((each) => typeof each === 'string')
}

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError for an option with a wrong value, and without a name or a version
 * @throws RangeError if `maxMessages` is not a positive integer
 */
export function completeNatsOptions(options: NatsOptions): CompleteNatsOptions {
  const checked = completeOptions(options, 'serveNats', optionTable)
  return { subject: checked.name, ...checked }
}
