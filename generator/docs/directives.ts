import type { DocHiding, DocProblem } from './comment.js'
import { mayConstrain } from './constraint-tags.js'
import { codeIndent, type DocLine, indentOf } from './lines.js'

/** Tags that decide what is served, to whom, and within which limits. */
const deciding = ['rpc', 'auth', 'namespace', 'protocol', 'timeout', 'maxBody']
const byLower = new Map(deciding.map((name) => [name.toLowerCase(), name]))

const names = deciding.join('|')
const anywhere = new RegExp(`@(?:${names})s?(?![\\w-])`, 'i')
const alike = new RegExp(`^(${names})s?(?![\\w-])`, 'i')
const behind = new RegExp(`\\S\\s+@(${names})(?=\\s|$)`)

/** Whether a tag, without its `@`, decides what is served. */
function decides(name: string): boolean {
  return deciding.includes(name)
}

/** Whether a text may have such a tag, or one that was meant to be: nothing else is parsed for them. */
export function mayDecide(text: string): boolean {
  return anywhere.test(text)
}

/** Which of them a tag is, or was meant to be: `Auth`, `protocols` and `auth:` are none, and open doors. */
export function decidingTag(name: string): string | undefined {
  return byLower.get(alike.exec(name)?.[1]?.toLowerCase() ?? '')
}

/** The one that stands behind other text on a line. */
function decidingInside(text: string): string | undefined {
  return behind.exec(text.replace(/`[^`]*`/g, '``'))?.[1]
}

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

/** A code fence that never closes, where tags that decide something stand below it: nobody would read them. */
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
