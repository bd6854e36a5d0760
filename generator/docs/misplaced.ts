import type { DocProblem } from './comment.js'
import { decides, decidingInside, decidingTag } from './deciding.js'
import type { DocLine } from './lines.js'
import { codeIndent, indentOf } from './text.js'

/**
 * An `@rpc` or its like behind other text: TypeScript takes it as a tag and comment-parser does not, so that nobody would
 * serve it, or close the door.
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

/** Right below text a deeper line is no code block (CommonMark 0.31 section 4.4), and no tag either; an example is code. */
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

/** Behind a tag that decides something it is a word of that one, which says itself that there is no such word. */
function isOfTag(text: string): boolean {
  return decidingTag(text.trim().slice(1)) !== undefined
}
