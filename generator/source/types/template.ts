import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/** A template literal type, or several that are intersected: then a text has to read as each of them. */
export function templateOf(type: ts.Type, place: Place, { checker, refuse }: Resolver): ModelType {
  const pattern = templatePattern(type)
  const text = templateText(type, checker)
  return pattern === undefined
    ? refuse(place, 'RPC121', `${text} has no pattern that could be checked`, hintFor(type))
    : { kind: 'template', text, pattern }
}

/** Int is a number with a brand, too. */
function hintFor(type: ts.Type): string {
  const holes = textsIn(type).flatMap((each) => (each as Partial<ts.TemplateLiteralType>).types ?? [])
  return holes.some((hole) => hole.isIntersection())
    ? `in it write \${number}, \${string} or \${bigint} in place of Int or of a brand`
    : 'declare string'
}

/** How TypeScript writes it, without the brands that are put to it. */
export function templateText(type: ts.Type, checker: ts.TypeChecker): string {
  return textsIn(type)
    .map((each) => checker.typeToString(each, undefined, ts.TypeFormatFlags.NoTruncation))
    .join(' & ')
}

/**
 * An anchored regular expression for a template literal type; undefined when a part has no pattern. A hole ends where the text
 * behind it comes first, and has one character where another hole follows: so TypeScript reads it, and so no text takes more
 * than linear time. Of several that are intersected all but the last look ahead to the end.
 */
export function templatePattern(type: ts.Type): string | undefined {
  const patterns = textsIn(type).map((each) =>
    each.flags & ts.TypeFlags.TemplateLiteral ? patternOf(each as ts.TemplateLiteralType) : undefined,
  )
  if (patterns.length === 0 || patterns.includes(undefined)) return undefined
  const ahead = patterns.slice(0, -1).map((each) => `(?=${each}$)`)
  return `^${ahead.join('')}${patterns.at(-1)}$`
}

/** The parts of an intersection that say how a text reads; any other type is the one. */
function textsIn(type: ts.Type): readonly ts.Type[] {
  return type.isIntersection() ? type.types.filter(({ flags }) => flags & ts.TypeFlags.StringLike) : [type]
}

function patternOf({ texts, types }: ts.TemplateLiteralType): string | undefined {
  const holes = types.map((each, i) => holePattern(each, texts[i + 1] ?? '', i === types.length - 1))
  return holes.includes(undefined) ? undefined : quotePattern(texts[0] ?? '') + holes.join('')
}

const anything = '[\\s\\S]'

/** A hole and the text behind it. */
function holePattern({ flags }: ts.Type, behind: string, isLast: boolean): string | undefined {
  const text = quotePattern(behind)
  if (flags & ts.TypeFlags.String) {
    if (isLast) return `${anything}*${text}`
    return behind === '' ? anything : `(?:(?!${text})${anything})*${text}`
  }
  const isNumber = Boolean(flags & ts.TypeFlags.Number)
  if (!isNumber && !(flags & ts.TypeFlags.BigInt)) return undefined
  if (!isLast && behind === '') return isNumber ? '[\\d\\s]' : '\\d'
  const guard = isLast ? unguarded : guardedBy(behind)
  return isNumber ? `(?!${text}${isLast ? '$' : ''})${numberPattern(guard)}${text}` : `${bigintPattern(guard)}${text}`
}

/** A pattern of one character, and not where a text begins: there the hole ends, though the number might go on. */
type Guard = (character: string) => string

const unguarded: Guard = (character) => character

function guardedBy(text: string): Guard {
  return (character) =>
    new RegExp(`^${character}`).test(text) ? `(?:(?!${quotePattern(text)})${character})` : character
}

/** What `Number` reads, white space around it included, or alone: to TypeScript that is 0. */
function numberPattern(guard: Guard): string {
  const [digits, sign, space] = [`${guard('\\d')}+`, `${guard('[+-]')}?`, `${guard('\\s')}*`]
  const decimal = `${digits}(?:${guard('\\.')}${guard('\\d')}*)?|${guard('\\.')}${digits}`
  return `${space}(?:(?:${sign}(?:${decimal})(?:${guard('[eE]')}${sign}${digits})?|${radixes(guard)})${space})?`
}

/** What the language takes for a bigint when `n` is put to it. */
function bigintPattern(guard: Guard): string {
  return `${guard('-')}?(?:${guard('0')}|${guard('[1-9]')}${guard('\\d')}*|${radixes(guard)})`
}

function radixes(guard: Guard): string {
  const digits: readonly (readonly [string, string])[] = [
    ['[xX]', '[\\da-fA-F]'],
    ['[oO]', '[0-7]'],
    ['[bB]', '[01]'],
  ]
  return digits.map(([letter, digit]) => `${guard('0')}${guard(letter)}${guard(digit)}+`).join('|')
}

export function quotePattern(text: string): string {
  const quoted = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return quoted.replace(/[\n\r\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
