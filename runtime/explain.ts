import { hasName, memberTypes, structsOf } from './branches.js'
import { describeValue } from './describe.js'
import { firstIssues, type Issue } from './issue.js'
import { explainNearest } from './nearest.js'
import { memberPath } from './path.js'
import { isBytes, isDate, isInt, isNumber, isStruct, isUrl, member as own, type Struct } from './predicates.js'
import { meets } from './schema/constraints.js'
import { unlike } from './unlike.js'
import type { LazyType, Member, StructType, TupleType, UnionType, WireType } from './wire-type.js'

/** Says why a value is not of a type. */
export function explain(type: WireType, value: unknown, path: string): Issue[] {
  const issues = explainKind(type, value, path)
  if (!type.constraints || issues.length > 0 || meets(value, type.constraints)) return issues
  return unlike(type, value, path)
}

function explainKind(type: WireType, value: unknown, path: string): Issue[] {
  switch (type.kind) {
    case 'ref':
      return explain(type.type(), value, path)
    case 'array':
      return Array.isArray(value)
        ? firstIssues(value, (each, i) => explain(type.element, each, `${path}[${i}]`))
        : unlike(type, value, path)
    case 'set':
      return value instanceof Set
        ? firstIssues(value, (each, i) => explain(type.element, each, `${path}[${i}]`))
        : notOf('Set', type, value, path)
    case 'map':
      return value instanceof Map
        ? firstIssues(value, ([name, each]) => explainEntry(type.value, name, each, path))
        : notOf('Map', type, value, path)
    case 'tuple':
      return Array.isArray(value) ? explainTuple(type, value, path) : unlike(type, value, path)
    case 'struct':
      return isStruct(value) ? explainStruct(type, value, path) : unlike(type, value, path)
    case 'union':
      return explainUnion(type, value, path)
    default:
      return isScalar(type, value) ? [] : unlike(type, value, path)
  }
}

function explainEntry(type: WireType, name: unknown, value: unknown, path: string): Issue[] {
  if (typeof name === 'string') return explain(type, value, memberPath(path, name))
  return [{ path, expected: 'names that are strings', received: describeValue(name) }]
}

type Scalar = Exclude<WireType, { kind: 'array' | 'set' | 'map' | 'tuple' | 'struct' | 'union' | 'ref' }>

function isScalar(type: Scalar, value: unknown): boolean {
  switch (type.kind) {
    case 'int':
      return isInt(value)
    case 'double':
    case 'number':
      return isNumber(value)
    case 'date':
      return isDate(value)
    case 'url':
      return isUrl(value)
    case 'bytes':
      return isBytes(value, type.as)
    case 'bigint':
      return typeof value === 'bigint' && (type.value === undefined || `${value}` === type.value)
    case 'null':
      return value === null
    case 'undefined':
    case 'void':
      return value === undefined
    case 'any':
      return true
    case 'literal':
      return value === type.value
    case 'template':
      return typeof value === 'string' && new RegExp(type.pattern).test(value)
    default:
      return typeof value === type.kind
  }
}

function explainTuple(type: TupleType<LazyType>, value: readonly unknown[], path: string): Issue[] {
  const most = type.rest ? Number.POSITIVE_INFINITY : type.elements.length
  if (value.length > most || value.length < type.required) return unlike(type, value, path)
  return firstIssues(value, (each, i) => {
    if (each === undefined && i >= type.required && i < type.elements.length) return []
    const element = type.elements[i] ?? type.rest
    return element ? explain(element, each, `${path}[${i}]`) : []
  })
}

function explainStruct(type: StructType<LazyType>, value: Record<string, unknown>, path: string): Issue[] {
  const issues = type.members.flatMap((member) => explainMember(member, value, memberPath(path, member.name)))
  const { rest } = type
  if (!rest) return issues
  const known = type.members.map((member) => member.name)
  const others = Object.keys(value).filter((name) => !known.includes(name) && hasName(type, name))
  return issues.concat(firstIssues(others, (name) => explain(rest, value[name], memberPath(path, name))))
}

function explainMember(member: Member, value: Record<string, unknown>, path: string): Issue[] {
  const there = own(value, member.name)
  if (there === undefined && member.optional) return []
  const issues = explain(member.type, there, path)
  return issues.length > 0 && there === undefined ? unlike(member.type, there, path) : issues
}

/** By the branch that the discriminant names, where there is one; else by all that is wrong with each branch. */
function explainUnion(type: UnionType<LazyType>, value: unknown, path: string): Issue[] {
  const { discriminant } = type
  if (discriminant !== undefined && isStruct(value)) return explainTagged(type, discriminant, value, path)
  const tried = type.branches.map((branch) => {
    const issues = explain(branch, value, path)
    return { branch, issues, paths: new Set(issues.map((issue) => issue.path)) }
  })
  if (tried.some(({ issues }) => issues.length === 0)) return []
  return explainNearest(type, tried, value, path)
}

/** Looks at no branch that the tag does not name: all of them, at every level of a type that contains itself, are 2^n. */
function explainTagged(type: UnionType<LazyType>, discriminant: string, value: Struct, path: string): Issue[] {
  const tried = namedStructs(type, discriminant, value).map((branch) => explain(branch, value, path))
  if (tried.some((issues) => issues.length === 0)) return []
  if (tried[0]) return tried[0]
  const tags = memberTypes(structsOf(type), discriminant)
  return unlike({ kind: 'union', branches: tags }, own(value, discriminant), memberPath(path, discriminant))
}

/** The structs of a tagged union that the tag of a value names. */
export function namedStructs(type: UnionType<LazyType>, discriminant: string, value: Struct): StructType<LazyType>[] {
  const tag = own(value, discriminant)
  return structsOf(type).filter((struct) =>
    memberTypes([struct], discriminant).some((type) => explain(type, tag, '').length === 0),
  )
}

/** On the wire a Set is an array and a Map an object; only a call from the same process can bring one for the other. */
function notOf(name: 'Set' | 'Map', type: WireType, value: unknown, path: string): Issue[] {
  const form = name === 'Set' ? Array.isArray(value) : isStruct(value)
  return unlike(type, value, path, form ? `, which is no ${name}` : '')
}
