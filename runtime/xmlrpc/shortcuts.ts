import { type Cursor, passes } from './cursor.js'
import { copyOf, gap, plain } from './text.js'

// What nearly every client writes, several tags at a time: a pattern passes over them in a fraction of the time that they
// take one by one. What does not match is no error: nothing is read, and it is read tag by tag. All are sticky and linear.
// The gains are those of bench/sections/xml.mjs, in the time of reading.

// Without these four a small call takes twice as long.

/** From the beginning up to the name of the method. */
export const callStart: RegExp = sticky(
  `(?:<\\?xml version=(?:"1\\.0"|'1\\.0')(?: encoding=(?:"[A-Za-z][\\w-]*"|'[A-Za-z][\\w-]*'))? ?\\?>)?${gap}<methodCall>${gap}<methodName>`,
)
/** From the name of the method up to the parameters. */
export const paramsStart: RegExp = sticky(`</methodName>${gap}<params>`)
export const paramStart: RegExp = sticky(`${gap}<param>${gap}<value>`)
export const paramEnd: RegExp = sticky(`${gap}</param>`)

/** Without it 10,000 ints take 1.75 times as long. */
export const elementStart: RegExp = sticky(`${gap}<value>`)

// Without these three, structs take 1.8 to 2.2 times as long; without the last one 1.1 times.

export const memberStart: RegExp = sticky(`${gap}<member>${gap}<name>`)
/** From the name of a member up to its value. */
export const memberMiddle: RegExp = sticky(`</name>${gap}<value>`)
export const memberEnd: RegExp = sticky(`${gap}</member>`)

/** Behind a `<value>`, up to the end of it. Without it, structs take twice and 10,000 ints five times as long. */
const shortValue = sticky(
  `<(?:string>${plain}</string|int>-?\\d{1,15}</int|i4>-?\\d{1,15}</i4|double>-?\\d+\\.\\d+</double|boolean>[01]</boolean)></value>`,
)

function sticky(pattern: string): RegExp {
  return new RegExp(pattern, 'y')
}

const letterI = 0x69
const letterD = 0x64
const letterS = 0x73
const minus = 0x2d
const zero = 0x30
const four = 0x34

/**
 * Reads a string without anything to decode, an integer of a few digits, a decimal or a boolean, behind its `<value>` and
 * up to the end of it; undefined where something else stands here.
 */
export function readShortValue(cursor: Cursor): string | number | boolean | undefined {
  const { text, at } = cursor
  if (!passes(cursor, shortValue)) return undefined
  switch (text.charCodeAt(at + 1)) {
    case letterS:
      return text.slice(at + '<string>'.length, cursor.at - '</string></value>'.length)
    case letterI:
      if (text.charCodeAt(at + 2) === four)
        return readInteger(text, at + '<i4>'.length, cursor.at - '</i4></value>'.length)
      return readInteger(text, at + '<int>'.length, cursor.at - '</int></value>'.length)
    case letterD:
      return readDecimal(cursor, at)
    default:
      return text.charCodeAt(at + '<boolean>'.length) !== zero
  }
}

/** Of so few digits that every step is exact. `Number` of a part of the text takes 10 % more time. */
function readInteger(text: string, from: number, to: number): number {
  const negative = text.charCodeAt(from) === minus
  let value = 0
  for (let at = negative ? from + 1 : from; at < to; at++) value = value * 10 + text.charCodeAt(at) - zero
  // There is no negative zero among the integers.
  return negative ? 0 - value : value
}

function readDecimal(cursor: Cursor, at: number): number | undefined {
  const value = Number(cursor.text.slice(at + '<double>'.length, cursor.at - '</double></value>'.length))
  if (Number.isFinite(value)) return value
  cursor.at = at
  return undefined
}

const lessThan = 0x3c
const longest = 32

/**
 * Names that came lately, by a hash: nearly every name of a member has come before, and as the key of an object it is
 * at once the string that the engine has for it. That saves 10 % of 1,000 structs.
 * They are few and short, whoever sends them.
 */
const recentNames: string[] = Array(256).fill('')

/** Reads the name of a member: letters, digits and `_` up to a `<`; undefined where it is something else. */
export function readShortName(cursor: Cursor): string | undefined {
  const { text, at } = cursor
  let hash = 0
  let end = at
  let code = text.charCodeAt(end)
  while (isWordCharacter(code)) {
    hash = (hash * 31 + code) & 0xff
    code = text.charCodeAt(++end)
  }
  if (code !== lessThan || end - at > longest) return undefined
  cursor.at = end
  const known = recentNames[hash] as string
  if (known.length === end - at && text.startsWith(known, at)) return known
  const name = copyOf(text.slice(at, end))
  recentNames[hash] = name
  return name
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
  )
}
