import { checkLimit } from '../call/limits.js'

/** Options of `serveNats`. */
export interface NatsOptions {
  /** The name of the service, shared by its processes: letters, digits, `-` and `_`. */
  readonly name: string
  /** Its version, by SemVer: `1.4.0`. */
  readonly version: string
  /** What the service is, in a sentence. Default: `''`. */
  readonly description?: string
  /** What discovery reports of this process beside that: `{ region: 'eu' }`. Default: nothing. */
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

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError for an option with a wrong value
 * @throws RangeError if `maxMessages` is not a positive number
 */
export function completeOptions(options: NatsOptions): CompleteOptions {
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
