import type { UnionType } from '../values/wire-type.js'
import type { DescribedType, TypesByName } from './description.js'
import { lookUp, type PlainType } from './lookup.js'

/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object as JSON has it. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const likeString: ReadonlySet<string> = new Set(['string', 'template', 'date', 'bytes', 'url', 'bigint'])
const likeNumber: ReadonlySet<string> = new Set(['int', 'double', 'number', 'bigint'])

/** Whether a value, as JSON carries it, looks like one of a type: good enough to choose a branch, no validation. */
export function fits(value: unknown, type: DescribedType, types: TypesByName): boolean {
  const plain = lookUp(type, types)
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
  if (fitting >= 0 || discriminant === undefined || !isObject(value)) return fitting
  return type.branches.findIndex((each) => {
    const plain = lookUp(each, types)
    const tag = plain.kind === 'struct' && plain.members.find(({ name }) => name === discriminant)
    return tag && fits(value[discriminant], tag.type, types)
  })
}
