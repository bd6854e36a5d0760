import type { UnionType } from '../values/types.js'
import type { DescribedType, NameRef, TypesByName } from './description.js'

/** The types that a type is made of; a reference has none. */
export function partsOf(type: DescribedType): readonly DescribedType[] {
  switch (type.kind) {
    case 'array':
    case 'set':
      return [type.element]
    case 'map':
      return [type.value]
    case 'tuple':
      return [...type.elements, ...(type.rest ? [type.rest] : [])]
    case 'struct':
      return [...type.members.map((member) => member.type), ...(type.rest ? [type.rest] : [])]
    case 'union':
      return type.branches
    default:
      return []
  }
}

/** The same type, made of other parts. */
export function mapParts(type: DescribedType, change: (part: DescribedType) => DescribedType): DescribedType {
  switch (type.kind) {
    case 'array':
    case 'set':
      return { ...type, element: change(type.element) }
    case 'map':
      return { ...type, value: change(type.value) }
    case 'tuple':
      return { ...type, elements: type.elements.map(change), ...(type.rest ? { rest: change(type.rest) } : {}) }
    case 'struct': {
      const members = type.members.map((member) => ({ ...member, type: change(member.type) }))
      return { ...type, members, ...(type.rest ? { rest: change(type.rest) } : {}) }
    }
    case 'union':
      return { ...type, branches: type.branches.map(change) }
    default:
      return type
  }
}

/** The names that a type refers to directly. */
export function referencedNames(type: DescribedType): string[] {
  const names: string[] = []
  collectNames(type, names)
  return names
}

function collectNames(type: DescribedType, into: string[]): void {
  if (type.kind === 'ref') into.push(type.name)
  else for (const part of partsOf(type)) collectNames(part, into)
}

/** Whether a Set is limited in its size: a list with equal elements is then none. */
export function isCounted({ kind, constraints }: DescribedType): boolean {
  return kind === 'set' && (constraints?.minItems !== undefined || constraints?.maxItems !== undefined)
}

/** A type that is no reference. */
export type PlainType = Exclude<DescribedType, NameRef>

const unknown: PlainType = { kind: 'any' }

/** What a type stands for, references followed; `any` for a name that nothing has. */
export function resolveType(type: DescribedType, types: TypesByName): PlainType {
  let found = type
  for (let steps = 0; found.kind === 'ref'; steps++) {
    const next: DescribedType | undefined = types.get(found.name)?.type
    if (!next || steps > types.size) return unknown
    found = next
  }
  return found
}

/** The same, with what the reference itself demands over what the type with that name does. */
export function resolveConstrained(type: DescribedType, types: TypesByName): PlainType {
  const plain = resolveType(type, types)
  return { ...plain, constraints: { ...plain.constraints, ...type.constraints } }
}

/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object as JSON has it. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const likeString: ReadonlySet<string> = new Set(['string', 'template', 'date', 'bytes', 'url', 'bigint'])
const likeNumber: ReadonlySet<string> = new Set(['int', 'double', 'number', 'bigint'])

/** Whether a value, as JSON carries it, looks like one of a type: good enough to choose a branch, no validation. */
export function fits(value: unknown, type: DescribedType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'any') return true
  if (plain.kind === 'union') return plain.branches.some((each) => fits(value, each, types))
  if (plain.kind === 'literal') return plain.value === value
  if (value === null || value === undefined) return /^(null|undefined|void)$/.test(plain.kind)
  if (Array.isArray(value)) return fitsList(value, plain, types)
  if (typeof value === 'object') return fitsObject(value as JsonObject, plain, types)
  if (typeof value === 'boolean') return plain.kind === 'boolean'
  return (typeof value === 'string' ? likeString : likeNumber).has(plain.kind)
}

function fitsList(value: readonly unknown[], type: PlainType, types: TypesByName): boolean {
  if (type.kind === 'tuple')
    return value.length >= type.required && (!!type.rest || value.length <= type.elements.length)
  if (type.kind !== 'array' && type.kind !== 'set') return false
  return value.every((each) => fits(each, type.element, types))
}

function fitsObject(value: JsonObject, type: PlainType, types: TypesByName): boolean {
  if (type.kind === 'map') return Object.values(value).every((each) => fits(each, type.value, types))
  if (type.kind !== 'struct') return false
  return type.members.every((member) => {
    if (!Object.hasOwn(value, member.name)) return member.optional === true
    return fits(value[member.name], member.type, types)
  })
}

/** The place of the branch that a value is of; the first that shares its discriminant where none fits; -1 without any. */
export function branchOf(value: unknown, type: UnionType<never> | PlainType, types: TypesByName): number {
  if (type.kind !== 'union') return -1
  const fitting = type.branches.findIndex((each) => fits(value, each, types))
  const { discriminant } = type
  if (fitting >= 0 || discriminant === undefined || !isJsonObject(value)) return fitting
  return type.branches.findIndex((each) => {
    const plain = resolveType(each, types)
    const tag = plain.kind === 'struct' && plain.members.find(({ name }) => name === discriminant)
    return tag && fits(value[discriminant], tag.type, types)
  })
}
