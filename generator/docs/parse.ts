import { type Block, splitBlocks } from './blocks.js'
import type { DocComment } from './comment.js'
import { readField } from './fields.js'
import { findHiding } from './hiding.js'
import { readLines } from './lines.js'
import { mergeParams, mergeReturns } from './merge.js'
import { findMisplaced } from './misplaced.js'
import { type Part, valuesOf } from './parts.js'
import { readTag } from './tags.js'
import { joinText } from './text.js'

/**
 * Takes a doc comment apart.
 *
 * `source` is the raw text from `/**` to its end, with LF or CRLF, with or without stars. Both styles, `:param x:` and
 * `@param x`, in any order. Never throws: what is wrong is in `problems`. A text that is no doc comment gives an empty
 * result.
 */
export function parseDocComment(source: string): DocComment {
  const { lines, openFence } = readLines(source)
  const blocks = splitBlocks(lines)
  const parts = blocks.flatMap(readBlock)
  const tags = valuesOf(parts, 'tag')
  const hiding = openFence === undefined ? undefined : findHiding(lines, openFence)
  const message = hiding?.message ?? 'a code fence that never closes'
  const fence = openFence === undefined ? [] : [{ message, line: openFence }]
  const isMarked = tags.some(({ name }) => name === 'rpc')
  const misplaced = findMisplaced(lines, isMarked)
  const problems = [...valuesOf(parts, 'problem'), ...fence, ...misplaced]
  const params = mergeParams(valuesOf(parts, 'param'), problems)
  const returns = mergeReturns(valuesOf(parts, 'returns'), problems)
  return {
    description: describe(blocks),
    params,
    ...(returns === undefined ? {} : { returns }),
    throws: valuesOf(parts, 'throws'),
    tags,
    problems: problems.sort((a, b) => a.line - b.line),
    ...(hiding ? { hiding } : {}),
    ...(misplaced.length > 0 ? { misplaced } : {}),
  }
}

function readBlock({ head, lines }: Block): Part[] {
  if (head.kind === 'prose') return []
  return [head.kind === 'field' ? readField(head, lines) : readTag(head, lines)]
}

/** Prose before and after a field are paragraphs of their own. */
function describe(blocks: readonly Block[]): string {
  const prose = blocks.filter(({ head }) => head.kind === 'prose')
  const texts = prose.map(({ lines }) =>
    joinText(
      '',
      lines.map(({ text }) => text),
    ),
  )
  return texts.filter((text) => text !== '').join('\n\n')
}
