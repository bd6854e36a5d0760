// What the tags of a procedure specify, and which of them are misspelt, misplaced or written twice:
//
//   @rpc user.create  →  { marked: true, name: 'user.create' }; @retruns x  →  the problem "write it @returns"
import { allowedNames, isMethodName } from '../model/public-names.js'
import { nearName } from '../text.js'
import {
  codeIndent,
  type DocComment,
  type DocLine,
  type DocProblem,
  type DocTag,
  indentOf,
  type MisplacedTag,
} from './lines.js'
import { tagsWith, tagTable } from './tag-table.js'

/** Names that no tool reads, and the tags that are meant. */
const misspelt = new Map([
  ...['throw', 'raise', 'raises'].map((name) => [name, 'throws'] as const),
  ...['parameter', 'parm', 'parms'].map((name) => [name, 'param'] as const),
])

/** What a tag documents: a parameter, the result or an error. */
export type FieldKind = 'param' | 'returns' | 'throws'

/** The tags that document these, with their synonyms in JSDoc. */
export const fieldTags: ReadonlyMap<string, FieldKind> = new Map([
  ...['param', 'arg', 'argument'].map((name) => [name, 'param'] as const),
  ...['returns', 'return', 'yields', 'yield'].map((name) => [name, 'returns'] as const),
  ...['throws', 'exception'].map((name) => [name, 'throws'] as const),
])

/** The place of the prose that has no tag. */
export const untaggedOrder = 1

/** Tags of JSDoc and TSDoc with prose, and where it is among the rest. */
export const proseTags: ReadonlyMap<string, number> = new Map([
  ['summary', 0],
  ['description', untaggedOrder],
  ['desc', untaggedOrder],
  ['remarks', 2],
  ['see', 3],
])

/** Tags with documentation, and tags of a procedure that do not decide what is served. */
const documentingTags = [
  ...[...fieldTags.keys(), ...proseTags.keys(), 'example', 'default', 'defaultValue'],
  ...tagsWith(({ directive }) => !directive),
]

/**
 * Reports tags that a comment has twice, text that a tag ignores or that is below it, tags that contradict each other, and
 * misspelt ones, such as `@retruns` and `@Params`, which would be ignored. `@examples` is a tag of generators of JSON Schema.
 */
export function tagProblems(tags: readonly DocTag[]): DocProblem[] {
  return tags.flatMap(({ name, text, firstLine, line }, i): DocProblem[] => {
    const { once, oneLine, fixedText } = tagTable.get(name) ?? {}
    const isRepeated = once && tags.findIndex((other) => other.name === name) < i
    const isKnown = tagTable.has(name) || name === 'examples'
    const meant = misspelt.get(name) ?? (isKnown ? undefined : nearName(leadingWord(name), documentingTags))
    const isBoth = name === 'destructive' && text === '' && tags.some((other) => other.name === 'readonly')
    return [
      ...(isRepeated ? [{ message: `@${name} is written twice`, hint: 'keep one of them', line }] : []),
      ...(oneLine && text !== firstLine
        ? [{ message: `text below @${name} is part of the tag: put it above`, line }]
        : []),
      ...(fixedText !== undefined && text !== '' && text !== fixedText
        ? [
            {
              message: `@${name}: expected no text, got ${JSON.stringify(text)}`,
              hint: 'write it above the tags',
              line,
            },
          ]
        : []),
      ...(isBoth ? [{ message: '@readonly contradicts @destructive', hint: 'keep one of them', line }] : []),
      ...(meant ? [{ message: `@${name} has no effect`, hint: `write it @${meant}`, line }] : []),
    ]
  })
}

/** The content of `@rpc`. */
interface RpcTag {
  /** True when the comment has the tag. */
  readonly marked: boolean
  /** The public name, if the tag has one. */
  readonly name?: string
  /** True for a name with a leading dot: the namespace of the module is not prepended. */
  readonly isFull?: boolean
  readonly problems: readonly DocProblem[]
}

/** Parses `@rpc`, `@rpc user.create` and `@rpc .user.create`. Any other text is a problem. */
export function rpcTag(doc: DocComment): RpcTag {
  const tag = doc.tags.find(({ name }) => name === 'rpc')
  if (tag === undefined) return { marked: false, problems: [] }
  const words = tag.firstLine.split(/\s+/).filter((word) => word !== '')
  const [first = ''] = words
  const name = first.replace(/^\./, '')
  const named = isMethodName(name)
  const option = words.slice(named ? 1 : 0).join(' ')
  const hint = option.startsWith('@')
    ? 'write each tag on a line of its own'
    : `write @rpc, or @rpc and the name that callers use: ${allowedNames}`
  const problems = option === '' ? [] : [{ message: `unknown @rpc option "${option}"`, hint, line: tag.line }]
  if (!named) return { marked: true, problems }
  return { marked: true, name, ...(name === first ? {} : { isFull: true }), problems }
}

/** A parameter that has another name on the wire than in the source. */
interface WireName {
  readonly param: string
  readonly wire: string
  readonly line: number
}

/** What the tags `@params` and `@wireName` of a procedure specify. */
export interface ParamTags {
  /** The line of `@params object`: the params object is the only argument. */
  readonly objectLine?: number
  readonly wireNames: readonly WireName[]
  readonly problems: readonly DocProblem[]
}

/** Parses `@params object` and `@wireName args arguments`. */
export function paramTags({ tags }: Pick<DocComment, 'tags'>): ParamTags {
  const params = tags.find(({ name }) => name === 'params')
  const problems = params && params.firstLine !== 'object' ? [wrongParams(params)] : []
  const wireNames = tags.filter(({ name }) => name === 'wireName')
  const read = wireNames.flatMap(({ firstLine, line }): WireName[] => {
    const [param, wire, ...more] = firstLine.split(/\s+/)
    if (param && wire && more.length === 0) return [{ param, wire, line }]
    const message = `@wireName: expected a parameter and its name on the wire, got ${JSON.stringify(firstLine)}`
    problems.push({ message, hint: 'write @wireName args arguments', line })
    return []
  })
  return { ...(params ? { objectLine: params.line } : {}), wireNames: read, problems }
}

function wrongParams({ firstLine, line }: DocTag): DocProblem {
  const message = `@params: expected the word object, got ${JSON.stringify(firstLine)}`
  return { message, hint: 'write @param for the docs of a parameter', line }
}

const directives = tagsWith(({ directive }) => directive)
const inlineDirective = new RegExp(`(?:^|\\s)@(${directives.join('|')})(?=\\s|$)`)

/** True if a text may have such a tag, or a misspelt one. Other texts are not parsed for them. */
export function mayHaveDirective(text: string): boolean {
  return [...text.matchAll(/@([\w-]+)/g)].some(([, name = '']) => directiveOf(name) !== undefined)
}

/**
 * Returns the directive that a tag is, or was meant to be: `Auth`, `auht`, `protocols`, `auth:` and `authenticated` are unknown tags and
 * would be ignored.
 */
export function directiveOf(name: string): string | undefined {
  const word = leadingWord(name)
  const singular = word.toLowerCase().replace(/s$/, '')
  const alike = directives.find((each) => each.toLowerCase() === singular)
  return alike ?? nearName(word, directives) ?? (authSynonym.test(name) ? 'auth' : undefined)
}

/** What other tools call it. */
const authSynonym = /^auth(?:[nz]|enticat(?:e|ed|ion)|ori[sz](?:e|ed|ation))\b/i

/** `auth` of `auth:`. */
function leadingWord(name: string): string {
  return /^[\w-]*/.exec(name)?.[0] ?? ''
}

/**
 * Reports directives that are not at the beginning of a line: TypeScript reads a tag there and this parser does not, so the
 * procedure would not be served, or not be guarded.
 */
export function findMisplaced(lines: readonly DocLine[], tags: readonly DocTag[]): MisplacedTag[] {
  const isMarked = tags.some(({ name }) => name === 'rpc')
  return lines.flatMap(({ text, fenced, line }, i) => {
    const [, name] = inlineDirective.exec(text.replace(/`[^`]*`/g, '``')) ?? []
    if (name === undefined || (name === 'rpc' && isMarked)) return []
    const isDeep = indentOf(text) >= codeIndent
    if (fenced || (isDeep && !isProse(lines[i - 1]))) return []
    // Text after a directive belongs to that directive, which reports unknown words itself.
    if (!isDeep && directiveOf(text.trim().slice(1)) !== undefined) return []
    const isAlone = text.trim().startsWith(`@${name}`)
    const where = isAlone ? 'further to the left: here it is text' : 'on a line of its own'
    return [{ name, problem: { message: `put @${name} ${where}`, line } }]
  })
}

/** Directly below text a deeper line is not a code block (CommonMark 0.31 section 4.4). Examples are code. */
function isProse(line: DocLine | undefined): boolean {
  return (
    line !== undefined &&
    !/^(?:@example\b.*)?$/.test(line.text.trim()) &&
    !line.fenced &&
    indentOf(line.text) < codeIndent
  )
}
