// Constraint tags of a doc comment: /** @minimum 1 */ is { name: 'minimum', value: 1 }. Tags that are misspelt, such as @minimun 1, and
// those of other tools, such as @isInt, have no effect: they are reported with the tag or the type to write.

import { commonFormats } from '../../runtime/values/format.js'
import { moreFormats } from '../../runtime/values/more-formats.js'
import type { Constraint, ConstraintName } from '../model/constraints.js'
import { nearName } from '../text.js'
import { codeIndent, type DocComment, type DocProblem, indentOf, readLines } from './lines.js'

/** A tag that is not read: with an invalid value or written twice (RPC125), misspelt, after other text, or in braces (RPC142). */
interface WrongTag extends DocProblem {
  /** The one that was meant. */
  readonly name: string
  readonly code: 'RPC125' | 'RPC142'
}

/** The constraint tags of a comment. */
interface ConstraintTags {
  /** In order, with their lines. */
  readonly found: readonly (Constraint & { readonly line: number })[]
  readonly wrong: readonly WrongTag[]
}

/** The text of a comment, and what was parsed of it. */
interface CommentText {
  readonly doc: DocComment
  readonly text: string
  /** True if nothing is before it in its file. */
  readonly isFirst: boolean
}

const formats: readonly string[] = [...commonFormats, ...moreFormats]

/** Parses the text after a tag; a string result is the text for the expected value. */
type Read = (text: string) => Pick<Constraint, 'value'> | string

const aNumber: Read = (text) => {
  if (!isNumeric(text)) return 'a number'
  return isExact(text)
    ? { value: Number(text) }
    : `a number that a double can represent (this one would become ${BigInt(Number(text))})`
}
const aStep: Read = (text) => (isNumeric(text) && Number(text) > 0 ? aNumber(text) : 'a number above 0')
const aCount: Read = (text) => (/^\d{1,9}$/.test(text) ? { value: Number(text) } : 'a whole number, 0 or more')

const readers: Readonly<Record<ConstraintName, Read>> = {
  minimum: aNumber,
  maximum: aNumber,
  exclusiveMinimum: aNumber,
  exclusiveMaximum: aNumber,
  multipleOf: aStep,
  minLength: aCount,
  maxLength: aCount,
  pattern: readPattern,
  format: (text) => (formats.includes(text) ? { value: text } : `one of ${formats.join(', ')}`),
  minItems: aCount,
  maxItems: aCount,
  uniqueItems: (text) => (text === '' || text === 'true' ? { value: true } : 'nothing, or true'),
}

/** Parses the value of a constraint from its text; a string result is the text for the expected value. */
export function readConstraint(name: ConstraintName, text: string): ReturnType<Read> {
  return readers[name](text)
}

const names = Object.keys(readers) as ConstraintName[]
const constraintNames = names.join('|')

/** Names of the same constraints in other packages. */
const otherNames: ReadonlyMap<string, ConstraintName> = new Map([
  ['min', 'minimum'],
  ['max', 'maximum'],
])

/** Tags with which other tools restrict values: their names, the text that makes one of them a rule, and what to write. */
const foreign: readonly (readonly [names: string, text: RegExp, hint: string])[] = [
  ['isInt|isInteger', /^/, 'write the type Int'],
  ['int|integer', /^$/, 'write the type Int'],
  ['isLong', /^/, 'write the type Int, or bigint'],
  ['isFloat|isDouble', /^/, 'write the type Double'],
  ['type|asType', /^\{?uint(?:8|16|32|64)?\}?$/, 'write the type: Int & Minimum<0>, or bigint & Minimum<0>'],
  ['type|asType', /^\{?(?:int(?:8|16|32|64)?|integer|float|double)\}?$/, 'write the type: Int, Double or bigint'],
  ['TJS-[\\w-]+|items\\.\\w+', /^/, 'write a tag or a type of rpc-gen: @minimum 1, or Minimum<1>'],
  ['regexp?', /./, 'write @pattern, or the type Pattern'],
  ['(?:is)?(?:email|uuid|url)', /^$/, 'write @format, or the type Format'],
  ['isDate(?:Time)?', /^/, 'write @format date or @format date-time, or the type Date'],
  ['(?:non)?(?:positive|negative)', /^$/, 'write @minimum or @maximum'],
  ['(?:non|not)-?empty', /^$/, 'write @minLength 1 or @minItems 1'],
  ['range|(?:min|max)Value|(?:greater|less)Than', /^[\d[(+-]/, 'write @minimum and @maximum'],
  ['items', /^[\d[(]/, 'write @minItems and @maxItems'],
  ['items', /^\{/, 'write the type of the elements: Int[]'],
  ['length|size|(?:min|max)Size', /^[\d[(]/, 'write @minLength and @maxLength, or @minItems and @maxItems'],
  ['step', /^[\d.]/, 'write @multipleOf'],
  ['additionalProperties|unevaluatedProperties', /^false/, 'the server has an option for unknown keys'],
  [
    '(?:min|max)(?:Properties|Contains|Date)|propertyNames|patternProperties|contains',
    /./,
    'check it in the procedure',
  ],
]

const foreignName = isOneOf(foreign.map(([names]) => names).join('|'))

const misplaced = new RegExp(`\\S\\s+@(${constraintNames})\\b`, 'i')
const inBraces = new RegExp(`\\{\\s*@(${constraintNames})\\b`, 'i')
const nearMiss = new RegExp(`^(${constraintNames})(?![\\w-])`, 'i')

function isOneOf(names: string): RegExp {
  return new RegExp(`^(?:${names})$`, 'i')
}

/** True if a text may have constraint tags. Other texts are not parsed for them. */
export function mayConstrain(text: string): boolean {
  const found = new Set(Array.from(text.matchAll(/@([\w-]+)/g), ([, name = '']) => name))
  return [...found].some((name) => nearConstraint(name) !== undefined || foreignName.test(name))
}

/** Returns the constraint whose name differs from a name in its case or in one letter, or that other packages call so. */
function nearConstraint(name: string): ConstraintName | undefined {
  return isConstraintName(name) ? name : (otherNames.get(name) ?? nearName(name, names))
}

/** Parses `@minimum 0` and its like in a comment. Undefined if it has none: prose may name a tag in passing. */
export function constraintTags({ doc, text: comment, isFirst }: CommentText): ConstraintTags | undefined {
  if (!mayConstrain(comment)) return undefined
  const found: ConstraintTags['found'][number][] = []
  const wrong = [...findMisspelt(doc), ...findMisplacedTags(comment)]
  for (const { name, text, firstLine, line } of doc.tags) {
    // At the beginning of a file, `@format` is the pragma of Prettier.
    const isPragma = isFirst && name === 'format' && firstLine.trim() === ''
    if (!isConstraintName(name) || isPragma) continue
    const read = readConstraint(name, text.trim())
    if (typeof read === 'string')
      wrong.push({ name, code: 'RPC125', message: `@${name}: expected ${read}, got ${JSON.stringify(text)}`, line })
    else if (found.some((each) => each.name === name))
      wrong.push({ name, code: 'RPC125', message: `@${name} is written twice`, hint: 'keep one of them', line })
    else found.push({ name, value: read.value, line })
  }
  return found.length + wrong.length === 0 ? undefined : { found, wrong }
}

/** True for the name of a constraint. */
export function isConstraintName(name: string): name is ConstraintName {
  return Object.hasOwn(readers, name)
}

function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

/** Limits are doubles, also those of a bigint: a number that a double cannot represent is rejected. */
function isExact(text: string): boolean {
  return !/^[+-]?\d+$/.test(text) || BigInt(text.replace('+', '')) === BigInt(Number(text))
}

/** With the slashes of a literal, `/^a$/`, no text matches: nothing is before `^` or after `$`. */
const withSlashes = /^\/\^|[^\\]\$\/[dgimsuvy]*$/

function readPattern(text: string): ReturnType<Read> {
  if (withSlashes.test(text)) return 'a regular expression without slashes around it'
  try {
    return text === '' ? 'a regular expression' : { value: new RegExp(text, 'u').source }
  } catch (error) {
    return `a regular expression (${(error as Error).message})`
  }
}

/** Returns the constraint that a tag means: in another case, misspelt with a fitting value, or as `@minimum:`. */
export function meantConstraint(name: string, text: string): ConstraintName | undefined {
  const near = nearConstraint(name)
  const isFitting = near !== undefined && typeof readConstraint(near, text) !== 'string'
  return nearConstraint(nearMiss.exec(name)?.[1] ?? '') ?? (isFitting ? near : undefined)
}

/** Finds tags in another case, misspelt ones with a fitting value, and `@minimum: 5`, `@minimum=5` and `@minimum(5)`. */
function findMisspelt({ tags }: DocComment): WrongTag[] {
  return tags.flatMap(({ name, text, line }) => {
    if (isConstraintName(name)) return []
    const other = foreign.find(([names, value]) => isOneOf(names).test(name) && value.test(text.trim()))
    const message = `@${name} is a tag of another tool and has no effect`
    if (other) return [{ name, code: 'RPC142', message, hint: other[2], line }]
    const meant = meantConstraint(name, text.trim())
    if (!meant) return []
    const hint = /^[a-z]+$/i.test(name) ? `write it @${meant}` : `write it @${meant}, a space and its value`
    return [{ name: meant, code: 'RPC142', message: `@${name} has no effect`, hint, line }]
  })
}

/** Finds tags after other text on their line, or in braces. */
function findMisplacedTags(comment: string): WrongTag[] {
  return readLines(comment).lines.flatMap(({ text, fenced, line }) => {
    if (fenced || indentOf(text) >= codeIndent) return []
    const prose = text.replace(/`[^`]*`/g, '``').trim()
    const [, name] = prose.match(misplaced) ?? prose.match(inBraces) ?? []
    const meant = nearConstraint(name ?? '')
    const hint = 'put it on a line of its own'
    return meant ? [{ name: meant, code: 'RPC142', message: `@${name} has no effect`, hint, line }] : []
  })
}
