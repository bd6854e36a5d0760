import type { Source } from './source.js'

// What nearly every client writes, several tags at a time: an expression passes over them in a fraction of the time that
// they take one by one. What does not match is no error: it is read tag by tag. All are sticky and linear.

const gap = '[ \\t\\r\\n]*'

/** Text that stands for itself: nothing to decode, no `]` that may be of a `]]>`, no character that has to be looked at. */
const plain = '[^<&\\]\\r\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\ud800-\\udfff\\ufffe\\uffff]*'

/** From the beginning up to the name of the method. */
export const callStart: RegExp = sticky(
  `(?:<\\?xml version=(?:"1\\.0"|'1\\.0')(?: encoding=(?:"[A-Za-z][\\w-]*"|'[A-Za-z][\\w-]*'))? ?\\?>)?${gap}<methodCall>${gap}<methodName>`,
)
/** From the name of the method up to the parameters. */
export const paramsStart: RegExp = sticky(`</methodName>${gap}<params>`)
export const paramStart: RegExp = sticky(`${gap}<param>${gap}<value>`)
export const paramEnd: RegExp = sticky(`${gap}</param>`)
export const elementStart: RegExp = sticky(`${gap}<value>`)
export const memberStart: RegExp = sticky(`${gap}<member>${gap}<name>`)
/** From the name of a member up to its value. */
export const memberMiddle: RegExp = sticky(`</name>${gap}<value>`)
export const memberEnd: RegExp = sticky(`${gap}</member>`)
/** Behind a `<value>`, up to the end of it: what `readShortValue` reads. */
export const shortValue: RegExp = sticky(
  `<(?:string>${plain}</string|int>-?\\d{1,15}</int|i4>-?\\d{1,15}</i4|double>-?\\d+\\.\\d+</double|boolean>[01]</boolean)></value>`,
)
/** Any tag without attributes. */
export const tag: RegExp = sticky('<[A-Za-z][\\w.]*>')
/** Text up to the next tag. */
export const plainText: RegExp = sticky(`${plain}(?=<[^!?])`)
/** White space, or none. */
export const space: RegExp = sticky(gap)
/** The same, up to the next tag. */
export const spaceAlone: RegExp = sticky(`${gap}(?=<[^!?])`)

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, 'y')
}

/** Moves over what matches; nothing moves where it does not. */
export function passes(source: Source, pattern: RegExp): boolean {
  pattern.lastIndex = source.at
  if (!pattern.test(source.text)) return false
  source.at = pattern.lastIndex
  source.empty = false
  return true
}
