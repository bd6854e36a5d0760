import type { DocHiding, DocProblem } from './comment.js'
import { mayConstrain } from './constraint-tags.js'
import { codeIndent, type DocLine, indentOf } from './lines.js'

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
