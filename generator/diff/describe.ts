import { describeConstraints } from '../../runtime/values/constraints.js'
import { type Branch, isConstant, type Type } from './type.js'

/**
 * If there are more branches, the rest is counted; more members and elements are left out, and parts that are nested deeper or whose
 * descriptions are longer.
 */
const MAX = { branches: 6, members: 3, elements: 8, depth: 2, text: 200, branch: 1000 }

/** Describes a type in short TypeScript: `Int | null`, `'a' | 'b'`, `Order[]`. */
export function describeType(type: Type, depth = 0): string {
  const words = branchWords(type, depth)
  return words.length === 0 ? 'nothing' : words.join(' | ')
}

function branchWords(type: Type, depth: number): readonly string[] {
  type.words[depth] ??= wordsOfBranches(type, depth)
  return type.words[depth]
}

function wordsOfBranches({ branches }: Type, depth: number): readonly string[] {
  const isNull = ({ kind }: Branch) => kind === 'null'
  const words = new Set<string>()
  // Each constant has words of its own.
  let more = 0
  const describe = (each: Branch) => {
    if (isConstant(each) && words.size >= MAX.branches) more += 1
    else words.add(describeBranch(each, depth))
  }
  for (const each of branches) if (!isNull(each)) describe(each)
  for (const each of branches) if (isNull(each)) describe(each)
  const shown = [...words].slice(0, MAX.branches)
  more += words.size - shown.length
  return more > 0 ? [...shown, `${more} more`] : shown
}

/** A value or a name may be long, and many methods may have it. */
function describeBranch(branch: Branch, depth: number): string {
  const text = wordsOfBranch(branch, depth)
  return text.length > MAX.branch ? `${text.slice(0, MAX.branch)}…` : text
}

function wordsOfBranch(branch: Branch, depth: number): string {
  const { kind, id } = branch
  if (kind !== 'list' && kind !== 'object') return branch.word
  // `Order` of `#/components/schemas/Order.input`.
  if (id !== undefined) return id.slice(id.lastIndexOf('/') + 1).replace(/\.input$/, '')
  return kind === 'list' ? describeList(branch, depth) : describeObject(branch, depth)
}

function describePart(type: Type | undefined, depth: number): string {
  if (!type) return 'nothing'
  const text = depth > MAX.depth ? '…' : describeType(type, depth + 1)
  return text.length > MAX.text ? '…' : text
}

function describeList({ members, others }: Branch, depth: number): string {
  const element = describePart(others, depth)
  const isUnion = others !== undefined && depth <= MAX.depth && branchWords(others, depth + 1).length > 1
  const further = isUnion ? `(${element})[]` : `${element}[]`
  if (members.size === 0) return further
  const first = Array.from(firstOf(members.values(), MAX.elements), ({ type }) => describePart(type, depth))
  const more = members.size > MAX.elements ? ['…'] : []
  return `[${[...first, ...more, ...(others ? [`...${further}`] : [])].join(', ')}]`
}

function describeObject({ members, patterns, others }: Branch, depth: number): string {
  const count = members.size + patterns.size
  const all = [
    ...Array.from(firstOf(members, MAX.members), ([name, { type, optional }]) => {
      const value = type.branches.every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
      return `${name}${optional ? '?' : ''}${value}`
    }),
    ...Array.from(
      firstOf(patterns, MAX.members),
      ([pattern, { type }]) => `[${pattern}]: ${describePart(type, depth)}`,
    ),
  ]
  const isRecord = others && others.branches.length > 0
  if (all.length === 0 && isRecord) return `Record<string, ${describePart(others, depth)}>`
  const shown = [...all.slice(0, MAX.members), ...(count > MAX.members ? ['…'] : [])]
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`
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
