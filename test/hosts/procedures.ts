// The procedures for tests of hosts, besides the wire fixtures' procedures.
import { type Int, type RpcContext, withEventId } from 'rpc-gen'

/** @rpc */
export function add(a: Int, b: Int): Int {
  return a + b
}

/** The names of the reasons for which calls were aborted. */
const aborted: string[] = []

/** What the server sees of the request. */
interface Seen {
  readonly url: string
  readonly method: string
  readonly header: string | null
}

/**
 * Its signal must not abort: the call ends at once.
 *
 * @rpc
 */
export function where({ request, signal }: RpcContext): Seen {
  signal.addEventListener('abort', () => aborted.push('where'))
  return { url: request.url, method: request.method, header: request.headers.get('X-Test') }
}

/**
 * Whether `context.env` has a key, and `context.executionContext` is there.
 *
 * @rpc
 */
export function platform(key: string, { env, executionContext }: RpcContext): [hasKey: boolean, canWait: boolean] {
  return [typeof env === 'object' && env !== null && key in env, typeof executionContext?.waitUntil === 'function']
}

/** True if the request has the token. */
export function hasToken(request: Request): boolean {
  return request.headers.get('Authorization') === 'Bearer sesame'
}

/**
 * @rpc
 * @auth hasToken
 */
export function secret(): string {
  return 'open'
}

let waiting: (() => void)[] = []

/**
 * Returns when `people` calls have arrived, and some time has passed.
 *
 * @rpc
 */
export async function meet(people: Int, ms: Int = 0): Promise<Int> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === people) setTimeout(leave, ms)
  })
  return people
}

function leave(): void {
  for (const each of waiting) each()
  waiting = []
}

/**
 * How many calls wait.
 *
 * @rpc
 */
export function meeting(): Int {
  return waiting.length
}

let hanging = 0

/**
 * Returns never: the client has to leave.
 *
 * @rpc
 */
export async function hang({ signal }: RpcContext): Promise<void> {
  hanging += 1
  // A promise that nothing can settle is an error of workerd's.
  setTimeout(() => {}, 60_000)
  await new Promise<void>((_, reject) => {
    signal.addEventListener('abort', () => {
      aborted.push(signal.reason?.name)
      reject(signal.reason)
    })
  })
}

/**
 * How many calls hang or hung, and the names of the reasons for which they were aborted.
 *
 * @rpc
 */
export function hangs(): [calls: Int, aborted: string[]] {
  return [hanging, aborted]
}

/**
 * Sends the numbers from 1 on as notifications.
 *
 * @rpc
 */
export async function countUp(to: Int, { notify }: RpcContext): Promise<boolean> {
  for (let at = 1; at <= to; at += 1) await notify?.('count', [at])
  return notify !== undefined
}

let produced = 0
const ended: string[] = []

/**
 * Texts of a size, until the client leaves; after the first one it waits for that if the size is 0.
 *
 * @rpc
 */
export async function* produce(size: Int, { signal }: RpcContext): AsyncGenerator<string> {
  produced = 0
  try {
    for (;;) {
      produced += 1
      yield 'x'.repeat(size)
      if (size === 0) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
  } finally {
    ended.push(signal.aborted ? signal.reason.name : 'returned')
  }
}

/**
 * How many texts were requested of the last stream, and how the streams have ended.
 *
 * @rpc
 */
export function production(): [produced: Int, ended: string[]] {
  return [produced, ended]
}

/**
 * The numbers from 1 on, or from the last event id on.
 *
 * @rpc
 */
export async function* countTo(to: Int, { lastEventId }: RpcContext): AsyncGenerator<Int> {
  for (let at = Number(lastEventId ?? 0) + 1; at <= to; at += 1) yield withEventId(at, at)
}
