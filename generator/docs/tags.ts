import type { ProtocolName } from '../../runtime/protocol.js'
import { mayConstrain } from './constraint-tags.js'
import {
  codeIndent,
  type DocComment,
  type DocHiding,
  type DocLine,
  type DocProblem,
  type DocTag,
  indentOf,
} from './lines.js'

/** The content of `@rpc`. */
export interface RpcTag {
  /** True when the comment has the tag. */
  readonly marked: boolean
  /** The public name, if the tag has one. */
  readonly name?: string
  /** True for a name with a leading dot: the namespace of the module is not prepended. */
  readonly isFull?: boolean
  readonly problems: readonly DocProblem[]
}

/** Dotted; dash, colon and slash occur in method names as well (XML-RPC, "Payload format"). */
const methodName = /^\.?[\p{L}\p{N}_$][\p{L}\p{N}_$:/-]*(?:\.[\p{L}\p{N}_$:/-]+)*$/u

/** Parses `@rpc`, `@rpc user.create` and `@rpc .user.create`. Any other word, and a second `@rpc`, is a problem. */
export function rpcTag(doc: DocComment): RpcTag {
  const [tag, second] = doc.tags.filter(({ name }) => name === 'rpc')
  if (tag === undefined) return { marked: false, problems: [] }
  const words = tag.firstLine.split(/\s+/).filter((word) => word !== '')
  const named = words.length > 0 && methodName.test(words[0] ?? '')
  const options = named ? words.slice(1) : words
  const problems = [
    ...options.map((option) => ({ message: `unknown @rpc option "${option}"`, line: tag.line })),
    ...textBelow(tag),
    ...(second === undefined ? [] : [{ message: '@rpc is written twice', line: second.line }]),
  ]
  const [name = ''] = words
  if (!named) return { marked: true, problems }
  return { marked: true, name: name.replace(/^\./, ''), ...(name.startsWith('.') ? { isFull: true } : {}), problems }
}

/** Reports text under a one-line tag, which belongs to the tag and was probably meant for the description. */
function textBelow(tag: DocTag): DocProblem[] {
  if (tag.text === tag.firstLine) return []
  return [{ message: `text below @${tag.name} is part of the tag: put it above`, line: tag.line }]
}

/** The content of `@protocol`. */
export interface ProtocolTag {
  /** In the order written, without repetition; empty without the tag. */
  readonly protocols: readonly ProtocolName[]
  readonly problems: readonly DocProblem[]
}

/** Parses `@protocol json-rpc`, or several protocols with white space, commas or bars between them. */
export function protocolTag(doc: DocComment): ProtocolTag {
  const tags = doc.tags.filter(({ name }) => name === 'protocol')
  const words = tags.flatMap(({ firstLine, line }) => {
    const found = firstLine.split(/[\s,|]+/).filter((word) => word !== '')
    return (found.length === 0 ? [''] : found).map((word) => ({ word, line }))
  })
  const wrong = words.filter(({ word }) => !isProtocol(word))
  return {
    protocols: [...new Set(words.map(({ word }) => word).filter(isProtocol))],
    problems: [...wrong.map(({ word, line }) => ({ message: complaint(word), line })), ...tags.flatMap(textBelow)],
  }
}

function isProtocol(word: string): word is ProtocolName {
  return word === 'json-rpc' || word === 'xml-rpc'
}

function complaint(word: string): string {
  return word === '' ? '@protocol without a protocol' : `unknown protocol "${word}": json-rpc or xml-rpc`
}

/** The limits that the doc tags of a procedure or of a module specify. */
export interface ProcedureLimits {
  /** Milliseconds that a call may take: `@timeout 30s`. */
  readonly timeoutMs?: number
  /** Bytes of a request body: `@maxBody 8MiB`. */
  readonly bodyBytes?: number
}

interface LimitTag {
  readonly tag: string
  readonly limit: keyof ProcedureLimits
  /** The value of each unit in the smallest one, which is the first. */
  readonly units: Readonly<Record<string, number>>
  /** In the smallest unit. */
  readonly max: number
  readonly example: string
}

const kinds: readonly LimitTag[] = [
  {
    tag: 'timeout',
    limit: 'timeoutMs',
    units: { ms: 1, s: 1000, min: 60_000, h: 3_600_000 },
    // The longest delay of a timer.
    max: 2 ** 31 - 1,
    example: '30s',
  },
  {
    tag: 'maxBody',
    limit: 'bodyBytes',
    units: { B: 1, kB: 1000, MB: 1e6, KiB: 1024, MiB: 2 ** 20 },
    max: Number.MAX_SAFE_INTEGER,
    example: '8MiB',
  },
]

/** Parses `@timeout 30s` and `@maxBody 8MiB` into milliseconds and bytes, rounded to whole numbers. */
export function limitTags(doc: DocComment): { readonly limits: ProcedureLimits; readonly problems: DocProblem[] } {
  const limits: Partial<Record<keyof ProcedureLimits, number>> = {}
  const problems: DocProblem[] = []
  for (const kind of kinds) {
    const [tag, second] = doc.tags.filter(({ name }) => name === kind.tag)
    if (!tag) continue
    const value = readValue(tag, kind)
    if (typeof value === 'number') limits[kind.limit] = value
    else problems.push({ ...value, line: tag.line })
    problems.push(...textBelow(tag))
    if (second) problems.push({ message: `@${kind.tag} is written twice`, hint: 'keep one of them', line: second.line })
  }
  return { limits, problems }
}

function readValue({ firstLine }: DocTag, { tag, units, max, example }: LimitTag): number | Omit<DocProblem, 'line'> {
  const names = Object.keys(units)
  const hint = `write a number and a unit (${names.join(', ')}): @${tag} ${example}`
  if (firstLine === '') return { message: `@${tag} has no value`, hint }
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]*)$/.exec(firstLine) ?? []
  if (number === undefined) {
    return { message: `@${tag}: expected a number and a unit, got ${JSON.stringify(firstLine)}`, hint }
  }
  if (unit === '') return { message: `@${tag} ${number} has no unit`, hint }
  if (!Object.hasOwn(units, unit)) return { message: `@${tag}: unknown unit ${JSON.stringify(unit)}`, hint }
  const value = Math.round(Number(number) * (units[unit] ?? 0))
  if (value >= 1 && value <= max) return value
  return {
    message: `@${tag} ${firstLine} is out of range`,
    hint: `write a value between 1${names[0]} and ${max}${names[0]}`,
  }
}

/** Tags that may be written once: the second would be ignored without a message. */
const once = ['auth', 'namespace', 'protocol']

/** Reports tags that a comment has twice. */
export function repeatedTags({ tags }: DocComment): DocProblem[] {
  return tags
    .filter(({ name }, i) => once.includes(name) && tags.findIndex((other) => other.name === name) < i)
    .map(({ name, line }) => ({ message: `@${name} is written twice: combine them in one`, line }))
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
  const [params, second] = tags.filter(({ name }) => name === 'params')
  const wireNames = tags.filter(({ name }) => name === 'wireName')
  const problems = [
    ...tags.flatMap(miswritten),
    ...(params && params.firstLine !== 'object' ? [wrongParams(params)] : []),
    ...(second ? [{ message: '@params is written twice', hint: 'keep one of them', line: second.line }] : []),
    ...[...(params ? [params] : []), ...wireNames].flatMap(textBelow),
  ]
  const read = wireNames.flatMap((tag): WireName[] => {
    const [param, wire, ...more] = tag.firstLine.split(/\s+/)
    if (param && wire && more.length === 0) return [{ param, wire, line: tag.line }]
    const message = `@wireName: expected a parameter and its name on the wire, got ${JSON.stringify(tag.firstLine)}`
    problems.push({ message, hint: 'write @wireName args arguments', line: tag.line })
    return []
  })
  return { ...(params ? { objectLine: params.line } : {}), wireNames: read, problems }
}

function wrongParams({ firstLine, line }: DocTag): DocProblem {
  const message = `@params: expected the word object, got ${JSON.stringify(firstLine)}`
  return { message, hint: 'write @param for the docs of a parameter', line }
}

/** Reports `@wirename` and `@Params`, which would be ignored. */
function miswritten({ name, line }: DocTag): DocProblem[] {
  const meant = ['params', 'wireName'].find((each) => each !== name && each.toLowerCase() === name.toLowerCase())
  return meant ? [{ message: `@${name} has no effect`, hint: `write it @${meant}`, line }] : []
}

/** Tags that decide what is served, to whom, and within which limits. */
const deciding = ['rpc', 'auth', 'namespace', 'protocol', 'timeout', 'maxBody', 'mcp']
const byLower = new Map(deciding.map((name) => [name.toLowerCase(), name]))

const names = deciding.join('|')
const anywhere = new RegExp(`@(?:${names})s?(?![\\w-])`, 'i')
const alike = new RegExp(`^(${names})s?(?![\\w-])`, 'i')
const behind = new RegExp(`\\S\\s+@(${names})(?=\\s|$)`)

/** True if a tag, without its `@`, decides what is served. */
function decides(name: string): boolean {
  return deciding.includes(name)
}

/** True if a text may have such a tag, or a misspelt one. Other texts are not parsed for them. */
export function mayDecide(text: string): boolean {
  return anywhere.test(text)
}

/** Returns the directive that a tag is, or was meant to be: `Auth`, `protocols` and `auth:` are unknown tags and would be ignored. */
export function decidingTag(name: string): string | undefined {
  return byLower.get(alike.exec(name)?.[1]?.toLowerCase() ?? '')
}

/** Returns the directive after other text on a line. */
function decidingInside(text: string): string | undefined {
  return behind.exec(text.replace(/`[^`]*`/g, '``'))?.[1]
}

/**
 * Reports `@rpc` and its like after other text: TypeScript reads a tag there and comment-parser does not, so the
 * procedure would not be served, or not be guarded.
 */
export function findMisplaced(lines: readonly DocLine[], isMarked: boolean): DocProblem[] {
  return lines.flatMap((line, i) => {
    if (line.fenced) return []
    if (indentOf(line.text) >= codeIndent) return isText(lines[i - 1]) ? tagTooDeep(line, isMarked) : []
    const name = decidingInside(line.text)
    if (name === undefined || (name === 'rpc' ? isMarked : isOfTag(line.text))) return []
    return [{ message: `put @${name} on a line of its own`, line: line.line }]
  })
}

/** Directly below text a deeper line is neither a code block (CommonMark 0.31 section 4.4) nor a tag. Examples are code. */
function tagTooDeep({ text, line }: DocLine, isMarked: boolean): DocProblem[] {
  const [, name] = /^@(\w+)(?=\s|$)/.exec(text.trim()) ?? []
  return name !== undefined && decides(name) && !(name === 'rpc' && isMarked)
    ? [{ message: `put @${name} further to the left: here it is text`, line }]
    : []
}

function isText(line: DocLine | undefined): boolean {
  return (
    line !== undefined &&
    !/^(?:@example\b.*)?$/.test(line.text.trim()) &&
    !line.fenced &&
    indentOf(line.text) < codeIndent
  )
}

/** Text after a directive belongs to that directive, which reports unknown words itself. */
function isOfTag(text: string): boolean {
  return decidingTag(text.trim().slice(1)) !== undefined
}

/** Reports a code fence that never closes with directives below it, which would be ignored. */
export function findHiding(lines: readonly DocLine[], openFence: number): DocHiding | undefined {
  const tags = lines.filter(({ line }) => line > openFence).flatMap(tagOf)
  if (tags.length === 0) return undefined
  const names = [...new Set(tags)].map((name) => `@${name}`).join(', ')
  return { message: `a code fence that never closes hides ${names}`, line: openFence, tags }
}

function tagOf({ text }: DocLine): string[] {
  const [, name] = indentOf(text) < codeIndent ? (/^@([A-Za-z]+)(?=\s|$)/.exec(text.trim()) ?? []) : []
  return name !== undefined && (decides(name) || mayConstrain(`@${name}`)) ? [name] : []
}
