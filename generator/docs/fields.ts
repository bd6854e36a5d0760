import type { FieldHead } from './blocks.js'
import type { DocLine } from './lines.js'
import { type Part, typePart } from './parts.js'
import { joinText } from './text.js'

/** Reads a reST field with its continuation lines (Sphinx, "Info field lists"). */
export function readField(head: FieldHead, lines: readonly DocLine[]): Part {
  const line = lines[0]?.line ?? 0
  const continuation = lines.slice(1).map(({ text }) => text)
  const text = joinText(head.text, continuation)
  switch (head.field) {
    case 'param':
    case 'type':
      return readParam(head, text, line)
    case 'rtype':
      return { kind: 'returns', value: { text: '', ...typePart(text), line } }
    case 'return':
    case 'returns':
      return { kind: 'returns', value: { text, line } }
    default:
      return { kind: 'throws', value: { name: head.argument, text, line } }
  }
}

/** `:param x:`, `:param Int x:` and `:type x:`: the last word is the name, words before it are the type. */
function readParam({ field, argument }: FieldHead, text: string, line: number): Part {
  const words = argument.split(/\s+/)
  const name = words.pop() ?? ''
  if (name === '') return { kind: 'problem', value: { message: `:${field}: without a name`, line } }
  if (field === 'type') return { kind: 'param', value: { name, text: '', ...typePart(text), line } }
  return { kind: 'param', value: { name, text, ...typePart(words.join(' ')), line } }
}
