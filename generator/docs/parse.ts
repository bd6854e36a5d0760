import { type Spec, tokenizers } from 'comment-parser'
import {
  codeIndent,
  type DocComment,
  type DocLine,
  type DocParam,
  type DocProblem,
  type DocReturns,
  type DocTag,
  type DocThrows,
  indentOf,
  joinText,
  readLines,
} from './lines.js'
import { findHiding, findMisplaced } from './tags.js'

/** What the fields and tags of a comment specify, in order. */
interface Found {
  readonly params: DocParam[]
  readonly returns: DocReturns[]
  readonly throws: DocThrows[]
  readonly tags: DocTag[]
  readonly problems: DocProblem[]
}

/**
 * Parses a doc comment: its raw text from `/**` to its end, with LF or CRLF, with or without stars, and with `:param x:` and
 * `@param x` in any order. Never throws: mistakes are listed in `problems`. The result is empty for another kind of comment.
 */
export function parseDocComment(source: string): DocComment {
  const { lines, openFence } = readLines(source)
  const blocks = splitBlocks(lines)
  const found: Found = { params: [], returns: [], throws: [], tags: [], problems: [] }
  for (const { head, lines: own } of blocks) {
    if (head?.kind === 'field') readField(head, own, found)
    else if (head) readTag(head, own, found)
  }
  const { throws, tags, problems } = found
  const hiding = openFence === undefined ? undefined : findHiding(lines, openFence)
  if (openFence !== undefined) problems.push(hiding ?? { message: 'a code fence that never closes', line: openFence })
  const isMarked = tags.some(({ name }) => name === 'rpc')
  const misplaced = findMisplaced(lines, isMarked)
  problems.push(...misplaced)
  const params = joined(
    found.params,
    ({ name }) => name,
    ({ name }) => `parameter "${name}"`,
    problems,
  )
  const [returns] = joined(
    found.returns,
    () => '',
    () => 'the return',
    problems,
  )
  return {
    description: describe(blocks),
    params,
    ...(returns === undefined ? {} : { returns }),
    throws,
    tags,
    problems: problems.map(({ message, line }) => ({ message, line })).sort((a, b) => a.line - b.line),
    ...(hiding ? { hiding } : {}),
    ...(misplaced.length > 0 ? { misplaced } : {}),
  }
}

/** Prose before and after a field are separate paragraphs. */
function describe(blocks: readonly Block[]): string {
  const prose = blocks.filter(({ head }) => head === undefined).map(({ lines }) => joinText('', textsOf(lines)))
  return prose.filter((text) => text !== '').join('\n\n')
}

function textsOf(lines: readonly DocLine[]): string[] {
  return lines.map(({ text }) => text)
}

/** A line that begins with a reST field, `:param Int x: text`. */
interface FieldHead {
  readonly kind: 'field'
  /** As written, for instance `returns`. */
  readonly field: string
  /** The text between the field's name and its second colon, trimmed. */
  readonly argument: string
  readonly text: string
}

/** A line that begins with a tag, `@name text`. */
interface TagHead {
  readonly kind: 'tag'
  readonly name: string
  readonly text: string
}

/** A field or a tag with everything that belongs to it, its own line first; prose without a head. */
interface Block {
  readonly head?: FieldHead | TagHead | undefined
  readonly lines: DocLine[]
}

const fieldLine = /^:(?:(param|type|raises?)(?:\s+([^:]*))?|(returns?|yields?|rtype)\s*):\s*(.*)$/
/** As in comment-parser: `@scope/name` is not a tag. */
const tagLine = /^@([^\s/]+)(?:\s+(.*))?$/

/** Splits the lines of a comment: a field or a tag ends the block before it. */
function splitBlocks(lines: readonly DocLine[]): Block[] {
  let current: Block = { lines: [] }
  const blocks = [current]
  for (const line of lines) {
    const head = findHead(line)
    if (head || endsField(current, line)) {
      current = { head, lines: [] }
      blocks.push(current)
    }
    current.lines.push(line)
  }
  return blocks
}

function findHead({ text, fenced }: DocLine): FieldHead | TagHead | undefined {
  if (fenced || indentOf(text) >= codeIndent) return undefined
  const tag = tagLine.exec(text.trim())
  if (tag) return { kind: 'tag', name: tag[1] ?? '', text: tag[2] ?? '' }
  const field = fieldLine.exec(text.trim())
  if (!field) return undefined
  const [, named = '', argument = '', unnamed = '', rest = ''] = field
  return { kind: 'field', field: named || unnamed, argument: argument.trim(), text: rest }
}

/** A field continues over deeper lines, and over blank ones before a deeper one. */
function endsField({ head, lines }: Block, { text, fenced }: DocLine): boolean {
  if (head?.kind !== 'field' || fenced || text.trim() === '') return false
  return indentOf(text) <= indentOf(lines[0]?.text ?? '')
}

/** A type as written, white space collapsed; absent if there is none. */
function typePart(type: string): { readonly type?: string } {
  const collapsed = type.replace(/\s+/g, ' ').trim()
  return collapsed === '' ? {} : { type: collapsed }
}

/** Reads a reST field with its continuation lines (Sphinx, "Info field lists"). */
function readField({ field, argument, text: first }: FieldHead, lines: readonly DocLine[], found: Found): void {
  const line = lines[0]?.line ?? 0
  const text = joinText(first, textsOf(lines.slice(1)))
  if (field === 'rtype') found.returns.push({ text: '', ...typePart(text), line })
  else if (/^(?:return|yield)/.test(field)) found.returns.push({ text, line })
  else if (field.startsWith('raise')) found.throws.push({ name: argument, text, line })
  else {
    // The last word is the name, the words before it are the type.
    const [, type = '', name = ''] = /^(?:(.*)\s)?(\S*)$/s.exec(argument) ?? []
    if (name === '') found.problems.push({ message: `:${field}: without a name`, line })
    else if (field === 'type') found.params.push({ name, text: '', ...typePart(text), line })
    else found.params.push({ name, text, ...typePart(type), line })
  }
}

/** Reads a tag with its continuation lines. */
function readTag({ name: tag, text: first }: TagHead, lines: readonly DocLine[], found: Found): void {
  const line = lines[0]?.line ?? 0
  if (!/^(?:param|returns?|yields?|throws)$/.test(tag)) {
    found.tags.push({ name: tag, text: joinText(first, textsOf(lines.slice(1))), firstLine: first.trim(), line })
    return
  }
  const { name, type, problems } = tokenize(tag, lines)
  const text = remainingText(lines)
  const [fault] = problems
  if (fault) found.problems.push({ message: `@${tag}: ${fault.message}`, line })
  else if (tag === 'throws') found.throws.push({ ...readThrown(type, text), line })
  else if (tag !== 'param') found.returns.push({ text, ...typePart(type), line })
  else if (name === '' || name === '-') found.problems.push({ message: '@param without a name', line })
  else found.params.push({ name, text, ...typePart(type), line })
}

/** Runs comment-parser's tokenizers on the lines without fields; stops at the first problem. */
function tokenize(tag: string, lines: readonly DocLine[]): Spec {
  const source = lines.map((line) => line.source)
  const seed: Spec = { tag: '', name: '', type: '', optional: false, description: '', problems: [], source }
  const steps = [tokenizers.tag(), typeUnlessLink, ...(tag === 'param' ? [tokenizers.name()] : [])]
  return steps.reduce((spec, step) => (spec.problems.length > 0 ? spec : step(spec)), seed)
}

/** `@throws {@link X}` has an inline tag where other tags have a type. */
function typeUnlessLink(spec: Spec): Spec {
  const first = spec.source.find(({ tokens }) => tokens.description.trim() !== '')
  return first?.tokens.description.startsWith('{@') ? spec : tokenizers.type('preserve')(spec)
}

/** Returns what the tokenizers left, which may begin some lines below the tag, without a leading dash. */
function remainingText(lines: readonly DocLine[]): string {
  const start = lines.findLastIndex(({ source: { tokens } }) => tokens.tag + tokens.type + tokens.name !== '')
  const first = lines[start]?.source.tokens.description ?? ''
  return joinText(first.replace(/^-(?:\s+|$)/, ''), textsOf(lines.slice(start + 1)))
}

/** JSDoc names the error in braces only; a leading number is an error code. */
function readThrown(type: string, text: string): { readonly name: string; readonly text: string } {
  const code = type === '' ? /^-?\d+(?=\s|$)/.exec(text)?.[0] : undefined
  return code === undefined ? { name: type.trim(), text } : { name: code, text: text.slice(code.length).trim() }
}

/** Merges what fields and tags document about the same thing, in order of the first: a later one adds what an earlier one left out. */
function joined<T extends DocReturns>(
  all: readonly T[],
  keyOf: (each: T) => string,
  show: (each: T) => string,
  problems: DocProblem[],
): T[] {
  const byKey = new Map<string, T>()
  for (const each of all) {
    const first = byKey.get(keyOf(each)) ?? each
    byKey.set(keyOf(each), { ...each, ...first, text: first.text || each.text })
    if (first === each) continue
    const { line } = each
    if (first.text !== '' && each.text !== '') problems.push({ message: `${show(each)} is documented twice`, line })
    const types = new Set([first.type, each.type].filter((type) => type !== undefined))
    if (types.size > 1) problems.push({ message: `${show(each)} has two types: ${[...types].join(', ')}`, line })
  }
  return [...byKey.values()]
}
