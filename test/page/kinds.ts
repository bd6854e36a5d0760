import type { Double, Int } from 'rpc-gen'

// A procedure for every kind of type, and for names that a client has itself: the page's code for each is compiled and
// run. Compiled by the tests. The enums are only declared, which is all that their types need.

export declare enum Color {
  red = 'red',
  green = 'green',
}

export declare enum Level {
  low = 1,
  high = 2,
}

/** A type with a name, and much in it. */
export interface Parcel {
  id: bigint
  sent: Date
  label: Uint8Array
  color: Color
  level: Level
  tags: Set<'new' | 'old'>
  weights: Map<string, Double>
  stops: Map<string, { at: Date; codes: Set<bigint> }>
  home: URL
  parts: Parcel[]
  next: Parcel | null
  note?: string
  'odd-name': boolean | Date
}

/** @rpc kinds.scalars */
export function scalars(int: Int, double: Double, number: number, text: string, flag: boolean, none: null): string {
  return [int, double, number, text, flag, none].join()
}

/** @rpc kinds.dates */
export function dates(date: Date, all: Date[], bytes: Uint8Array, url: URL): Date {
  return all[0] ?? new Date(Number(date) + bytes.length + url.href.length)
}

/** @rpc kinds.bigints */
export function bigints(id: bigint, all: Set<bigint>, literal: 5n, more: (bigint | null)[]): bigint {
  return id + BigInt(all.size + more.length) + literal
}

/** @rpc kinds.collections */
export function collections(
  set: Set<string>,
  map: Map<string, Int>,
  dates: Map<string, Date | null>,
  nested: Map<string, Map<string, Set<Color>>>,
  record: Record<string, bigint>,
): Map<string, Set<string>> {
  return new Map([[`${map.size} ${dates.size} ${nested.size} ${Object.keys(record).length}`, set]])
}

/** @rpc kinds.enums */
export function enums(color: Color, level: Level, either: 'a' | 1 | true, code: `job-${number}`): Color {
  if (!level || !either || !code) throw new TypeError('no level')
  return color
}

/** @rpc kinds.tuples */
export function tuples(pair: [Date, bigint?, ...Double[]], list: readonly [Color, Set<Int>][]): number {
  return pair.length + list.length
}

/** @rpc kinds.structs */
export function structs(parcel: Parcel, inline: { when: Date; by: { names: Set<string> } }): Parcel {
  return inline.when > parcel.sent ? parcel : { ...parcel, sent: inline.when }
}

/**
 * An example whose values are longer than the line.
 *
 * @example
 * example({ id: '9007199254740993', sent: '2026-01-31T12:00:00Z', label: 'aGVsbG8=', color: 'green', level: 2, tags: ['new', 'old'], weights: { a: 1.5, b: 2 }, stops: { x: { at: '2026-01-31T12:00:00Z', codes: ['1', '2'] } }, home: 'https://example.com/', parts: [], next: null, 'odd-name': true }, [])
 * @rpc kinds.example
 */
export function example(parcel: Parcel, none: Set<string>): bigint {
  return parcel.id + BigInt(none.size)
}

/** @rpc kinds.leftOut */
export function leftOut(first: Int | undefined, when: Date | undefined, last: string): string {
  return `${first} ${when} ${last}`
}

/** @rpc kinds.skipped */
export function skipped(first: Date = new Date(0), last: string): string {
  return `${first.getTime()} ${last}`
}

/** @rpc kinds.rest */
export function rest(unit: unknown, ...dates: Date[]): number {
  return unit ? dates.length : 0
}

/** @rpc kinds.overloads */
export function overloads(amount: Int, currency: Color): string
export function overloads(text: Date): string
export function overloads(first: Int | Date, currency?: Color): string {
  return `${first} ${currency}`
}

/** @rpc kinds.ticks */
export async function* ticks(since: Date, codes: Set<Int>): AsyncGenerator<{ at: Date; code: Int }> {
  for (const code of [...codes, 7]) yield { at: since, code }
}

/** @rpc kinds.then */
export function andThen(when: Date): Date {
  return when
}

/** @rpc kinds.toString */
export function asText(all: Map<string, Set<Color>>, more: bigint): bigint {
  return more + BigInt(all.size)
}

/** @rpc kinds.constructor */
export function built(): string {
  return 'built'
}

/** @rpc kinds.call */
export function called(who: string): string {
  return who
}

/** @rpc kinds.name */
export function named(who: string): string {
  return who
}

/** @rpc $cost */
export function cost(of: Set<Int>): Int {
  return of.size
}
