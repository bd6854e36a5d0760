// The lines of a doc comment without its stars, and the types of what is parsed from them:
//
//   /** Adds.\n *   @rpc math.add */  →  [{ text: 'Adds.', line: 0 }, { text: '  @rpc math.add', line: 1 }]
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
  // The parser does not know the line ends of old editors, which are lines to TypeScript.
  const source = parse(comment.replace(/\r\n?/g, '\n'), { tokenizers: [] })[0]?.source ?? []
  const margin = commonIndent(source.filter(lacksStar).map(({ tokens }) => tokens.start + tokens.description)).length
  const texts = source.map((line) => lineContent(line, margin))
  const { fenced, open } = findFences(texts)
  const lines = source.map((each, line) => ({ text: texts[line] ?? '', line, fenced: fenced.has(line), source: each }))
  return open === undefined ? { lines } : { lines, openFence: open }
}

/** True for a line without a star, except the first. */
function lacksStar({ tokens }: Line): boolean {
  return tokens.delimiter === ''
}

function lineContent({ tokens }: Line, margin: number): string {
  if (tokens.delimiter === '') return (tokens.start + tokens.description).slice(margin)
  if (tokens.delimiter === '*') return tokens.postDelimiter.slice(1) + tokens.description
  return tokens.description
}

/** What may precede a fence on its line: a tag, a field, a list marker. */
const fencePrefix = /^\s*(?:(?:@\S+|:\w+[^:]*:|[-*+]|\d+[.)])\s+)?/

/**
 * Finds the lines in a fenced code block (CommonMark 0.31 section 4.5), including the closing line and excluding the opening one. A
 * fence that never closes is a mistake, and `open` its index: no line is in it, so that it does not hide the tags below it.
 */
function findFences(lines: readonly string[]): { readonly fenced: ReadonlySet<number>; readonly open?: number } {
  const fenced = new Set<number>()
  for (const [open, line] of lines.entries()) {
    const mark = fenced.has(open) ? undefined : openingMark(line)
    if (mark === undefined) continue
    const end = lines.findIndex((other, i) => i > open && closes(mark, other))
    if (end === -1) return { fenced, open }
    for (let i = open + 1; i <= end; i += 1) fenced.add(i)
  }
  return { fenced }
}

/** A fence of backticks is not followed by a backtick: otherwise it is code within a line. */
function openingMark(line: string): string | undefined {
  const mark = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line.replace(fencePrefix, ''))
  return mark?.[1] ?? mark?.[2]
}

function closes(opening: string, line: string): boolean {
  const mark = line.trim()
  return mark.startsWith(opening) && mark === opening.charAt(0).repeat(mark.length)
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

/** Returns the text after a tag or a field and its continuation lines, without the white space that these share. */
export function joinText(first: string, continuation: readonly string[]): string {
  const { length } = commonIndent(continuation)
  const others = continuation.map((line) => (line.trim() === '' ? '' : line.slice(length)))
  return [first.trimEnd(), ...others].join('\n').trim()
}

function leadingSpace(text: string): string {
  return text.slice(0, text.length - text.trimStart().length)
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

/** A text of the comment and its line. */
export interface DocText {
  readonly text: string
  readonly line: number
}

/** A parameter as the comment documents it. The name is as written: `opts.deep` and unknown names included. */
export interface DocParam extends DocText {
  readonly name: string
  /** `20` of `@param [limit=20]`, as written. */
  readonly default?: string
}

/** Returns the parameter of a documented name: `order` for `order.note` and `order[].sku`. */
export function parameterOf(name: string): string {
  return name.replace(/[.[].*/s, '')
}

/** An error that the comment declares. */
export interface DocThrows extends DocText {
  /** A class name or an error code as written; empty when the comment gives none. */
  readonly name: string
}

/** Any other tag, for instance `@rpc user.create`. The text is everything up to the next tag or field, continuation lines dedented. */
export interface DocTag extends DocText {
  /** Without the `@`. */
  readonly name: string
  /** The part of the text on the tag's own line. */
  readonly firstLine: string
}

/** A problem in a comment. */
export interface DocProblem {
  readonly message: string
  readonly line: number
  /** What to do about it. */
  readonly hint?: string
}

/** A tag such as `@rpc` that is not at the beginning of a line. */
export interface MisplacedTag {
  readonly name: string
  readonly problem: DocProblem
}

/** A parsed doc comment. Every `line` counts from zero at the first line of the comment. */
export interface DocComment {
  /** The prose, without fields and tags; inner indentation and code blocks are kept. */
  readonly description: string
  /** In order of first occurrence; both styles merged. */
  readonly params: readonly DocParam[]
  /** The documentation of the returned value. */
  readonly returns?: DocText
  readonly throws: readonly DocThrows[]
  readonly tags: readonly DocTag[]
  /** In the order of their lines. */
  readonly problems: readonly DocProblem[]
  /** Directives after other text on their lines, which are also among the problems; usually absent. */
  readonly misplaced?: readonly MisplacedTag[]
}
