// A doc comment to plain data, with `:param a:` of reST and `@param a` of JSDoc in any order:
//
//   /** Adds. @param a One @rpc */, on separate lines  →  { description: 'Adds.', params: [{ name: 'a', text: 'One' }], tags: [rpc] }
import { type Spec, tokenizers } from 'comment-parser'
import {
  codeIndent,
  type DocComment,
  type DocLine,
  type DocParam,
  type DocProblem,
  type DocTag,
  type DocText,
  type DocThrows,
  indentOf,
  joinText,
  readLines,
} from './lines.js'
import { tagTable } from './tag-table.js'
import { type FieldKind, fieldTags, findMisplaced, proseTags, tagProblems, untaggedOrder } from './tags.js'

/** What the fields and tags of a comment specify, in order. */
interface ParsedBlocks {
  readonly params: Map<string, DocParam>
  readonly returns: Map<string, DocText>
  readonly throws: DocThrows[]
  readonly tags: DocTag[]
  readonly problems: DocProblem[]
}

/**
 * Parses a doc comment: its raw text from `/**` to its end, with LF or CRLF, with or without stars, and with `:param x:` and
 * `@param x` in any order. Types in it are skipped: the compiler reads them. Never throws: mistakes are listed in `problems`. The
 * result is empty for another kind of comment.
 */
export function parseDocComment(source: string): DocComment {
  const { lines, openFence } = readLines(source)
  const blocks = splitBlocks(lines)
  const found: ParsedBlocks = { params: new Map(), returns: new Map(), throws: [], tags: [], problems: [] }
  for (const block of blocks) if (block.head) readBlock(block.head, block.lines, found)
  const { throws, problems } = found
  const tags = found.tags.map((tag) => (tagTable.get(tag.name)?.shown ? { ...tag, text: plainText(tag.text) } : tag))
  const misplaced = findMisplaced(lines, tags)
  problems.push(...tagProblems(tags), ...misplaced.map(({ problem }) => problem))
  if (openFence !== undefined)
    problems.push({
      message: 'a code fence that never closes',
      hint: 'close it with as many backticks or tildes as it begins with',
      line: openFence,
    })
  const [returns] = found.returns.values()
  return {
    description: descriptionIn(blocks),
    params: [...found.params.values()],
    ...(returns && { returns }),
    throws,
    tags,
    problems: problems.sort((a, b) => a.line - b.line),
    ...(misplaced.length > 0 && { misplaced }),
  }
}

/** Prose before and after a field are separate paragraphs; a summary is the first one, remarks and references are the last. */
function descriptionIn(blocks: readonly Block[]): string {
  const place = ({ head }: Block) => (head ? (proseTags.get(head.name) ?? -1) : untaggedOrder)
  const prose = blocks.filter((each) => place(each) >= 0).sort((a, b) => place(a) - place(b))
  const texts = prose.map(({ head, lines }) => {
    const text = joinText(head?.text ?? '', lineTexts(head ? lines.slice(1) : lines))
    return head?.name === 'see' && text !== '' ? `See ${text}` : text
  })
  return texts
    .map((text) => plainText(text))
    .filter((text) => text !== '')
    .join('\n\n')
}

function lineTexts(lines: readonly DocLine[]): string[] {
  return lines.map(({ text }) => text)
}

/** The beginning of a tag, `@name text`, or of a reST field, `:param Int x: text` (Sphinx, "Info field lists"). */
interface Head {
  /** As written, for instance `returns`. */
  readonly name: string
  /** The text between the name of a field and its second colon, trimmed; undefined for a tag. */
  readonly argument?: string
  readonly text: string
}

/** A field or a tag with everything that belongs to it, its own line first; prose without a head. */
interface Block {
  readonly head?: Head | undefined
  readonly lines: DocLine[]
}

const fieldLine = /^:(?:(param|type|raises?)(?:\s([^:]*))?|(returns?|yields?|rtype)\s*):\s*(.*)$/
/** `@scope/name` is not a tag. */
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

function findHead({ text, fenced }: DocLine): Head | undefined {
  if (fenced || indentOf(text) >= codeIndent) return undefined
  const tag = tagLine.exec(text.trim())
  if (tag) return { name: tag[1] ?? '', text: tag[2] ?? '' }
  const field = fieldLine.exec(text.trim())
  if (!field) return undefined
  const [, named = '', argument = '', unnamed = '', rest = ''] = field
  return { name: named || unnamed, argument: argument.trim(), text: rest }
}

/** A field continues over deeper lines, and over blank ones before a deeper one. */
function endsField({ head, lines }: Block, { text, fenced }: DocLine): boolean {
  if (head?.argument === undefined || fenced || text.trim() === '') return false
  return indentOf(text) <= indentOf(lines[0]?.text ?? '')
}

/** Reads a field or a tag with its continuation lines. */
function readBlock({ name, argument, text: first }: Head, lines: readonly DocLine[], found: ParsedBlocks): void {
  const line = lines[0]?.line ?? 0
  const others = lineTexts(lines.slice(1))
  const field = fieldTags.get(name)
  if (argument !== undefined) readField(name, argument, { text: shownText(joinText(first, others)), line }, found)
  else if (field) readTyped(name, field, lines, found)
  else if (proseTags.has(name)) return
  else found.tags.push({ name, text: joinText(first, others), firstLine: first.trim(), line })
}

function readField(field: string, argument: string, doc: DocText, found: ParsedBlocks): void {
  if (/^(?:return|yield)/.test(field)) addReturns(doc, found)
  else if (field.startsWith('raise')) found.throws.push({ name: argument, ...doc })
  // The last word is the name, the words before it are the type.
  else if (field === 'param') addParam(argument.split(/\s/).at(-1) ?? '', ':param:', doc, found)
}

/** Reads a tag that may have a type in braces; `tag` is its name as written. */
function readTyped(tag: string, field: FieldKind, lines: readonly DocLine[], found: ParsedBlocks): void {
  const line = lines[0]?.line ?? 0
  const { name, type, problems, default: given } = tokenize(field, lines)
  const raw = remainingText(lines)
  const text = shownText(raw)
  const [fault] = problems
  if (fault) found.problems.push({ message: `@${tag}: ${fault.message}`, line })
  else if (field === 'param') addParam(name, '@param', { text, line, ...(given && { default: given }) }, found)
  else if (field === 'throws') found.throws.push({ ...readThrown(type, raw), line })
  else addReturns({ text, line }, found)
}

/** Runs comment-parser's tokenizers on the lines of a tag; stops at the first problem. */
function tokenize(field: FieldKind, lines: readonly DocLine[]): Spec {
  const source = lines.map((line) => line.source)
  const seed: Spec = { tag: '', name: '', type: '', optional: false, description: '', problems: [], source }
  const steps = [tokenizers.tag(), typeUnlessLink, ...(field === 'param' ? [tokenizers.name()] : [])]
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
  return joinText(first.replace(/^-(?:\s+|$)/, ''), lineTexts(lines.slice(start + 1)))
}

/** JSDoc names the error in braces, TSDoc in a link at the beginning; a leading number is an error code. */
function readThrown(type: string, raw: string): { readonly name: string; readonly text: string } {
  const [written, code, name = type.trim()] = (type === '' ? thrown.exec(raw) : undefined) ?? ['']
  return { name: code ?? name, text: shownText(raw.slice(written.length).trim()) }
}

const thrown = /^(?:(-?\d+)(?=\s|$)|\{@link(?:code|plain)?\s+([\p{ID_Continue}$.]+)[^{}]*\}(?:\s*-(?=\s))?)/u

/** `{@inheritDoc}` belongs into a description. */
function shownText(text: string): string {
  return plainText(text, (target) => target)
}

function addParam(name: string, tag: string, doc: Omit<DocParam, 'name'>, { params, problems }: ParsedBlocks): void {
  if (name === '' || name === '-')
    problems.push({
      message: `${tag} without a name`,
      hint: `write ${tag} and the name of the parameter`,
      line: doc.line,
    })
  else add(params, { name, ...doc }, name, `parameter "${name}"`, problems)
}

function addReturns(doc: DocText, { returns, problems }: ParsedBlocks): void {
  add(returns, doc, '', 'the return', problems)
}

/** The first of several wins, and the text may follow where the first has none, as in `@param {Int} a`. */
function add<T extends DocText>(
  docs: Map<string, T>,
  doc: T,
  key: string,
  label: string,
  problems: DocProblem[],
): void {
  const first = docs.get(key) ?? doc
  docs.set(key, { ...first, text: first.text || doc.text })
  if (first !== doc && first.text !== '' && doc.text !== '')
    problems.push({ message: `${label} is documented twice`, hint: 'keep one of the descriptions', line: doc.line })
}

/** Code, in which braces are text; then `{@name content}` of JSDoc and TSDoc, perhaps with a label before it. */
const inlineTag = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)|(?:\[([^[\]\n]*)\])?\{@(\w+)(?!\w)([^{}]*)\}/g

const address = /^(?:https?:\/\/|mailto:)/i

/**
 * Returns a text with its inline tags as Markdown, for readers who have no links to the source: `{@link Order.id | its id}` is `its id`,
 * `{@link Order}` is `Order`, and `{@link https://example.org the site}` is `[the site](https://example.org)`. `inherited` returns the
 * docs that replace `{@inheritDoc}`; without it, the tag is kept for a later pass.
 */
export function plainText(text: string, inherited?: (target: string) => string): string {
  if (!text.includes('{@')) return text
  const plain = text.replace(inlineTag, (all: string, code?: string, label = '', tag = '', content = '') => {
    if (code !== undefined) return code
    const words = content.trim()
    switch (tag.toLowerCase()) {
      case 'link':
      case 'linkplain':
      case 'see':
      case 'tutorial':
        return linkText(label, words)
      case 'linkcode':
        return address.test(words) ? linkText(label, words) : `\`${linkText(label, words)}\``
      case 'code':
        return `\`${words}\``
      case 'inheritdoc':
        return inherited ? inherited(words) : all
      default:
        return all
    }
  })
  return plain === text ? text : plain.trim()
}

/** The target is the first word; TSDoc has a bar before the label. */
function linkText(before: string, content: string): string {
  const [, target = '', after = ''] = /^([^\s|]*)\s*\|?\s*([\s\S]*)$/.exec(content) ?? []
  const label = before || after.trim()
  if (!address.test(target)) return label || target
  return label === '' ? target : `[${label}](${target})`
}
