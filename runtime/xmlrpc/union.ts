import { isInt, isStruct, member, type Struct } from '../values/predicates.js'
import type { LazyType, StructType, TupleType, UnionType, WireType } from '../values/types.js'
import { elementTypes, flattenUnion, memberTypes } from '../values/unions.js'

/**
 * The type by which a lowered value of a union is written: the one branch that fits. Where several do it is made of all
 * of them, so that the order of the branches decides nothing: a member or an element is of every type that any of these
 * gives it. Undefined where no branch fits.
 */
export function typeInUnion(union: UnionType<LazyType>, value: unknown): WireType | undefined {
  const branches = flattenUnion(union.branches).filter((branch) => fits(branch, value, levels))
  if (branches.length < 2) return branches[0]
  if (typeof value === 'number') return { kind: onlyDouble(branches) ? 'double' : 'any' }
  if (isList(value)) return sharedTuple(branches, value)
  return isStruct(value) ? sharedStruct(branches, value) : { kind: 'any' }
}

function sharedTuple(branches: readonly WireType[], value: readonly unknown[]): WireType {
  const elements = value.map((_, index) => oneOf(elementTypes(branches, index)))
  return { kind: 'tuple', elements, required: elements.length }
}

/** Of the members that any of the branches declares. */
function sharedStruct(branches: readonly WireType[], value: Struct): WireType {
  const members = Object.keys(value).map((name) => ({ name, types: memberTypes(branches, name) }))
  return {
    kind: 'struct',
    members: members
      .filter(({ types }) => types.length > 0)
      .map(({ name, types }) => ({ name, type: oneOf(types), optional: true })),
  }
}

function oneOf(types: readonly WireType[]): WireType {
  const branches = [...new Set(types)]
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}

/** Whether a number goes out as a double whatever it is: where the branches have no other kind of number. */
function onlyDouble(branches: readonly WireType[]): boolean {
  const numeric = branches.filter((branch) => ['int', 'double', 'number', 'any'].includes(branch.kind))
  return numeric.length > 0 && numeric.every((branch) => branch.kind === 'double')
}

/**
 * How far the branches of a union are compared with a value. Below that only the kind counts: comparing all the way
 * down, at every level again, would take time without bounds where a type contains itself.
 */
const levels = 3

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
  return type.members.every(({ name, type, optional }) => {
    const each = member(value, name)
    return each === undefined && optional ? true : fits(type, each, level)
  })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
