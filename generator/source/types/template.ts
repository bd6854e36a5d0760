// Template literal types, and their regular expressions:
//
//   `id-${string}`  →  { kind: 'template', text: '`id-${string}`', pattern: '^id-[\\s\\S]*$' }
import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { escapeUnseen } from '../../text.js'
import type { Place } from '../program/problems.js'
import type { Resolver } from './resolver-interface.js'

/** Resolves a template literal type, or several intersected ones: a text has to match each of them. */
export function templateOf(type: ts.Type, place: Place, { checker, reject }: Resolver): ModelType {
  const pattern = templatePattern(type)
  const text = templateText(type, checker)
  return pattern === undefined
    ? reject(place, 'RPC121', `${text} has no pattern that could be checked`, hintForTemplate(type))
    : { kind: 'template', text, pattern }
}

/** Returns the hint for a type. Int is a number with a brand, too. */
function hintForTemplate(type: ts.Type): string {
  const holes = textsIn(type).flatMap((each) => (each as Partial<ts.TemplateLiteralType>).types ?? [])
  return holes.some((hole) => hole.isIntersection())
    ? `in it write \${number}, \${string} or \${bigint} instead of Int or of a brand`
    : 'declare string'
}

/** Returns the type as TypeScript writes it, without brands. */
export function templateText(type: ts.Type, checker: ts.TypeChecker): string {
  return textsIn(type)
    .map((each) => plainText(each) ?? checker.typeToString(each, undefined, ts.TypeFormatFlags.NoTruncation))
    .map((each) => escapeUnseen(each))
    .join(' & ')
}

/** The same for a template of keywords and characters that are not escaped. Printing it with the checker takes a hundred times as long. */
function plainText(type: ts.Type): string | undefined {
  if (!(type.flags & ts.TypeFlags.TemplateLiteral)) return undefined
  const { texts, types } = type as ts.TemplateLiteralType
  const holes = types.map(({ flags }) => keywords.find(([flag]) => flags & flag)?.[1])
  if (holes.includes(undefined) || !/^[\w ./:-]*$/.test(texts.join(''))) return undefined
  return `\`${texts[0]}${holes.map((hole, i) => `\${${hole}}${texts[i + 1]}`).join('')}\``
}

const keywords = [
  [ts.TypeFlags.String, 'string'],
  [ts.TypeFlags.Number, 'number'],
  [ts.TypeFlags.BigInt, 'bigint'],
] as const

/**
 * Returns an anchored regular expression for a template literal type; undefined if a part has no pattern. A placeholder ends where the
 * text after it first occurs, and has one character if another placeholder follows: TypeScript matches in this way, and matching takes
 * linear time. For intersected ones, all but the last are lookaheads to the end.
 */
export function templatePattern(type: ts.Type): string | undefined {
  const patterns = textsIn(type).map((each) =>
    each.flags & ts.TypeFlags.TemplateLiteral ? patternOf(each as ts.TemplateLiteralType) : undefined,
  )
  if (patterns.length === 0 || patterns.includes(undefined)) return undefined
  const ahead = patterns.slice(0, -1).map((each) => `(?=${each}$)`)
  return `^${ahead.join('')}${patterns.at(-1)}$`
}

/** Returns the template parts of an intersection; any other type itself. */
function textsIn(type: ts.Type): readonly ts.Type[] {
  return type.isIntersection() ? type.types.filter(({ flags }) => flags & ts.TypeFlags.StringLike) : [type]
}

function patternOf({ texts, types }: ts.TemplateLiteralType): string | undefined {
  const holes = types.map((each, i) => holePattern(each, texts[i + 1] ?? '', i === types.length - 1))
  return holes.includes(undefined) ? undefined : quotePattern(texts[0] ?? '') + holes.join('')
}

const anything = '[\\s\\S]'

/** Returns the pattern of a placeholder and the text after it. */
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

/** Returns the pattern of a character, except where a text begins: there the placeholder ends, though the number might continue. */
type Guard = (character: string) => string

const unguarded: Guard = (character) => character

function guardedBy(text: string): Guard {
  return (character) =>
    new RegExp(`^${character}`).test(text) ? `(?:(?!${quotePattern(text)})${character})` : character
}

/** The pattern of texts that `Number` accepts, including surrounding white space, and white space alone, which is 0. */
function numberPattern(guard: Guard): string {
  const [digits, sign, space] = [`${guard('\\d')}+`, `${guard('[+-]')}?`, `${guard('\\s')}*`]
  const decimal = `${digits}(?:${guard('\\.')}${guard('\\d')}*)?|${guard('\\.')}${digits}`
  return `${space}(?:(?:${sign}(?:${decimal})(?:${guard('[eE]')}${sign}${digits})?|${radixes(guard)})${space})?`
}

/** The pattern of texts that are a bigint literal with `n` appended. */
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
