import { type Spec, tokenizers } from 'comment-parser'
import type { TagHead } from './blocks.js'
import type { DocLine } from './lines.js'
import { type Part, typePart } from './parts.js'
import { joinText } from './text.js'

/** Reads a tag with its continuation lines. */
export function readTag(head: TagHead, lines: readonly DocLine[]): Part {
  const line = lines[0]?.line ?? 0
  switch (head.name) {
    case 'param':
    case 'return':
    case 'returns':
    case 'throws':
      return readTyped(head.name, lines, line)
    default: {
      const continuation = lines.slice(1).map(({ text }) => text)
      const text = joinText(head.text, continuation)
      return { kind: 'tag', value: { name: head.name, text, firstLine: head.text.trim(), line } }
    }
  }
}

function readTyped(tag: string, lines: readonly DocLine[], line: number): Part {
  const spec = tokenize(tag, lines)
  const fault = spec.problems[0]
  if (fault !== undefined) return { kind: 'problem', value: { message: `@${tag}: ${fault.message}`, line } }
  const text = remainingText(lines)
  if (tag === 'param') return readParam(spec, text, line)
  if (tag === 'throws') return { kind: 'throws', value: { ...readThrown(spec, text), line } }
  return { kind: 'returns', value: { text, ...typePart(spec.type), line } }
}

/** comment-parser's tokenizers, on the lines that are left after fields were cut off; stops at the first problem. */
function tokenize(tag: string, lines: readonly DocLine[]): Spec {
  const source = lines.map((line) => line.source)
  const seed: Spec = { tag: '', name: '', type: '', optional: false, description: '', problems: [], source }
  const steps = [tokenizers.tag(), typeUnlessLink, ...(tag === 'param' ? [tokenizers.name()] : [])]
  return steps.reduce((spec, step) => (spec.problems.length > 0 ? spec : step(spec)), seed)
}

/** `@throws {@link X}` has an inline tag where others have a type. */
function typeUnlessLink(spec: Spec): Spec {
  const first = spec.source.find(({ tokens }) => tokens.description.trim() !== '')
  return first?.tokens.description.startsWith('{@') ? spec : tokenizers.type('preserve')(spec)
}

/** What the tokenizers left, which may begin some lines below the tag; a dash before the text goes. */
function remainingText(lines: readonly DocLine[]): string {
  const start = lines.findLastIndex(isTouched)
  const first = lines[start]?.source.tokens.description ?? ''
  const continuation = lines.slice(start + 1).map(({ text }) => text)
  return joinText(first.replace(/^-(?:\s+|$)/, ''), continuation)
}

/** True when a tokenizer took something from the line. */
function isTouched({ source: { tokens } }: DocLine): boolean {
  return tokens.tag !== '' || tokens.type !== '' || tokens.name !== ''
}

function readParam(spec: Spec, text: string, line: number): Part {
  if (spec.name === '' || spec.name === '-') {
    return { kind: 'problem', value: { message: '@param without a name', line } }
  }
  const optional = spec.optional ? { optional: true } : {}
  return { kind: 'param', value: { name: spec.name, text, ...typePart(spec.type), ...optional, line } }
}

/** JSDoc names the error in braces only; a leading number is an error code. */
function readThrown(spec: Spec, text: string): { readonly name: string; readonly text: string } {
  const code = spec.type === '' ? /^-?\d+(?=\s|$)/.exec(text)?.[0] : undefined
  return code === undefined ? { name: spec.type.trim(), text } : { name: code, text: text.slice(code.length).trim() }
}
