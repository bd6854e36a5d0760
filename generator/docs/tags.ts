import type { ProtocolName } from '../../runtime/protocols.js'
import { codeIndent, type DocComment, type DocLine, type DocProblem, type DocTag, indentOf } from './lines.js'
import { nearName } from './near.js'

/** Tags that may be written once: the second would be ignored without a message. */
const once = ['rpc', 'namespace', 'protocol', 'timeout', 'maxBody', 'params', 'mcpName']

/** Tags whose value is on their own line: text below was probably meant for the description. */
const oneLine = ['rpc', 'protocol', 'timeout', 'maxBody', 'params', 'wireName', 'mcpName']

/** Tags without a value, and the text that one may have. */
const flags = new Map<string, string | undefined>([
  ['idempotent', undefined],
  ['readonly', undefined],
  ['destructive', 'false'],
])

/** Names that no tool reads, and the tags that are meant. */
const misspelt = new Map([
  ...['throw', 'raise', 'raises'].map((name) => [name, 'throws'] as const),
  ...['parameter', 'parm', 'parms'].map((name) => [name, 'param'] as const),
])

/** Tags with documentation, and tags of a procedure that do not decide what is served. */
const describing = [
  ...['param', 'arg', 'argument', 'returns', 'return', 'yields', 'yield', 'throws', 'exception'],
  ...['description', 'desc', 'summary', 'remarks', 'see', 'example', 'deprecated', 'since', 'default', 'defaultValue'],
  ...['params', 'wireName', ...flags.keys()],
]

/**
 * Reports tags that a comment has twice, text that a tag ignores or that is below it, tags that contradict each other, and
 * misspelt ones, such as `@retruns` and `@Params`, which would be ignored. `@examples` is a tag of generators of JSON Schema.
 */
export function tagProblems(tags: readonly DocTag[]): DocProblem[] {
  return tags.flatMap(({ name, text, firstLine, line }, i): DocProblem[] => {
    const isRepeated = once.includes(name) && tags.findIndex((other) => other.name === name) < i
    const meant = misspelt.get(name) ?? (name === 'examples' ? undefined : nearName(wordOf(name), describing))
    const isBoth = name === 'destructive' && text === '' && tags.some((other) => other.name === 'readonly')
    return [
      ...(isRepeated ? [{ message: `@${name} is written twice`, hint: 'keep one of them', line }] : []),
      ...(oneLine.includes(name) && text !== firstLine
        ? [{ message: `text below @${name} is part of the tag: put it above`, line }]
        : []),
      ...(flags.has(name) && text !== '' && text !== flags.get(name)
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
export interface RpcTag {
  /** True when the comment has the tag. */
  readonly marked: boolean
  /** The public name, if the tag has one. */
  readonly name?: string
  /** True for a name with a leading dot: the namespace of the module is not prepended. */
  readonly isFull?: boolean
  readonly problems: readonly DocProblem[]
}

const methodName =
  /^[\p{L}\p{N}\p{ID_Continue}$][\p{L}\p{N}\p{ID_Continue}$:/-]*(?:\.[\p{L}\p{N}\p{ID_Continue}$:/-]+)*$/u

/** True for a dotted name; dash, colon and slash occur in method names as well (XML-RPC, "Payload format"). */
export function isMethodName(name: string): boolean {
  return methodName.test(name)
}

/** What the name of a procedure may consist of, for hints. */
export const allowedNames = 'letters, digits, _, $, -, : and /, with dots between'

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

/** The content of `@protocol`. */
export interface ProtocolTag {
  /** In the order written, without repetition; empty without the tag. */
  readonly protocols: readonly ProtocolName[]
  readonly problems: readonly DocProblem[]
}

/** Parses `@protocol json-rpc`, or several protocols with white space, commas or bars between them. */
export function protocolTag(doc: DocComment): ProtocolTag {
  const tag = doc.tags.find(({ name }) => name === 'protocol')
  const words = new Set(tag?.firstLine.split(/[\s,|]+/))
  const wrong = [...words].filter((word) => !isProtocol(word))
  return {
    protocols: [...words].filter(isProtocol),
    problems: wrong.map((word) => ({
      message: `@protocol: expected json-rpc or xml-rpc, got ${JSON.stringify(word)}`,
      line: tag?.line ?? 0,
    })),
  }
}

function isProtocol(word: string): word is ProtocolName {
  return word === 'json-rpc' || word === 'xml-rpc'
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
    const tag = doc.tags.find(({ name }) => name === kind.tag)
    if (!tag) continue
    const value = readValue(tag.firstLine, kind)
    if (value !== undefined && value >= 1 && value <= kind.max) limits[kind.limit] = value
    else problems.push({ ...invalidLimit(tag.firstLine, value, kind), line: tag.line })
  }
  return { limits, problems }
}

function readValue(text: string, { units }: LimitTag): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(text) ?? []
  return Object.hasOwn(units, unit) ? Math.round(Number(number) * (units[unit] ?? 0)) : undefined
}

function invalidLimit(text: string, value: number | undefined, { tag, units, max, example }: LimitTag) {
  const [smallest, ...others] = Object.keys(units)
  if (value !== undefined) {
    const hint = `write a value between 1${smallest} and ${max}${smallest}`
    return { message: `@${tag} ${text} is out of range`, hint }
  }
  const hint = `write a number and a unit (${[smallest, ...others].join(', ')}): @${tag} ${example}`
  return { message: `@${tag}: expected a number and a unit, got ${JSON.stringify(text)}`, hint }
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

/** Tags that decide what is served, to whom, and within which limits. */
const directives = ['rpc', 'auth', 'namespace', 'protocol', 'timeout', 'maxBody', 'mcp', 'mcpName']
const byLower = new Map(directives.map((name) => [name.toLowerCase(), name]))

const names = directives.join('|')
const alike = new RegExp(`^(${names})s?(?![\\w-])`, 'i')
const inside = new RegExp(`(?:^|\\s)@(${names})(?=\\s|$)`)

/** True if a text may have such a tag, or a misspelt one. Other texts are not parsed for them. */
export function mayHaveDirective(text: string): boolean {
  return [...text.matchAll(/@([\w-]+)/g)].some(([, name = '']) => directiveOf(name) !== undefined)
}

/**
 * Returns the directive that a tag is, or was meant to be: `Auth`, `auht`, `protocols`, `auth:` and `authenticated` are unknown tags and
 * would be ignored.
 */
export function directiveOf(name: string): string | undefined {
  const alikeName = byLower.get(alike.exec(name)?.[1]?.toLowerCase() ?? '')
  return alikeName ?? nearName(wordOf(name), directives) ?? (aboutAuth.test(name) ? 'auth' : undefined)
}

/** What other tools call it. */
const aboutAuth = /^auth(?:[nz]|enticat(?:e|ed|ion)|ori[sz](?:e|ed|ation))\b/i

/** `auth` of `auth:`. */
function wordOf(name: string): string {
  return /^[\w-]*/.exec(name)?.[0] ?? ''
}

/**
 * Reports directives that are not at the beginning of a line: TypeScript reads a tag there and this parser does not, so the
 * procedure would not be served, or not be guarded.
 */
export function findMisplaced(lines: readonly DocLine[], tags: readonly DocTag[]): DocProblem[] {
  const isMarked = tags.some(({ name }) => name === 'rpc')
  return lines.flatMap(({ text, fenced, line }, i) => {
    const isDeep = indentOf(text) >= codeIndent
    if (fenced || (isDeep && !isText(lines[i - 1]))) return []
    // Text after a directive belongs to that directive, which reports unknown words itself.
    if (!isDeep && directiveOf(text.trim().slice(1)) !== undefined) return []
    const [, name] = inside.exec(text.replace(/`[^`]*`/g, '``')) ?? []
    if (name === undefined || (name === 'rpc' && isMarked)) return []
    const isAlone = text.trim().startsWith(`@${name}`)
    return [
      { message: `put @${name} ${isAlone ? 'further to the left: here it is text' : 'on a line of its own'}`, line },
    ]
  })
}

/** Directly below text a deeper line is not a code block (CommonMark 0.31 section 4.4). Examples are code. */
function isText(line: DocLine | undefined): boolean {
  return (
    line !== undefined &&
    !/^(?:@example\b.*)?$/.test(line.text.trim()) &&
    !line.fenced &&
    indentOf(line.text) < codeIndent
  )
}
