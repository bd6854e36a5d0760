import type { Constraints } from '../../runtime/schema/constraints.js'
import { codeIndent, type DocComment, type DocProblem, indentOf, readLines } from './lines.js'

export type ConstraintName = keyof Constraints
type Name = ConstraintName

/** The constraint tags of a comment. */
export interface ConstraintTags {
  readonly constraints: Constraints
  /** The names of the tags, in order, with their lines. */
  readonly found: readonly { readonly name: Name; readonly line: number }[]
  /** Misspelt tags: in another case, or with something between the tag and its value. */
  readonly miswritten: readonly { readonly name: string; readonly correct: Name; readonly line: number }[]
  readonly problems: readonly DocProblem[]
}

const formats = ['date-time', 'date', 'time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname']

/** Parses the text after a tag; a string result is the text for the expected value. */
type Read = (text: string) => { readonly value: number | string | boolean } | string

const aNumber: Read = (text) => {
  if (!isNumeric(text)) return 'a number'
  return isExact(text)
    ? { value: Number(text) }
    : `a number that a double can represent (this one would become ${BigInt(Number(text))})`
}
const aStep: Read = (text) => (isNumeric(text) && Number(text) > 0 ? aNumber(text) : 'a number above 0')
const aCount: Read = (text) => (/^\d{1,9}$/.test(text) ? { value: Number(text) } : 'a whole number, 0 or more')

const readers: Readonly<Record<Name, Read>> = {
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
export function readConstraint(name: Name, text: string): ReturnType<Read> {
  return readers[name](text)
}

const byLower = new Map(Object.keys(readers).map((name) => [name.toLowerCase(), name as Name]))

const names = Object.keys(readers).join('|')
const tag = new RegExp(`@(?:${names})\\b`, 'i')
const misplaced = new RegExp(`\\S\\s+@(${names})\\b`, 'i')
const inline = new RegExp(`\\{\\s*@(${names})\\b`, 'i')
const nearMiss = new RegExp(`^(${names})(?![\\w-])`, 'i')

/** True if a text may have constraint tags. Other texts are not parsed for them. */
export function mayConstrain(text: string): boolean {
  return tag.test(text)
}

/** Parses `@minimum 0` and its like. A repeated tag and an invalid value are problems. */
export function constraintTags(doc: DocComment): ConstraintTags {
  const values = new Map<Name, number | string | boolean>()
  const problems: DocProblem[] = []
  const found = doc.tags.flatMap(({ name, line }) => (isConstraintName(name) ? [{ name, line }] : []))
  const miswritten = doc.tags.flatMap(({ name, line }) => {
    // Also `@minimum: 5`, `@minimum=5` and `@minimum(5)`.
    const correct = isConstraintName(name) ? undefined : byLower.get(nearMiss.exec(name)?.[1]?.toLowerCase() ?? '')
    return correct ? [{ name, correct, line }] : []
  })
  for (const { name, text, line } of doc.tags) {
    if (!isConstraintName(name)) continue
    const read = readers[name](text.trim())
    if (typeof read === 'string')
      problems.push({ message: `@${name}: expected ${read}, got ${JSON.stringify(text)}`, line })
    else if (values.has(name)) problems.push({ message: `@${name} is written twice`, line })
    else values.set(name, read.value)
  }
  return { constraints: Object.fromEntries(values), found, miswritten, problems }
}

/** True for the name of a constraint. */
export function isConstraintName(name: string): name is Name {
  return Object.hasOwn(readers, name)
}

function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

/** Limits are doubles, also those of a bigint: a number that a double cannot represent is rejected. */
function isExact(text: string): boolean {
  return !/^[+-]?\d+$/.test(text) || BigInt(text.replace('+', '')) === BigInt(Number(text))
}

function readPattern(text: string): ReturnType<Read> {
  try {
    return text === '' ? 'a regular expression' : { value: new RegExp(text, 'u').source }
  } catch (error) {
    return `a regular expression (${(error as Error).message})`
  }
}

/** Reports tags after other text on their line, or in braces, which are not read as tags. */
export function misplacedConstraints(comment: string): DocProblem[] {
  return readLines(comment).lines.flatMap(({ text, fenced, line }) => {
    if (fenced || indentOf(text) >= codeIndent) return []
    const prose = text.replace(/`[^`]*`/g, '``').trim()
    const [, name] = prose.match(misplaced) ?? prose.match(inline) ?? []
    return name === undefined ? [] : [{ message: `put @${name} on a line of its own`, line }]
  })
}
