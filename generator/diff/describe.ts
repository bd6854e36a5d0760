import { describeConstraints } from '../../runtime/values/constraints.js'
import { isConstant } from './subtype.js'
import { type Branch, branchesOf, elementAt, furtherMembers, listOf, membersOf, shapeOf, type Type } from './type.js'

/** If there are more branches, the rest is counted; more members are left out, and parts that are nested deeper. */
const MAX = { branches: 6, members: 3, depth: 2 }

/** Describes a type in short TypeScript: `Int | null`, `'a' | 'b'`, `Order[]`. */
export function describeType(type: Type, depth = 0): string {
  const branches = branchesOf(type)
  const isNull = (each: Branch) => shapeOf(each) === 'null'
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
    case 'array':
    case 'set':
    case 'tuple': {
      if (branch.id) return lastPart(branch.id)
      const list = listOf(branch)
      if (list.prefix.length === 0) return describeList(list.rest, depth)
      const elements = list.prefix.map((_, i) => describePart(elementAt(list, i), depth))
      return `[${[...elements, ...(list.rest ? [`...${describeList(list.rest, depth)}`] : [])].join(', ')}]`
    }
    case 'struct':
    case 'map':
      return branch.id ? lastPart(branch.id) : describeObject(branch, depth)
    case 'opaque': {
      if (isConstant(branch)) return branch.keywords.join().replace(/^const /, '')
      const names = branch.keywords.map((each) => `"${each.split(' ', 1)[0]}"`)
      return `${describeBranch(branch.type as Branch, depth)} with ${[...new Set(names)].join(' and ')}`
    }
    default:
      return baseOf(branch)
  }
}

/** `Order` of `#/components/schemas/Order.input`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.input$/, '')
}

function describeList(element: Type | undefined, depth: number): string {
  const text = describePart(element, depth)
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

function describePart(type: Type | undefined, depth: number): string {
  if (!type) return 'nothing'
  return depth > MAX.depth ? '…' : describeType(type, depth + 1)
}

function describeObject(branch: Extract<Branch, { kind: 'struct' | 'map' }>, depth: number): string {
  const members = membersOf(branch)
  const others = furtherMembers(members)
  const declared = Array.from(members.declared, ([name, { type, optional }]) => {
    const value = branchesOf(type).every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
    return `${name}${optional ? '?' : ''}${value}`
  })
  const all = [
    ...declared,
    ...Array.from(members.patterns, ([pattern, type]) => `[${pattern}]: ${describePart(type, depth)}`),
  ]
  if (all.length === 0 && others) return `Record<string, ${describePart(others, depth)}>`
  const shown = [...all.slice(0, MAX.members), ...(all.length > MAX.members ? ['…'] : [])]
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`
}

const bases: Readonly<Partial<Record<Branch['kind'], string>>> = {
  ...{ int: 'Int', double: 'Double', date: 'Date', url: 'URL', undefined: 'null', void: 'null' },
}

/** The name of a type without its constraints. */
export function baseOf(branch: Branch): string {
  if (branch.kind === 'template') return branch.text
  if (branch.kind === 'number' && branch.constraints?.multipleOf === 1) return 'integer'
  if (branch.kind === 'bigint' && branch.value !== undefined) return `${branch.value}n`
  return (
    bases[branch.kind] ?? (shapeOf(branch) === 'list' || shapeOf(branch) === 'object' ? shapeOf(branch) : branch.kind)
  )
}

/** `Int >= 1`, `string of at most 5 characters` */
export function describeConstrained(branch: Branch): string {
  const { multipleOf, ...constraints } = branch.constraints ?? {}
  const own = multipleOf === undefined || multipleOf === 1 ? constraints : { ...constraints, multipleOf }
  return `${describeBranch(branch, 0)} ${describeConstraints(own)}`.trimEnd()
}
