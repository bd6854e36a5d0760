// What every function with options checks of them.

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
  const [options] = passed
  if (typeof options === 'object' && options !== null) {
    checkNames(options, owner, names)
    return options
  }
  if (passed.length === 0) return undefined
  const found = typeof options === 'function' ? 'a function' : shortText(options)
  const why = options === undefined ? `. Options that are undefined here come from a value that ${missingExport}` : ''
  throw new TypeError(`${owner}: the options are ${found}, expected an object${why}`)
}

/** The names of all options, as keys so that the compiler reports a missing one. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/** @throws TypeError for an option that does not exist: a misspelt `auth` would leave a procedure open to everyone */
export function checkNames<Options extends object>(options: Options, owner: string, names: OptionNames<Options>): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(names, name))
  if (unknown === undefined) return
  const known = Object.keys(names).sort().join(', ')
  throw new TypeError(`${owner}: unknown option ${shortText(unknown)}; the options are ${known}`)
}

/** Returns a value as a few words: text in quotes. */
export function shortText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60))
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
