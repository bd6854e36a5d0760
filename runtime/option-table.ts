// What every function with options checks of them: a table has a row for each option, with its default, what it accepts and the words for that.
//
//   completeOptions({ calls: 0 }, 'serveLines', table)  →  RangeError: serveLines: calls is 0, expected a positive integer

/** Why a value may be undefined where it is used. */
export const missingExport = 'is not exported, or its module is part of an import cycle and still loading'

/**
 * Returns the options that a function was passed, or undefined if it was passed none. An argument with the value
 * undefined is an error, because its `auth` would be dropped silently.
 *
 * @param passed the arguments from the options on
 * @param owner the function, for the error: `RpcServer`
 * @param names the names of all options
 * @throws TypeError if the argument is not an object, or has an option that does not exist
 */
export function optionsIn<Options extends object>(
  passed: readonly [Options?],
  owner: string,
  names: OptionNames<Options>,
): Options | undefined {
  if (passed.length > 0) checkNames(passed[0], owner, names)
  return passed[0]
}

/** The names of all options, as keys so that the compiler reports a missing one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, unknown>>

/** What there is to know of one option. */
export interface OptionRow<T> {
  /** The value where the option is absent or undefined; absent for none. */
  readonly initial?: T
  /** The values that it accepts, in the words of an error: `true or false`. */
  readonly expected: string
  accepts(value: unknown): boolean
  /** True if another value is a RangeError. Default false: a TypeError. */
  readonly isRange?: boolean
  /** True if undefined is an error too. Default false. */
  readonly isRequired?: boolean
}

/** A row with a default. */
export interface DefaultRow<T> extends OptionRow<T> {
  readonly initial: T
}

/** A row of an option that is an object of options, each of which has a row too. Absent, it has all of their defaults. */
interface NestedRow<Options extends object, Complete extends Options> {
  readonly table: OptionTable<Options, Complete>
}

/**
 * A row for each option; the compiler reports a missing one, and a missing default of those that are not undefined in `Complete`, the
 * options with their defaults.
 */
export type OptionTable<Options extends object, Complete extends Options = Options> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name]
    ? RowOf<Exclude<Options[Name], undefined>, Complete[Name]>
    : OptionRow<Options[Name]>
}

type RowOf<Value, Complete> = undefined extends Complete
  ? OptionRow<Value>
  : DefaultRow<Complete> | ([Complete] extends [Value & object] ? NestedRow<Value & object, Complete> : never)

/**
 * Returns the options with their defaults.
 *
 * @param owner the function, for errors, and the option that contains these: `RpcServer`, `RpcServer: limits`
 * @throws TypeError for options that are not an object, and one that does not exist; TypeError or RangeError for a value that is not accepted
 */
export function completeOptions<Options extends object, Complete extends Options = Options>(
  options: Options,
  owner: string,
  table: OptionTable<Options, Complete>,
): Complete {
  checkNames(options, owner, table)
  const path = owner + (owner.includes(':') ? '.' : ': ')
  const complete: Record<string, unknown> = {}
  for (const [name, row] of Object.entries<OptionRow<unknown> | NestedRow<object, object>>(table)) {
    const value: unknown = options[name as keyof Options]
    if ('table' in row) {
      complete[name] = completeOptions(value === undefined ? {} : (value as object), path + name, row.table)
      continue
    }
    checkOption(value, path + name, row)
    const used = value === undefined ? row.initial : value
    if (used !== undefined) complete[name] = used
  }
  return complete as Complete
}

/** @throws TypeError or RangeError for the first option with a value that it does not accept */
export function checkOptions<Names extends string>(
  options: { readonly [Name in Names]?: unknown },
  owner: string,
  table: Readonly<Record<Names, OptionRow<unknown>>>,
): void {
  for (const name of Object.keys(table) as Names[]) checkOption(options[name], `${owner}: ${name}`, table[name])
}

/** @throws TypeError or RangeError for a value that the option does not accept */
export function checkOption(value: unknown, option: string, row: OptionRow<unknown>): void {
  const { accepts, expected, isRange, isRequired } = row
  if (value === undefined ? !isRequired : accepts(value)) return
  throw new (isRange ? RangeError : TypeError)(`${option} is ${shortText(value)}, expected ${expected}`)
}

// Rows of the same kind

/** An option that is on or off. */
export function flag(initial: boolean): DefaultRow<boolean> {
  return { initial, expected: 'true or false', accepts: (value) => typeof value === 'boolean' }
}

/** One of several values, without a default. */
export function oneOf<T extends string>(...choices: readonly T[]): OptionRow<T> {
  const quoted = choices.map((each) => `'${each}'`)
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
  return { expected, accepts: (value) => choices.includes(value as T) }
}

/** One of several values; the first one is the default. */
export function choice<T extends string>(...choices: readonly [T, ...T[]]): DefaultRow<T> {
  return { ...oneOf(...choices), initial: choices[0] }
}

/** A number of things, from 1 to the largest that works. Where all work, `Infinity` is no limit. */
export function count(initial: number, largest = Number.POSITIVE_INFINITY, reason = ''): DefaultRow<number> {
  return {
    initial,
    expected: reason ? `a positive integer of at most ${largest}: ${reason}` : 'a positive integer',
    accepts: (value) =>
      (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && Number(value) > 0 && Number(value) <= largest,
    isRange: true,
  }
}

/** Milliseconds of a timer, or 0 for none. */
export function interval(initial: number): DefaultRow<number> {
  return {
    initial,
    expected: '0 or a positive number below 2^31',
    accepts: (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
    isRange: true,
  }
}

/** An object of the user; `expected` has the words for it. */
export function objectRow<T extends object>(expected: string): OptionRow<T> {
  return { expected, accepts: (value) => typeof value === 'object' && value !== null }
}

/** An option that is not checked by its row, but where it is used. */
export function checkedLater<T>(): OptionRow<T>
export function checkedLater<T>(initial: T): DefaultRow<T>
export function checkedLater<T>(initial?: T): OptionRow<T> {
  return { ...(initial !== undefined && { initial }), expected: '', accepts: () => true }
}

/**
 * @param owner the function, or the option that contains these: `RpcServer`, `RpcServer: limits`
 * @throws TypeError for options that are not an object, and one that does not exist: a misspelt `auth` would leave a procedure open to everyone
 */
export function checkNames<Options extends object>(
  options: Partial<Options> | undefined,
  owner: string,
  names: OptionNames<Options>,
): void {
  if (typeof options !== 'object' || options === null) {
    const found = `${owner}${owner.includes(':') ? ' is' : ': the options are'} ${shortText(options)}, expected an object`
    const why = options === undefined ? `. Options that are undefined here come from a value that ${missingExport}` : ''
    throw new TypeError(found + why)
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return
  const value: unknown = options[unknown as keyof Options]
  const isProcedure = typeof value === 'object' && (value as { readonly name?: unknown } | null)?.name === unknown
  const known =
    isProcedure && Object.hasOwn(names, 'procedures')
      ? `it is a procedure: write new ${owner}({ procedures })`
      : `the options are ${Object.keys(names).sort().join(', ')}`
  throw new TypeError(`${owner}: unknown option ${shortText(unknown)}; ${known}`)
}

/** Returns a value as a few words: text in quotes. */
export function shortText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
