import type { DocHiding } from './comment.js'
import { mayConstrain } from './constraint-tags.js'
import { decides } from './deciding.js'
import type { DocLine } from './lines.js'
import { codeIndent, indentOf } from './text.js'

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
