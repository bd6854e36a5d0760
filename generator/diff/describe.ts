import { describeConstraints } from '../../runtime/values/constraints.js'
import { type Branch, branchesOf, isConstant, type List, type Obj, type Scalar, type Type } from './type.js'

/** If there are more branches, the rest is counted; more members are left out, and parts that are nested deeper. */
const MAX = { branches: 6, members: 3, depth: 2 }

/** Describes a type in short TypeScript: `Int | null`, `'a' | 'b'`, `Order[]`. */
export function describeType(type: Type, depth = 0): string {
  const branches = branchesOf(type)
  const isNull = ({ kind }: Branch) => kind === 'null'
  const all = [...branches.filter((each) => !isNull(each)), ...branches.filter(isNull)]
  const words = [...new Set(all.map((each) => describeBranch(each, depth)))]
  const shown = words.slice(0, MAX.branches)
  const more = words.length > shown.length ? [`${words.length - shown.length} more`] : []
  return branches.length === 0 ? 'nothing' : [...shown, ...more].join(' | ')
}

function describeBranch(branch: Branch, depth: number): string {
  switch (branch.kind) {
    case 'literal':
      return typeof branch.value === 'string' ? `'${branch.value}'` : String(branch.value)
    case 'list':
      return branch.id === undefined ? describeList(branch, depth) : lastPart(branch.id)
    case 'object':
      return branch.id === undefined ? describeObject(branch, depth) : lastPart(branch.id)
    default:
      return wordOf(branch)
  }
}

/** `Order` of `#/components/schemas/Order.input`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.input$/, '')
}

function describeList({ prefix, rest }: List, depth: number): string {
  const element = describePart(rest, depth)
  const others = element.includes(' | ') ? `(${element})[]` : `${element}[]`
  if (prefix.length === 0) return others
  return `[${[...prefix.map((each) => describePart(each, depth)), ...(rest ? [`...${others}`] : [])].join(', ')}]`
}

function describePart(type: Type | undefined, depth: number): string {
  if (!type) return 'nothing'
  return depth > MAX.depth ? '…' : describeType(type, depth + 1)
}

function describeObject({ members, patterns, others }: Obj, depth: number): string {
  const all = [
    ...Array.from(members, ([name, { type, optional }]) => {
      const value = branchesOf(type).every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
      return `${name}${optional ? '?' : ''}${value}`
    }),
    ...Array.from(patterns, ([pattern, type]) => `[${pattern}]: ${describePart(type, depth)}`),
  ]
  const isRecord = others && branchesOf(others).length > 0
  if (all.length === 0 && isRecord) return `Record<string, ${describePart(others, depth)}>`
  const shown = [...all.slice(0, MAX.members), ...(all.length > MAX.members ? ['…'] : [])]
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`
}

/** The name of a type without its constraints. */
export function wordOf(branch: Branch): string {
  if (branch.kind === 'number' || branch.kind === 'text') return branch.word
  if (branch.kind !== 'opaque') return branch.kind
  const names = branch.keywords.map((each) => `"${each}"`)
  return names.length > 0 ? `schema with ${[...new Set(names)].join(' and ')}` : branch.text
}

/** `Int >= 1`, `string of at most 5 characters` */
export function describeConstrained(branch: Branch): string {
  const limits = 'limits' in branch ? (branch as Scalar | List).limits : []
  return `${describeBranch(branch, 0)} ${describeConstraints(Object.fromEntries(limits))}`.trimEnd()
}
