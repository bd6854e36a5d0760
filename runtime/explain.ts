import { meets } from './constraints.js'
import { describeType, describeValue } from './describe.js'
import { firstIssues, type Issue } from './issue.js'
import type { LazyType, Member, Param, Procedure, StructType, TupleType, UnionType, WireType } from './manifest.js'
import { isBytes, isDate, isInt, isNumber, isStruct, isUrl, type Struct } from './predicates.js'

/**
 * Says why arguments were refused: the slow and explicit twin of the generated `accepts`, over the same TypeScript
 * values. Empty when there is nothing to refuse.
 */
export function explainArguments(params: readonly Param[], args: readonly unknown[]): Issue[] {
  const rest = params.at(-1)?.rest ? params.length - 1 : undefined
  if (rest === undefined && args.length > params.length) {
    return [{ path: 'params', expected: atMost(params.length), received: `${args.length}` }]
  }
  const issues = params.slice(0, rest).flatMap((param, i) => {
    if (args[i] === undefined && param.optional) return []
    return i < args.length ? explain(param.type, args[i], param.name) : [missing(param.name, param.type)]
  })
  if (rest === undefined) return issues
  const { name, type } = params[rest] as Param
  return issues.concat(firstIssues(args.slice(rest), (arg, i) => explain(type, arg, `${name}[${i}]`)))
}

/** The same for a procedure that may be overloaded: no overload takes the arguments, and the one that nearly does tells why. */
export function explainCall(
  { params, overloads }: Pick<Procedure, 'params' | 'overloads'>,
  args: readonly unknown[],
): Issue[] {
  const issues = explainArguments(params, args)
  if (!overloads || issues.length > 0) return issues
  const tried = overloads.map((each) => explainArguments(each, args))
  return tried.reduce((one, other) => (other.length < one.length ? other : one))
}

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
        : unlike(type, value, path)
    case 'map':
      return value instanceof Map
        ? firstIssues(value, ([name, each]) => explainEntry(type.value, name, each, path))
        : unlike(type, value, path)
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

/** Whether the index signature of a struct is for a name. */
export function hasName({ keys }: StructType<LazyType>, name: string): boolean {
  return !keys || new RegExp(keys.pattern).test(name)
}

function explainMember(member: Member, value: Record<string, unknown>, path: string): Issue[] {
  const there = Object.hasOwn(value, member.name) ? value[member.name] : undefined
  if (there === undefined && member.optional) return []
  const issues = explain(member.type, there, path)
  return issues.length > 0 && there === undefined ? [missing(path, member.type)] : issues
}

/** By the branch that the discriminant names, where there is one; else by the branch that comes closest. */
function explainUnion(type: UnionType<LazyType>, value: unknown, path: string): Issue[] {
  const { discriminant } = type
  if (discriminant !== undefined && isStruct(value)) return explainTagged(type, discriminant, value, path)
  const tried = type.branches.map((branch) => explain(branch, value, path))
  if (tried.some((issues) => issues.length === 0)) return []
  const inside = tried.filter((issues) => issues.every((issue) => issue.path !== path))
  return inside.length === 1 && inside[0] ? inside[0] : unlike(type, value, path)
}

/** Looks at no branch that the tag does not name: all of them, at every level of a type that contains itself, are 2^n. */
function explainTagged(type: UnionType<LazyType>, discriminant: string, value: Struct, path: string): Issue[] {
  const tag = Object.hasOwn(value, discriminant) ? value[discriminant] : undefined
  const named = structsOf(type).filter((struct) =>
    struct.members.some((member) => member.name === discriminant && explain(member.type, tag, '').length === 0),
  )
  const tried = named.map((branch) => explain(branch, value, path))
  if (tried.some((issues) => issues.length === 0)) return []
  const at = memberPath(path, discriminant)
  return tried[0] ?? [{ path: at, expected: tags(type, discriminant), received: describeValue(tag) }]
}

function structsOf(type: WireType): StructType<LazyType>[] {
  if (type.kind === 'ref') return structsOf(type.type())
  if (type.kind === 'union') return type.branches.flatMap(structsOf)
  return type.kind === 'struct' ? [type] : []
}

function tags(type: UnionType<LazyType>, discriminant: string): string {
  const members = structsOf(type).flatMap((struct) => struct.members.filter((member) => member.name === discriminant))
  return members.map((member) => describeType(member.type)).join(' | ')
}

function unlike(type: WireType, value: unknown, path: string): Issue[] {
  return [{ path, expected: describeType(type), received: describeValue(value) }]
}

function missing(path: string, type: WireType): Issue {
  return { path, expected: describeType(type), received: 'nothing' }
}

function atMost(count: number): string {
  return count === 0 ? 'no parameters' : `at most ${count} parameter${count === 1 ? '' : 's'}`
}

/** `draft.lines` or, where the name is no identifier, `draft["first line"]`. */
export function memberPath(path: string, name: string): string {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
