import type { MemberOf, ScalarKind } from '../values/types.js'
import { recordIndex } from './described-types.js'
import type { DescribedType, NameRef } from './description.js'

/** A piece of a type in TypeScript; `ref` if it is the name of a type. */
interface Piece {
  readonly text: string
  readonly ref?: true
}

/** Kinds that TypeScript has the same word for. */
type Word = 'number' | 'string' | 'boolean' | 'null' | 'undefined' | 'void'

/** Kinds that have another name in TypeScript. */
const typeNames: Readonly<Record<Exclude<ScalarKind, Word>, string>> = {
  int: 'Int',
  double: 'Double',
  date: 'Date',
  url: 'URL',
  any: 'unknown',
}

/** A type as TypeScript writes it, in pieces. */
export function piecesOf(type: DescribedType): readonly Piece[] {
  switch (type.kind) {
    case 'ref':
      return [{ text: type.name, ref: true }]
    case 'custom':
      return piecesOf(type.wire)
    case 'literal':
      return plain(literalText(type.value))
    case 'bigint':
      return plain(type.value === undefined ? 'bigint' : `${type.value}n`)
    case 'bytes':
      return plain(type.as)
    case 'template':
      return plain(type.text.startsWith('`') ? type.text : `\`${type.text}\``)
    case 'array':
      return [...grouped(type.element), ...plain('[]')]
    case 'set':
      return [...plain('Set<'), ...piecesOf(type.element), ...plain('>')]
    case 'map':
      return [...plain(`Map<${type.keys?.text ?? 'string'}, `), ...piecesOf(type.value), ...plain('>')]
    case 'union':
      return joined(type.branches.map(piecesOf), ' | ')
    case 'tuple':
      return [...plain('['), ...joined(elementsOf(type), ', '), ...plain(']')]
    case 'struct': {
      const index = recordIndex(type)
      return index && !index.keys
        ? [...plain('Record<string, '), ...piecesOf(index.type), ...plain('>')]
        : [...plain('{ '), ...joined(membersOf(type), '; '), ...plain(' }')]
    }
    default:
      return plain(typeNames[type.kind as keyof typeof typeNames] ?? type.kind)
  }
}

/** A type as TypeScript writes it. */
export function textOf(type: DescribedType): string {
  return piecesOf(type)
    .map(({ text }) => text)
    .join('')
}

function plain(text: string): readonly Piece[] {
  return [{ text }]
}

function grouped(type: DescribedType): readonly Piece[] {
  const isJoined = type.kind === 'union' || (type.kind === 'template' && type.text.includes('` & `'))
  return isJoined ? [...plain('('), ...piecesOf(type), ...plain(')')] : piecesOf(type)
}

function joined(texts: readonly (readonly Piece[])[], between: string): readonly Piece[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [...plain(between), ...text]))
}

function elementsOf(type: Extract<DescribedType, { kind: 'tuple' }>): (readonly Piece[])[] {
  const elements = type.elements.map((each, index) =>
    index < type.required ? piecesOf(each) : [...grouped(each), ...plain('?')],
  )
  return type.rest ? [...elements, [...plain('...'), ...grouped(type.rest), ...plain('[]')]] : elements
}

type Struct = Extract<DescribedType, { kind: 'struct' }>

function membersOf(type: Struct): (readonly Piece[])[] {
  const members = type.members.map((each) => [...plain(memberStart(each)), ...piecesOf(each.type)])
  const indexes = (type.indexes ?? []).map((each) => [
    ...plain(`[key: ${each.keys?.text ?? 'string'}]: `),
    ...piecesOf(each.type),
  ])
  return [...members, ...indexes]
}

function memberStart({ name, optional }: MemberOf<NameRef>): string {
  return `${isIdentifier(name) ? name : literalText(name)}${optional ? '?' : ''}: `
}

/** True if a name can be used after a dot, and as a key without quotes. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name)
}

/** A literal as TypeScript writes it, in single quotes. */
export function literalText(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  return `'${escapeControls(JSON.stringify(value)).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

const unseen = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Characters that are invisible, or that change the direction of the text around them, as the escapes of JSON, JavaScript and Python. */
export function escapeControls(text: string): string {
  return escapeUnseen(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`)
}

/** The same in another notation. */
export function escapeUnseen(text: string, write: (code: number) => string): string {
  return text.replace(unseen, (each) => write(each.charCodeAt(0)))
}
