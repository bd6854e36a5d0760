// Every doc tag of a procedure: where it may be written, and what it specifies. `@timeout 30s` is a row of `tagTable`, which decides
// that it may be written once and also in the comment of a module, and the reader of `timeoutMs` in `metadata`, which makes 30000 of it.

import type { ProtocolName } from '../../runtime/protocols.js'
import type { TagMeta } from '../model/model.js'
import type { DocComment, DocProblem, DocTag } from './lines.js'

interface TagRow {
  /** It decides what is served, to whom or within which limits: one that is misspelt or misplaced is an error, wherever it is. */
  readonly directive?: true
  /** It may be in the comment of a module, for all procedures in it; `exclusive`: only there. */
  readonly ofModule?: true | 'exclusive'
  /** It may be written once: the second would be ignored without a message. */
  readonly once?: true
  /** Its value is on its own line: text below was probably meant for the description. */
  readonly oneLine?: true
  /** It has no text, or only this one. */
  readonly fixedText?: string
  /** Callers read its text. */
  readonly shown?: true
}

const table = {
  rpc: { directive: true, once: true, oneLine: true },
  auth: { directive: true, ofModule: true },
  namespace: { directive: true, ofModule: 'exclusive', once: true },
  protocol: { directive: true, ofModule: true, once: true, oneLine: true },
  timeout: { directive: true, ofModule: true, once: true, oneLine: true },
  maxBody: { directive: true, ofModule: true, once: true, oneLine: true },
  mcp: { directive: true, shown: true },
  mcpName: { directive: true, once: true, oneLine: true },
  params: { once: true, oneLine: true },
  wireName: { oneLine: true },
  deprecated: { shown: true },
  since: { shown: true },
  idempotent: { fixedText: '' },
  readonly: { fixedText: '' },
  destructive: { fixedText: 'false' },
} as const satisfies Readonly<Record<string, TagRow>>

type TagName = keyof typeof table

export const tagTable: ReadonlyMap<string, TagRow> = new Map(Object.entries(table))

/** Returns the names of the tags whose rows fulfil a condition. */
export function tagsWith(has: (row: TagRow) => unknown): string[] {
  return [...tagTable].flatMap(([name, row]) => (has(row) ? [name] : []))
}

/** Tags in the comment of a procedure, or of its module for all procedures in it. */
export const sharedTags: readonly string[] = tagsWith(({ ofModule }) => ofModule === true)

interface Reader<Value> {
  readonly tag: TagName
  /** Returns undefined if the tag does not specify it. */
  read(tag: DocTag): Value | Unreadable | undefined
}

/** Why the text of a tag cannot be read. */
class Unreadable {
  readonly problems: readonly Omit<DocProblem, 'line'>[]

  constructor(problems: Unreadable['problems']) {
    this.problems = problems
  }
}

const metadata: { readonly [Key in keyof TagMeta]-?: Reader<NonNullable<TagMeta[Key]>> } = {
  protocols: { tag: 'protocol', read: readProtocols },
  timeoutMs: {
    tag: 'timeout',
    // The longest delay of a timer.
    read: readLimit({ units: { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }, max: 2 ** 31 - 1, example: '30s' }),
  },
  bodyBytes: {
    tag: 'maxBody',
    read: readLimit({
      units: { B: 1, kB: 1000, MB: 1e6, KiB: 1024, MiB: 2 ** 20 },
      max: Number.MAX_SAFE_INTEGER,
      example: '8MiB',
    }),
  },
  deprecated: { tag: 'deprecated', read: () => true },
  deprecation: { tag: 'deprecated', read: ({ text }) => text || undefined },
  since: { tag: 'since', read: ({ text }) => text || undefined },
  idempotent: { tag: 'idempotent', read: () => true },
  mcp: { tag: 'mcp', read: ({ text }) => text || true },
  mcpName: { tag: 'mcpName', read: ({ firstLine }) => firstLine },
  readonly: { tag: 'readonly', read: () => true },
  destructive: { tag: 'destructive', read: ({ text }) => text !== 'false' },
}

const metaTags = new Set<string>(Object.values(metadata).map(({ tag }) => tag))

/** Returns what the tags of a comment specify; those that cannot be read are problems. */
export function readMeta({ tags }: Pick<DocComment, 'tags'>): {
  readonly meta: TagMeta
  readonly problems: readonly DocProblem[]
} {
  const problems: DocProblem[] = []
  if (!tags.some(({ name }) => metaTags.has(name))) return { meta: {}, problems }
  const found = Object.entries(metadata).flatMap(([key, { tag: name, read }]: [string, Reader<unknown>]) => {
    const tag = tags.find((each) => each.name === name)
    const value = tag && read(tag)
    if (!(value instanceof Unreadable)) return value === undefined ? [] : [[key, value]]
    problems.push(...value.problems.map((each) => ({ ...each, line: tag?.line ?? 0 })))
    return []
  })
  return { meta: Object.fromEntries(found), problems }
}

/** Returns the tags that specify metadata. */
export function tagsOfMeta(meta: TagMeta): string[] {
  return Object.keys(meta).map((key) => metadata[key as keyof TagMeta].tag)
}

/** Reads `json-rpc`, or several protocols with white space, commas or bars between them, without repetition. */
function readProtocols({ firstLine }: DocTag): readonly ProtocolName[] | Unreadable {
  const words = [...new Set(firstLine.split(/[\s,|]+/))]
  const wrong = words.filter((word) => !isProtocol(word))
  if (wrong.length === 0) return words.filter(isProtocol)
  return new Unreadable(
    wrong.map((word) => ({ message: `@protocol: expected json-rpc or xml-rpc, got ${JSON.stringify(word)}` })),
  )
}

function isProtocol(word: string): word is ProtocolName {
  return word === 'json-rpc' || word === 'xml-rpc'
}

interface UnitLimit {
  /** The value of each unit in the smallest one, which is the first. */
  readonly units: Readonly<Record<string, number>>
  /** In the smallest unit. */
  readonly max: number
  readonly example: string
}

/** Reads a number and its unit, rounded to whole numbers of the smallest one. */
function readLimit({ units, max, example }: UnitLimit): (tag: DocTag) => number | Unreadable {
  const [smallest, ...others] = Object.keys(units)
  return ({ name, firstLine }) => {
    const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(firstLine) ?? []
    if (!Object.hasOwn(units, unit)) {
      const hint = `write a number and a unit (${[smallest, ...others].join(', ')}): @${name} ${example}`
      return new Unreadable([
        { message: `@${name}: expected a number and a unit, got ${JSON.stringify(firstLine)}`, hint },
      ])
    }
    const value = Math.round(Number(number) * (units[unit] ?? 0))
    if (value >= 1 && value <= max) return value
    const hint = `write a value between 1${smallest} and ${max}${smallest}`
    return new Unreadable([{ message: `@${name} ${firstLine} is out of range`, hint }])
  }
}
