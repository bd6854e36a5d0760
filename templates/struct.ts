/**
 * Whether a value is a struct, as conditions. `constructor` is read where the type is checked, and not in a function for
 * all types: there the engine learns the shapes of one type only, and in a process with several types a check costs half.
 */
export function structGuards(value: string): string[] {
  return [`isObject(${value})`, `(${value}.constructor === Object || isStruct(${value}))`]
}

/** The opposite, as the condition of an `if`. */
export function noStruct(value: string): string {
  return `!isObject(${value}) || (${value}.constructor !== Object && !isStruct(${value}))`
}
