import type { LazyType, StructType, TupleType, WireType } from '../manifest.js'
import { isInt, isStruct, type Struct } from '../predicates.js'

/**
 * How far the branches of a union are compared with a value. Below that only the kind counts: comparing all the way
 * down, at every level again, would take time without bounds where a type contains itself.
 */
const levels = 3

/**
 * The branches that a value may be of, unions in unions and references resolved. Each stands there once, or they would
 * double at every level of a type that contains itself in two of its branches.
 */
export function branchesFor(branches: readonly WireType[], value: unknown): WireType[] {
  return [...new Set(flatten(branches))].filter((branch) => fits(branch, value, levels))
}

function flatten(branches: readonly WireType[]): WireType[] {
  return branches.flatMap((branch) => {
    if (branch.kind === 'ref') return flatten([branch.type()])
    return branch.kind === 'union' ? flatten(branch.branches) : [branch]
  })
}

/** Whether a lowered value may be of a type. */
function fits(type: WireType, value: unknown, level: number): boolean {
  switch (type.kind) {
    case 'ref':
      return fits(type.type(), value, level)
    case 'union':
      return type.branches.some((branch) => fits(branch, value, level))
    case 'array':
    case 'set':
      return isList(value) && (level === 0 || value.every((each) => fits(type.element, each, level - 1)))
    case 'tuple':
      return isList(value) && (level === 0 || fitsTuple(type, value, level - 1))
    case 'struct':
      return isStruct(value) && (level === 0 || fitsStruct(type, value, level - 1))
    case 'map':
      return isStruct(value) && (level === 0 || Object.values(value).every((each) => fits(type.value, each, level - 1)))
    default:
      return fitsScalar(type, value)
  }
}

type Scalar = Exclude<WireType, { kind: 'ref' | 'union' | 'array' | 'set' | 'tuple' | 'struct' | 'map' }>

function fitsScalar(type: Scalar, value: unknown): boolean {
  switch (type.kind) {
    case 'any':
      return true
    case 'int':
      return isInt(value)
    case 'double':
      return typeof value === 'number'
    case 'template':
    case 'url':
      return typeof value === 'string'
    case 'date':
      return value instanceof Date
    case 'bytes':
      return value instanceof Uint8Array
    case 'literal':
      return value === type.value
    case 'null':
    case 'undefined':
    case 'void':
      return value === null || value === undefined
    default:
      return typeof value === type.kind
  }
}

function fitsTuple(type: TupleType<LazyType>, value: readonly unknown[], level: number): boolean {
  if (value.length < type.required) return false
  return value.every((each, i) => {
    const element = type.elements[i] ?? type.rest
    return element !== undefined && ((each ?? null) === null && i >= type.required ? true : fits(element, each, level))
  })
}

function fitsStruct(type: StructType<LazyType>, value: Struct, level: number): boolean {
  return type.members.every((member) => {
    const each = Object.hasOwn(value, member.name) ? value[member.name] : undefined
    return each === undefined && member.optional ? true : fits(member.type, each, level)
  })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** What an element of a list may be, all branches together. */
export function elementTypes(branches: readonly WireType[], index: number): WireType[] {
  return branches.flatMap((branch) => {
    if (branch.kind === 'array' || branch.kind === 'set') return [branch.element]
    if (branch.kind === 'tuple') return branch.elements[index] ?? branch.rest ?? []
    return branch.kind === 'any' ? [branch] : []
  })
}

/** What a member of a struct may be, all branches together; none when no branch declares it. */
export function memberTypes(branches: readonly WireType[], name: string): WireType[] {
  return branches.flatMap((branch) => {
    if (branch.kind === 'map') return [branch.value]
    if (branch.kind === 'any') return [branch]
    if (branch.kind !== 'struct') return []
    return branch.members.find((member) => member.name === name)?.type ?? branch.rest ?? []
  })
}

/** Whether a number goes out as a double whatever it is: where the branches have no other kind of number. */
export function onlyDouble(branches: readonly WireType[]): boolean {
  const numeric = branches.filter((branch) => ['int', 'double', 'number', 'any'].includes(branch.kind))
  return numeric.length > 0 && numeric.every((branch) => branch.kind === 'double')
}
