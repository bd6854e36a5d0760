import { describeConstraints } from '../../runtime/values/constraints.js'
import { type Branch, isConstant, type Type } from './type.js'

/**
 * If there are more branches, the rest is counted; more members and elements are left out, and parts that are nested deeper or whose
 * descriptions are longer.
 */
const MAX = { branches: 6, members: 3, elements: 8, depth: 2, text: 200 }

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
  const all = [...branches.filter((each) => !isNull(each)), ...branches.filter(isNull)]
  const words = [...new Set(all.map((each) => describeBranch(each, depth)))]
  const shown = words.slice(0, MAX.branches)
  const more = words.length > shown.length ? [`${words.length - shown.length} more`] : []
  return [...shown, ...more]
}

function describeBranch(branch: Branch, depth: number): string {
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
  const first = Array.from([...members.values()].slice(0, MAX.elements), ({ type }) => describePart(type, depth))
  const more = members.size > MAX.elements ? ['…'] : []
  return `[${[...first, ...more, ...(others ? [`...${further}`] : [])].join(', ')}]`
}

function describeObject({ members, patterns, others }: Branch, depth: number): string {
  const count = members.size + patterns.size
  const all = [
    ...Array.from([...members].slice(0, MAX.members), ([name, { type, optional }]) => {
      const value = type.branches.every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
      return `${name}${optional ? '?' : ''}${value}`
    }),
    ...Array.from(
      [...patterns].slice(0, MAX.members),
      ([pattern, { type }]) => `[${pattern}]: ${describePart(type, depth)}`,
    ),
  ]
  const isRecord = others && others.branches.length > 0
  if (all.length === 0 && isRecord) return `Record<string, ${describePart(others, depth)}>`
  const shown = [...all.slice(0, MAX.members), ...(count > MAX.members ? ['…'] : [])]
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`
}

/** `Int >= 1`, `string of at most 5 characters` */
export function describeConstrained(branch: Branch): string {
  return `${describeBranch(branch, 0)} ${describeConstraints(Object.fromEntries(branch.constraints))}`.trimEnd()
}
