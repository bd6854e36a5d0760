import { counted } from '../printable.js'
import {
  type Branch,
  bigintText,
  elementAt,
  furtherMembers,
  int32,
  isConstant,
  isInt32,
  type ObjectBranch,
  sentDate,
  type Type,
} from './type.js'

/** Describes a type in short TypeScript: `Int | null`, `'a' | 'b'`, `Order[]`. */
export function describeType(type: Type, depth = 0): string {
  return describeUnion(type.branches(), depth)
}

/** If there are more branches, the rest is counted. */
const shownBranches = 6

export function describeUnion(branches: readonly Branch[], depth = 0): string {
  if (branches.length === 0) return 'nothing'
  const booleans = [true, false].every((value) =>
    branches.some((each) => each.kind === 'literal' && each.value === value),
  )
  const isBoolean = (each: Branch) => booleans && each.kind === 'literal' && typeof each.value === 'boolean'
  const words = branches.filter((each) => !isBoolean(each)).map((each) => describeBranch(each, depth))
  const last = words.filter((each) => each !== 'null')
  const all = [...new Set([...last, ...(booleans ? ['boolean'] : []), ...words.filter((each) => each === 'null')])]
  const shown = all.slice(0, shownBranches)
  return [...shown, ...(all.length > shown.length ? [`${all.length - shown.length} more`] : [])].join(' | ')
}

export function describeBranch(branch: Branch, depth = 0): string {
  switch (branch.kind) {
    case 'literal':
      return typeof branch.value === 'string' ? `'${branch.value}'` : String(branch.value)
    case 'constant':
      return branch.text
    case 'number':
    case 'string':
      return baseOf(branch)
    case 'array': {
      if (branch.name) return branch.name
      if (branch.prefix.length === 0) return listOf(branch.rest, depth)
      const elements = branch.prefix.map((_, i) => partOf(elementAt(branch, i), depth))
      return `[${[...elements, ...(branch.rest ? [`...${listOf(branch.rest, depth)}`] : [])].join(', ')}]`
    }
    case 'object':
      return branch.name ?? describeObject(branch, depth)
    default:
      return branch.kind
  }
}

function listOf(element: Type | undefined, depth: number): string {
  const text = partOf(element, depth)
  return text.includes(' | ') ? `(${text})[]` : `${text}[]`
}

function partOf(type: Type | undefined, depth: number): string {
  if (!type) return 'nothing'
  return depth > 2 ? '…' : describeType(type, depth + 1)
}

/** More members than these are left out. */
const shownMembers = 3

function describeObject(branch: ObjectBranch, depth: number): string {
  const others = furtherMembers(branch)
  const members = [...branch.members].map(([name, { type, required }]) => {
    const value = type.branches().every(isConstant) ? `: ${describeType(type, depth + 1)}` : ''
    return `${name}${required ? '' : '?'}${value}`
  })
  const all = [...members, ...[...branch.patterns].map(([pattern, type]) => `[${pattern}]: ${partOf(type, depth)}`)]
  if (all.length === 0 && others) return `Record<string, ${partOf(others, depth)}>`
  const shown = [...all.slice(0, shownMembers), ...(all.length > shownMembers ? ['…'] : [])]
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`
}

/** The name of a number or a string type without its constraints. */
export function baseOf(branch: Branch): string {
  if (branch.kind === 'number') {
    if (isInt32(branch)) return 'Int'
    return branch.integer ? 'integer' : 'number'
  }
  if (branch.kind !== 'string') return branch.kind
  if (branch.formats.includes(sentDate) || branch.formats.includes('date-time')) return 'Date'
  if (branch.formats.includes('base64')) return 'bytes'
  return branch.patterns.includes(bigintText) ? 'bigint' : 'string'
}

/** The constraints of a number or a string in words, without those of its base; empty without any. */
export function constraintsOf(branch: Branch): string {
  const constraints: string[] = []
  const base = baseOf(branch)
  if (branch.kind === 'number') {
    const { least, most } = base === 'Int' ? int32 : { least: -Infinity, most: Infinity }
    if (branch.least !== least) constraints.push(`${branch.above ? '>' : '>='} ${branch.least}`)
    if (branch.most !== most) constraints.push(`${branch.below ? '<' : '<='} ${branch.most}`)
    constraints.push(...branch.steps.map((step) => `a multiple of ${step}`))
  }
  if (branch.kind === 'string') {
    const own = [sentDate, 'base64', ...(base === 'Date' ? ['date-time'] : [])]
    constraints.push(...lengths(branch, 'character'))
    if (base !== 'bigint') constraints.push(...branch.patterns.map((pattern) => `like ${pattern}`))
    constraints.push(...branch.formats.filter((each) => !own.includes(each)).map((each) => `in the format ${each}`))
  }
  if (branch.kind === 'array') {
    if (branch.prefix.length === 0) constraints.push(...lengths(branch, 'element'))
    if (branch.unique) constraints.push('without equal elements')
  }
  constraints.push(...(branch.opaque ?? []))
  return constraints.join(' and ')
}

function lengths({ least, most }: { readonly least: number; readonly most: number }, noun: string): string[] {
  return [
    ...(least > 0 ? [`of at least ${counted(least, noun)}`] : []),
    ...(most < Infinity ? [`of at most ${counted(most, noun)}`] : []),
  ]
}
