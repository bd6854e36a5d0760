import { describeConstraints } from '../../runtime/values/constraints.js'
import type { Signature } from './contract.js'
import { type Branch, isConstant, type Type } from './type.js'

/** More branches and params are counted; more members and elements are left out, and parts that are nested deeper or whose texts are longer. */
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
  return shorten(text, MAX.branch)
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
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
  const all = Array.from(firstOf(members.values(), MAX.elements), ({ type }) => describePart(type, depth))
  if (members.size > MAX.elements) all.push('…')
  return `[${[...all, ...(others ? [`...${further}`] : [])].join(', ')}]`
}

function describeObject({ members, patterns, others }: Branch, depth: number): string {
  const named = Array.from(firstOf(members, MAX.members), ([name, { type, optional }]) => {
    const value = type.branches.every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
    return `${name}${optional ? '?' : ''}${value}`
  })
  const matched = Array.from(firstOf(patterns, MAX.members), ([pattern, { type }]) => {
    return `[${pattern}]: ${describePart(type, depth)}`
  })
  const all = [...named, ...matched].slice(0, MAX.members)
  if (members.size + patterns.size > MAX.members) all.push('…')
  if (all.length > 0) return `{ ${all.join(', ')} }`
  return others && others.branches.length > 0 ? `Record<string, ${describePart(others, depth)}>` : '{}'
}

/** Reads no more of many values than are shown. */
function* firstOf<Value>(values: Iterable<Value>, count: number): Generator<Value> {
  let left = count
  for (const value of values) {
    yield value
    left -= 1
    if (left === 0) return
  }
}

/** `Int >= 1`, `string of at most 5 characters` */
export function describeConstrained(branch: Branch): string {
  return `${describeBranch(branch, 0)} ${describeConstraints(Object.fromEntries(branch.constraints))}`.trimEnd()
}

/** `(x: Int, y?: string)` */
export function describeSignature({ params }: Signature): string {
  const all = params.slice(0, MAX.params).map(({ name: full, optional, rest, type }) => {
    const [name, text] = [shorten(full, MAX.text), shorten(describeType(type), MAX.text)]
    if (rest) return `...${name}: ${text}`
    return optional ? `${name}?: ${text.replace(/ \| null$/, '')}` : `${name}: ${text}`
  })
  if (params.length > MAX.params) all.push(`${params.length - MAX.params} more`)
  return `(${all.join(', ')})`
}
