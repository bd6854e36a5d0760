import type { Source } from './source.js'
import { passes, shortValue } from './usual.js'

const letterI = 0x69
const letterD = 0x64
const letterS = 0x73
const minus = 0x2d
const zero = 0x30
const four = 0x34

/**
 * Reads a string without anything to decode, an integer of a few digits, a decimal or a boolean, behind its `<value>` and
 * up to the end of it. Undefined, and nothing is read, where something else stands here or it is written in another way:
 * whether that is right, and what it means, is for `readValue` to say.
 */
export function readShortValue(source: Source): string | number | boolean | undefined {
  const { text, at } = source
  if (!passes(source, shortValue)) return undefined
  switch (text.charCodeAt(at + 1)) {
    case letterS:
      return text.slice(at + '<string>'.length, source.at - '</string></value>'.length)
    case letterI:
      if (text.charCodeAt(at + 2) === four)
        return readInteger(text, at + '<i4>'.length, source.at - '</i4></value>'.length)
      return readInteger(text, at + '<int>'.length, source.at - '</int></value>'.length)
    case letterD:
      return readDecimal(source, at)
    default:
      return text.charCodeAt(at + '<boolean>'.length) !== zero
  }
}

/** Of so few digits that every step is exact. */
function readInteger(text: string, from: number, to: number): number {
  const negative = text.charCodeAt(from) === minus
  let value = 0
  for (let at = negative ? from + 1 : from; at < to; at++) value = value * 10 + text.charCodeAt(at) - zero
  // There is no negative zero among the integers.
  return negative ? 0 - value : value
}

function readDecimal(source: Source, at: number): number | undefined {
  const value = Number(source.text.slice(at + '<double>'.length, source.at - '</double></value>'.length))
  if (Number.isFinite(value)) return value
  source.at = at
  return undefined
}
