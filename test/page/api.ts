import { type Double, type Int, RpcError } from 'rpc-gen'

// An API with every kind of type, as the page has to show it. Compiled by the tests.

/** A street and what is around it. */
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

/** How somebody pays. */
export interface Card {
  kind: 'card'
  /**
   * @minLength 12
   * @maxLength 19
   */
  number: string
  expires: Date
}

/** Money from an account. */
export interface Transfer {
  kind: 'transfer'
  iban: string
}

/** Money for a job: by card or from an account. */
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
 * Takes on a job.
 *
 * The workshop looks at `priority` first, then at `start`:
 *
 * - **high** is done on the same day
 * - normal is done [within a week](https://example.com/terms)
 *
 * @param job What is to be done
 * @param note A word for the workshop
 * @returns The job as it was written down
 * @throws RpcError 409 when there is no room on that day
 * @example
 * job.take({ title: 'Fence', start: '2026-03-01T08:00:00Z', hours: 8, rate: 52.5, urgent: false, priority: 'normal', payment: { kind: 'transfer', iban: 'DE02120300000000202051' }, serial: '9007199254740993', tags: ['wood'], extras: { paint: 12.5 } }, 'Ring twice')
 * @rpc job.take
 */
export function takeJob(job: Job, note?: string): Job {
  if (job.title === 'full') throw new RpcError(409, 'No room on that day', { data: { note: note ?? null } })
  return job
}

/**
 * Says when a job is done.
 *
 * @param start The first day
 * @param hours How long it takes
 * @returns The last day
 * @rpc job.done
 */
export function done(start: Date, hours: Int = 8): Date {
  return new Date(start.getTime() + hours * 3_600_000)
}

/**
 * Keeps a photo and answers it.
 *
 * @param photo Any picture
 * @param taken When it was taken
 * @rpc job.photo
 */
export function keepPhoto(photo: Uint8Array, taken?: Date): { photo: Uint8Array; size: Int; taken: Date | null } {
  return { photo, size: photo.length, taken: taken ?? null }
}

/**
 * Counts the parts of a part, itself too.
 *
 * @param part The whole
 * @rpc part.count
 */
export function countParts(part: Part): Int {
  return 1 + part.parts.reduce((sum, each) => sum + countParts(each), 0)
}

/**
 * Answers what it is sent, of the types that are rarer.
 *
 * @param position Two numbers, and more where there are more dimensions
 * @param link An address on the web
 * @param code Begins with `job-`
 * @param limits By name
 * @param anything Whatever JSON has
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
 * Adds up.
 *
 * @param unit What is added up
 * @param amounts As many as there are
 * @rpc
 */
export function sum(unit: 'EUR' | 'CHF', ...amounts: Double[]): string {
  return `${amounts.reduce((total, each) => total + each, 0)} ${unit}`
}

/**
 * Does nothing, over XML-RPC alone.
 *
 * @deprecated Use sum
 * @since 0.3
 * @protocol xml-rpc
 * @rpc
 */
export function nothing(): void {}

/**
 * Goes wrong inside.
 *
 * @rpc
 */
export function fail(): string {
  throw new Error('a secret of the server')
}
