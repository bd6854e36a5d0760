import { type Line, parse } from 'comment-parser'

/** A line of the comment without its star. */
export interface DocLine {
  /** The text; indentation after the star, or after the margin of a comment without stars, is kept. */
  readonly text: string
  readonly line: number
  /** True inside a code fence: no tag or field begins here, and no block ends. */
  readonly fenced: boolean
  /** The same line for comment-parser's tokenizers, which change it. */
  readonly source: Line
}

/** Splits the comment into lines; returns none for another kind of comment. `openFence` is the line of a fence that never closes. */
export function readLines(comment: string): { readonly lines: readonly DocLine[]; readonly openFence?: number } {
  const source = parse(comment, { tokenizers: [] })[0]?.source ?? []
  const margin = commonIndent(source.filter(isBare).map(({ tokens }) => tokens.start + tokens.description)).length
  const texts = source.map((line) => textOf(line, margin))
  const { fenced, open } = findFences(texts)
  const lines = source.map((line, i) => ({
    text: texts[i] ?? '',
    line: line.number,
    fenced: fenced[i] ?? false,
    source: line,
  }))
  const openFence = open === undefined ? undefined : lines[open]?.line
  return openFence === undefined ? { lines } : { lines, openFence }
}

/** True for a line without a star, except the first. */
function isBare({ tokens }: Line): boolean {
  return tokens.delimiter === ''
}

function textOf({ tokens }: Line, margin: number): string {
  if (tokens.delimiter === '') return (tokens.start + tokens.description).slice(margin)
  if (tokens.delimiter === '*') return tokens.postDelimiter.slice(1) + tokens.description
  return tokens.description
}

interface Fence {
  readonly mark: string
  readonly index: number
}

/** What may precede a fence on its line: a tag, a field, a list marker. */
const before = /^\s*(?:(?:@\S+|:\w+[^:]*:|[-*+]|\d+[.)])\s+)?/

/**
 * Finds the lines in a fenced code block (CommonMark 0.31 section 4.5), including the closing line and excluding the opening one.
 * `open` is the index of a fence that never closes.
 */
function findFences(lines: readonly string[]): { readonly fenced: readonly boolean[]; readonly open?: number } {
  let fence: Fence | undefined
  const fenced = lines.map((line, index) => {
    const inside = fence !== undefined
    if (fence === undefined) fence = opening(line, index)
    else if (closes(fence, line)) fence = undefined
    return inside
  })
  return fence === undefined ? { fenced } : { fenced, open: fence.index }
}

/** A fence of backticks is not followed by a backtick: otherwise it is code within a line. */
function opening(line: string, index: number): Fence | undefined {
  const mark = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line.replace(before, ''))
  return mark === null ? undefined : { mark: mark[1] ?? mark[2] ?? '', index }
}

function closes(fence: Fence, line: string): boolean {
  const mark = line.trim()
  return mark.startsWith(fence.mark) && mark === (fence.mark[0] ?? '').repeat(mark.length)
}

/** From this column on a line is an indented code block in Markdown: no tag and no field begins there. */
export const codeIndent = 4

/** The column of the first character; a tab goes to the next multiple of four, as in Markdown. */
export function indentOf(text: string): number {
  let column = 0
  for (const character of leadingSpace(text)) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** The white space that all lines begin with; blank lines do not count. */
function commonIndent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map(leadingSpace)
  return indents.reduce(commonStart, indents[0] ?? '')
}

/** The lines without the white space that they share; blank ones become empty. */
function dedent(lines: readonly string[]): string[] {
  const { length } = commonIndent(lines)
  return lines.map((line) => (line.trim() === '' ? '' : line.slice(length)))
}

/** Returns the text after a tag or a field and its continuation lines. */
export function joinText(first: string, continuation: readonly string[]): string {
  return [first.trimEnd(), ...dedent(continuation)].join('\n').trim()
}

function leadingSpace(text: string): string {
  return text.slice(0, text.length - text.trimStart().length)
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

/** A parameter as the comment documents it. The name is as written: `opts.deep` and unknown names included. */
export interface DocParam {
  readonly name: string
  /** Empty when only a type was given. */
  readonly text: string
  /** The type as written, white space collapsed. */
  readonly type?: string
  readonly line: number
}

/** The documentation of the returned value. */
export interface DocReturns {
  /** Empty when only a type was given. */
  readonly text: string
  readonly type?: string
  readonly line: number
}

/** An error that the comment declares. */
export interface DocThrows {
  /** A class name or an error code as written; empty when the comment gives none. */
  readonly name: string
  readonly text: string
  readonly line: number
}

/** Any other tag, for instance `@rpc user.create`. */
export interface DocTag {
  /** Without the `@`. */
  readonly name: string
  /** Everything up to the next tag or field, continuation lines dedented. */
  readonly text: string
  /** The part of the text on the tag's own line. */
  readonly firstLine: string
  readonly line: number
}

/** A problem in a comment. */
export interface DocProblem {
  readonly message: string
  readonly line: number
  /** What to do about it. */
  readonly hint?: string
}

/** A code fence that never closes, which is also among the problems, and the tags below it that have an effect. */
export interface DocHiding extends DocProblem {
  /** Without the `@`. */
  readonly tags: readonly string[]
}

/** A parsed doc comment. Every `line` counts from zero at the first line of the comment. */
export interface DocComment {
  /** The prose, without fields and tags; inner indentation and code blocks are kept. */
  readonly description: string
  /** In order of first occurrence; both styles merged. */
  readonly params: readonly DocParam[]
  readonly returns?: DocReturns
  readonly throws: readonly DocThrows[]
  readonly tags: readonly DocTag[]
  /** In the order of their lines. */
  readonly problems: readonly DocProblem[]
  /** A fence that hides tags; usually absent. */
  readonly hiding?: DocHiding
  /** Directives after other text on their lines, which are also among the problems; usually absent. */
  readonly misplaced?: readonly DocProblem[]
}
