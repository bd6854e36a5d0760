import { type Line, parse } from 'comment-parser'
import { findFences } from './fence.js'
import { commonIndent } from './text.js'

/** A line of the comment without its star. */
export interface DocLine {
  /** Indentation behind the star, or behind the margin of a comment without stars, is kept. */
  readonly text: string
  readonly line: number
  /** Inside a code fence: no tag and no field begins here, and no block ends. */
  readonly fenced: boolean
  /** The same line for comment-parser's tokenizers, which change it. */
  readonly source: Line
}

/** Splits the comment into lines; none when it is not a doc comment. `openFence` is the line of a fence that never closes. */
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

/** True for a line without a star, the opening one excepted. */
function isBare({ tokens }: Line): boolean {
  return tokens.delimiter === ''
}

function textOf({ tokens }: Line, margin: number): string {
  if (tokens.delimiter === '') return (tokens.start + tokens.description).slice(margin)
  if (tokens.delimiter === '*') return tokens.postDelimiter.slice(1) + tokens.description
  return tokens.description
}
