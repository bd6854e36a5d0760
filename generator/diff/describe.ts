import { describeConstraints } from '../../runtime/values/constraints.js'
import type { Signature } from './contract.js'
import { type Branch, isConstant, type Type } from './type.js'

/** More branches are counted; more members, elements and params are left out, and parts that are nested deeper or whose texts are longer. */
const MAX = { branches: 6, members: 3, elements: 8, params: 20, depth: 2, text: 200, branch: 1000 }

/** Describes a type in short TypeScript: `Int | null`, `'a' | 'b'`, `Order[]`. */
export function describeType(type: Type, depth = 0): string {
  return wordsOf(type, depth).join(' | ') || 'nothing'
}

function wordsOf(type: Type, depth: number): readonly string[] {
  type.words[depth] ??= wordsOfBranches(type, depth)
  return type.words[depth]
}

function wordsOfBranches({ branches, withoutNull }: Type, depth: number): readonly string[] {
  const all = [...withoutNull.branches, ...branches.filter(({ kind }) => kind === 'null')]
  const words = new Set<string>()
  for (const [i, each] of all.entries()) {
    if (words.size === MAX.branches) return [...words, `${all.length - i} more`]
    words.add(describeBranch(each, depth))
  }
  return [...words]
}

/** A value or a name may be long, and many methods may have it. */
function describeBranch(branch: Branch, depth: number): string {
  const { kind, id, word } = branch
  const describe = { list: describeList, object: describeObject }[kind as 'list' | 'object']
  // `Order` of `#/components/schemas/Order.input`.
  const name = id?.slice(id.lastIndexOf('/') + 1).replace(/\.input$/, '')
  const text = name ?? describe?.(branch, depth) ?? word
  return text.length > MAX.branch ? `${text.slice(0, MAX.branch)}…` : text
}

function describePart(type: Type, depth: number): string {
  const text = depth > MAX.depth ? '…' : describeType(type, depth + 1)
  return text.length > MAX.text ? '…' : text
}

function describeList({ members, others }: Branch, depth: number): string {
  const isUnion = others !== undefined && depth <= MAX.depth && wordsOf(others, depth + 1).length > 1
  const element = others ? describePart(others, depth) : 'nothing'
  const further = isUnion ? `(${element})[]` : `${element}[]`
  if (members.size === 0) return further
  const all = [...members.values()].slice(0, MAX.elements).map(({ type }) => describePart(type, depth))
  if (members.size > MAX.elements) all.push('…')
  return `[${[...all, ...(others ? [`...${further}`] : [])].join(', ')}]`
}

function describeObject({ members, patterns, others }: Branch, depth: number): string {
  const all = [
    ...[...members].slice(0, MAX.members).map(([name, { type, optional }]) => {
      const value = type.branches.every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
      return `${name}${optional ? '?' : ''}${value}`
    }),
    ...[...patterns].slice(0, MAX.members).map(([pattern, { type }]) => `[${pattern}]: ${describePart(type, depth)}`),
  ].slice(0, MAX.members)
  if (members.size + patterns.size > MAX.members) all.push('…')
  if (all.length > 0) return `{ ${all.join(', ')} }`
  return others && others.branches.length > 0 ? `Record<string, ${describePart(others, depth)}>` : '{}'
}

/** `Int >= 1`, `string of at most 5 characters` */
export function describeConstrained(branch: Branch): string {
  return `${describeBranch(branch, 0)} ${describeConstraints(Object.fromEntries(branch.constraints))}`.trimEnd()
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: Signature): string {
  const all = params.slice(0, MAX.params).map(({ name: whole, optional, rest, type }) => {
    const [name, text] = [whole, describeType(type)].map((each) => each.slice(0, MAX.text)) as [string, string]
    if (rest) return `...${name}: ${text}`
    return optional ? `${name}?: ${text.replace(/ \| null$/, '')}` : `${name}: ${text}`
  })
  return `(${[...all, ...(params.length > MAX.params ? [`${params.length - MAX.params} more`] : [])].join(', ')})`
}
