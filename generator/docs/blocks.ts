import type { DocLine } from './lines.js'
import { codeIndent, indentOf } from './text.js'

/** A line that begins with a reST field, `:param Int x: text`. */
export interface FieldHead {
  readonly kind: 'field'
  /** As written, for instance `returns`. */
  readonly field: string
  /** What stands between the field's name and its second colon, trimmed. */
  readonly argument: string
  readonly text: string
}

/** A line that begins with a tag, `@name text`. */
export interface TagHead {
  readonly kind: 'tag'
  readonly name: string
  readonly text: string
}

/** Prose, or a field or tag with everything that belongs to it; the first line is the head's. */
export type Block = { readonly head: FieldHead | TagHead | { readonly kind: 'prose' }; readonly lines: DocLine[] }

const fieldLine = /^:(?:(param|type|raises?)(?:\s+([^:]*))?|(returns?|rtype)\s*):\s*(.*)$/
/** As comment-parser has it: `@scope/name` is none. */
const tagLine = /^@([^\s/]+)(?:\s+(.*))?$/

/** Splits the lines of a comment: a field or a tag ends whatever stands before it. */
export function splitBlocks(lines: readonly DocLine[]): Block[] {
  let current: Block = { head: { kind: 'prose' }, lines: [] }
  const blocks = [current]
  for (const line of lines) {
    const head = findHead(line) ?? (endsField(current, line) ? ({ kind: 'prose' } as const) : undefined)
    if (head !== undefined) {
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
  if (tag !== null) return { kind: 'tag', name: tag[1] ?? '', text: tag[2] ?? '' }
  const field = fieldLine.exec(text.trim())
  if (field === null) return undefined
  const [, named = '', argument = '', unnamed = '', rest = ''] = field
  return { kind: 'field', field: named || unnamed, argument: argument.trim(), text: rest }
}

/** A field goes on over deeper lines, and over blank ones before a deeper one. */
function endsField({ head, lines }: Block, { text, fenced }: DocLine): boolean {
  if (head.kind !== 'field' || fenced || text.trim() === '') return false
  return indentOf(text) <= indentOf(lines[0]?.text ?? '')
}
