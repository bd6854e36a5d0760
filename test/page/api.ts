import { type Double, type Int, type Pattern, type RpcContext, RpcError } from 'rpc-gen'

// An API with every kind of type, for the tests of the docs page, which compile it.

/** A postal address. */
export interface Address {
  street: string
  city: string
  /**
   * Five digits.
   *
   * @pattern ^\d{5}$
   */
  zip?: string
}

/** A payment by card. */
export interface Card {
  kind: 'card'
  /**
   * @minLength 12
   * @maxLength 19
   */
  number: string
  expires: Date
}

/** A payment from an account. */
export interface Transfer {
  kind: 'transfer'
  iban: string
}

/** The payment for a job. */
export type Payment = Card | Transfer

export type Priority = 'low' | 'normal' | 'high'

/** A job for the workshop. */
export interface Job {
  title: string
  /** The first day of work. */
  start: Date
  /**
   * Hours.
   *
   * @minimum 1
   * @maximum 80
   */
  hours: Int
  rate: Double
  urgent: boolean
  priority: Priority
  photo?: Uint8Array
  address?: Address
  payment: Payment | null
  serial: bigint
  tags: Set<string>
  extras: Record<string, Double>
}

/** A part, and the parts that it is made of. */
export interface Part {
  name: string
  parts: Part[]
  spare?: Part
}

/**
 * Accepts a job.
 *
 * Jobs are ordered by `priority`, then by `start`:
 *
 * - **high** is done on the same day
 * - normal is done [within a week](https://example.com/terms)
 *
 * @param job The work to do
 * @param note A note for the workshop
 * @returns The accepted job
 * @throws RpcError 409 if that day is full
 * @example
 * job.take({ title: 'Fence', start: '2026-03-01T08:00:00Z', hours: 8, rate: 52.5, urgent: false, priority: 'normal', payment: { kind: 'transfer', iban: 'DE02120300000000202051' }, serial: '9007199254740993', tags: ['wood'], extras: { paint: 12.5 } }, 'Ring twice')
 * @rpc job.take
 */
export function takeJob(job: Job, note?: string): Job {
  if (job.title === 'full') throw new RpcError(409, 'No room on that day', { data: { note: note ?? null } })
  return job
}

/**
 * Returns the last day of a job.
 *
 * @param start The first day
 * @param hours Hours of work
 * @returns The last day
 * @rpc job.done
 */
export function done(start: Date, hours: Int = 8): Date {
  return new Date(start.getTime() + hours * 3_600_000)
}

/**
 * Stores a photo and returns it.
 *
 * @param photo The bytes of the picture
 * @param taken The date of the picture
 * @rpc job.photo
 */
export function keepPhoto(photo: Uint8Array, taken?: Date): { photo: Uint8Array; size: Int; taken: Date | null } {
  return { photo, size: photo.length, taken: taken ?? null }
}

/**
 * Follows the work on a job.
 *
 * @param steps The number of steps
 * @yields Each step
 * @idempotent
 * @rpc job.follow
 */
export async function* followJob(steps: Int, { signal }: RpcContext): AsyncGenerator<{ step: Int; at: Date }> {
  for (let step = 1; step <= steps; step++) yield { step, at: new Date(0) }
  if (steps === 1) throw new RpcError(410, 'The job is cancelled')
  if (steps > 2) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

/** Lets in who knows the word. */
export function isClerk(request: Request): boolean {
  return request.headers.get('authorization') === 'Bearer word'
}

/**
 * Returns the state of a job.
 *
 * @param code Letters and digits in groups
 * @auth isClerk
 * @idempotent
 * @rpc job.state
 */
export function stateOf(code: string & Pattern<'^[A-Z0-9-]+$'>): string {
  return code
}

/**
 * Counts the parts of a part, including itself.
 *
 * @param part The part to count
 * @rpc part.count
 */
export function countParts(part: Part): Int {
  return 1 + part.parts.reduce((sum, each) => sum + countParts(each), 0)
}

/**
 * Returns its arguments, which have the less common types.
 *
 * @param position Two coordinates, or more
 * @param link A web address
 * @param code Starts with `job-`
 * @param limits By name
 * @param anything Any JSON value
 * @rpc rare.types
 */
export function rareTypes(
  position: [Double, Double, ...Double[]],
  link: URL,
  code: `job-${string}`,
  limits: Map<string, Int>,
  anything: unknown,
): unknown[] {
  return [position, link, code, limits, anything]
}

/**
 * Adds amounts.
 *
 * @param unit The currency
 * @param amounts Any number of amounts
 * @rpc
 */
export function sum(unit: 'EUR' | 'CHF', ...amounts: Double[]): string {
  return `${amounts.reduce((total, each) => total + each, 0)} ${unit}`
}

/**
 * Does nothing; over XML-RPC only.
 *
 * @deprecated Use sum
 * @since 0.3
 * @protocol xml-rpc
 * @rpc
 */
export function nothing(): void {}

/**
 * Fails with an internal error.
 *
 * @rpc
 */
export function fail(): string {
  throw new Error('a secret of the server')
}
