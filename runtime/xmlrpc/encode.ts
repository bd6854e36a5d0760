import { appendKey, describeValue } from '../values/describe.js'
import { isInt, isStruct, member, type Struct } from '../values/predicates.js'
import { prefixPath, SerializationError } from '../values/serialize-unknown.js'
import type { LazyType, Member, StructType, TupleType, UnionType, WireType } from '../values/types.js'
import { elementTypes, indexedType, manyBranchesOf, memberTypes, SHORT } from '../values/unions.js'
import { escapeAnyText, escapeText } from './parse.js'
import { type ScalarWriting, writeBigintAs, writeDouble, writeInt, writeScalar } from './scalars.js'

const any: WireType = { kind: 'any' }

/** What is sent for values that the specification has no form for. */
export interface XmlForms {
  /** The element of a bigint. Default `i8`. */
  readonly bigint?: keyof typeof writeBigintAs
  /** What happens to characters that XML does not have: the value is an error, or each of them becomes U+FFFD. Default `error`. */
  readonly invalidText?: 'error' | 'replace'
}

/** How values are written. */
export interface Writing extends ScalarWriting {
  /** True if names of members may become equal. */
  readonly mayRename: boolean
  /** The start tags of a type's members: escaping their names once saves 12 % of writing structs. */
  readonly memberStarts: WeakMap<StructType<LazyType>, readonly string[]>
}

/** Returns how values are written in these forms. */
export function writingOf({ bigint = 'i8', invalidText }: XmlForms = {}): Writing {
  const mayRename = invalidText === 'replace'
  const writeText = mayRename ? escapeAnyText : escapeText
  return { writeText, writeBigint: writeBigintAs[bigint], mayRename, memberStarts: new WeakMap() }
}

const defaultWriting = /* @__PURE__ */ writingOf()

/**
 * Encodes a value as `<value>`. The type decides what the value does not: an integral Double is a `<double>`, members that a struct
 * does not declare are dropped. Everything else is encoded by the value.
 *
 * @throws SerializationError with the path inside the value, if XML-RPC cannot represent it
 */
export function writeValue(type: WireType, value: unknown, writing = defaultWriting): string {
  if (value === null || value === undefined) return '<value><nil/></value>'
  switch (type.kind) {
    case 'ref':
      return writeValue(type.type(), value, writing)
    case 'custom':
      return writeValue(type.wire, value, writing)
    case 'int':
      if (!isInt(value)) throw unexpectedValue('an int', value)
      return writeInt(value)
    case 'double':
      if (typeof value !== 'number') throw unexpectedValue('a double', value)
      return writeDouble(value)
    case 'array':
    case 'set':
      return writeList(value, writing, type.element)
    case 'tuple':
      return writeList(value, writing, type.rest ?? any, type.elements)
    case 'struct':
      return writeStruct(type, value, writing)
    case 'map':
      return writeMembers(entriesOf(value), type.value, writing)
    case 'union': {
      const one = typeInUnion(type, value)
      if (!one) throw unexpectedValue('a value of the declared union', value)
      return writeValue(one, value, writing)
    }
    default:
      return writeScalar(value, writing) ?? writeByValue(value, writing)
  }
}

function unexpectedValue(expected: string, value: unknown): SerializationError {
  return new SerializationError('', `expected ${expected}, received ${describeValue(value)}`)
}

function writeByValue(value: unknown, writing: Writing): string {
  if (typeof value !== 'object') throw unexpectedValue('a value that can be serialised', value)
  if (Array.isArray(value) || value instanceof Set) return writeList(value, writing, any)
  return writeMembers(entriesOf(value), any, writing)
}

/** `first` are the types of the first elements, `type` that of the others. */
function writeList(value: unknown, writing: Writing, type: WireType, first: readonly WireType[] = []): string {
  const list = listOf(value)
  let items = ''
  let index = 0
  try {
    // An iterator takes 10 % longer.
    for (; index < list.length; index++) items += writeValue(first[index] ?? type, list[index], writing)
  } catch (error) {
    throw prefixPath(`[${index}]`, error)
  }
  return `<value><array><data>${items}</data></array></value>`
}

function listOf(value: unknown): readonly unknown[] {
  if (value instanceof Set) return [...value]
  if (!Array.isArray(value)) throw unexpectedValue('an array', value)
  return value
}

function writeStruct(type: StructType<LazyType>, value: unknown, writing: Writing): string {
  if (!isStruct(value)) throw unexpectedValue('a struct', value)
  const declared = writeDeclared(type, value, writing)
  if (!type.indexes) return `<value><struct>${declared}</struct></value>`
  const names = new Set(type.members.map(({ name }) => name))
  const entries = Object.entries(value)
  if (writing.mayRename) checkNames(entries, writing)
  const others = entries.filter(([name]) => !names.has(name))
  const indexed = others.map(([name, each]) => writeMember(name, indexedType(type, name) ?? any, each, writing))
  return `<value><struct>${declared}${indexed.join('')}</struct></value>`
}

/** @throws SerializationError if two members would have the same name: readers keep one of them */
function checkNames(members: readonly (readonly [string, unknown])[], { writeText }: Writing): void {
  const names = new Set<string>()
  for (const [name, value] of members) {
    if (value === undefined) continue
    const escaped = writeText(name)
    if (names.has(escaped)) {
      throw new SerializationError(
        appendKey('', name),
        'two names are equal without the characters that XML does not have',
      )
    }
    names.add(escaped)
  }
}

function writeDeclared(type: StructType<LazyType>, value: Struct, writing: Writing): string {
  const starts = startsOf(type, writing)
  let items = ''
  let index = 0
  if (type.members.length > MAX_NARROW) {
    for (const at of presentIn(type, value)) {
      const { name, type: each } = type.members[at] as Member
      items += writeMember(name, each, value[name], writing, starts[at])
    }
    return items
  }
  for (const { name, type: each } of type.members) {
    if (Object.hasOwn(value, name)) items += writeMember(name, each, value[name], writing, starts[index])
    index++
  }
  return items
}

/** Of a struct with more members, those that a value has are visited. */
const MAX_NARROW = 50

const positionsOfStructs = /* @__PURE__ */ new WeakMap<StructType<LazyType>, ReadonlyMap<string, number>>()

/** Returns the positions of the declared members that a value has. */
function presentIn(type: StructType<LazyType>, value: Struct): readonly number[] {
  let positions = positionsOfStructs.get(type)
  if (!positions) {
    positions = new Map(type.members.map(({ name }, i) => [name, i]))
    positionsOfStructs.set(type, positions)
  }
  const known = positions
  const found = Object.keys(value).flatMap((name) => known.get(name) ?? [])
  return found.sort((a, b) => a - b)
}

function startsOf(type: StructType<LazyType>, writing: Writing): readonly string[] {
  const known = writing.memberStarts.get(type)
  if (known) return known
  if (writing.mayRename)
    checkNames(
      type.members.map(({ name }) => [name, name] as const),
      writing,
    )
  const starts = type.members.map(({ name }) => startOf(name, writing))
  writing.memberStarts.set(type, starts)
  return starts
}

function startOf(name: string, { writeText }: Writing): string {
  return `<member><name>${writeText(name)}</name>`
}

function writeMembers(members: readonly (readonly [string, unknown])[], type: WireType, writing: Writing): string {
  if (writing.mayRename) checkNames(members, writing)
  let items = ''
  for (const [name, value] of members) items += writeMember(name, type, value, writing)
  return `<value><struct>${items}</struct></value>`
}

/** Encodes a member; an undefined one is omitted. `start` is its name as text, if that is known. */
function writeMember(name: string, type: WireType, value: unknown, writing: Writing, start?: string): string {
  if (value === undefined) return ''
  try {
    return `${start ?? startOf(name, writing)}${writeValue(type, value, writing)}</member>`
  } catch (error) {
    throw prefixPath(appendKey('', name), error)
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return Array.from(value, ([name, each]) => [String(name), each])
  if (!isStruct(value)) throw unexpectedValue('a struct', value)
  return Object.entries(value)
}

// Unions

/**
 * Returns the type by which a value of a union is encoded: the branch that fits. If several fit, their types are combined per
 * member and element, so that the order of the branches does not matter. Undefined if none fits.
 */
function typeInUnion(union: UnionType<LazyType>, value: unknown): WireType | undefined {
  const found = new Set<WireType>()
  addFitting(union, value, found, new Set())
  const branches = [...found]
  if (branches.length < 2) return branches[0]
  if (typeof value === 'number') return { kind: onlyDouble(branches) ? 'double' : 'any' }
  if (isList(value)) return sharedTuple(branches, value)
  return isStruct(value) ? sharedStruct(branches, value) : { kind: 'any' }
}

/** Adds the branches that fit a value. */
function addFitting(type: WireType, value: unknown, found: Set<WireType>, seen: Set<WireType>): void {
  if (seen.has(type)) return
  if (type.kind === 'ref' || type.kind === 'union' || type.kind === 'custom') seen.add(type)
  if (type.kind === 'ref') addFitting(type.type(), value, found, seen)
  else if (type.kind === 'custom') addFitting(type.wire, value, found, seen)
  else if (type.kind === 'union') {
    for (const each of likelyBranches(type, value)) addFitting(each, value, found, seen)
  } else if (fits(type, value, MAX_LEVELS)) found.add(type)
}

/** Of very many literals, returns only the one that a value is. */
function likelyBranches({ branches }: UnionType<LazyType>, value: unknown): readonly WireType[] {
  if (branches.length <= SHORT) return branches
  const { literals, others } = manyBranchesOf(branches)
  const at = literals.get(value)
  return [...(at === undefined ? [] : [at]), ...others].map((i) => branches[i] as WireType)
}

function sharedTuple(branches: readonly WireType[], value: readonly unknown[]): WireType {
  const elements = value.map((_, index) => oneOf(elementTypes(branches, index)))
  return { kind: 'tuple', elements, required: elements.length }
}

/** Contains the members that any of the branches declares. */
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

/** True if the branches have no other kind of number than double. */
function onlyDouble(branches: readonly WireType[]): boolean {
  const numeric = branches.filter((branch) => ['int', 'double', 'number', 'any'].includes(branch.kind))
  return numeric.length > 0 && numeric.every((branch) => branch.kind === 'double')
}

/**
 * How many levels of a value are compared with a branch; below, only the kind counts. A full comparison at every level would
 * take unbounded time for a type that contains itself.
 */
const MAX_LEVELS = 3

/** True if a value may be of a type. */
function fits(type: WireType, value: unknown, level: number): boolean {
  switch (type.kind) {
    case 'ref':
      return fits(type.type(), value, level)
    case 'custom':
      return fits(type.wire, value, level)
    case 'union':
      return likelyBranches(type, value).some((branch) => fits(branch, value, level))
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

type Scalar = Exclude<WireType, { kind: 'ref' | 'union' | 'array' | 'set' | 'tuple' | 'struct' | 'map' | 'custom' }>

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
    case 'bigint':
    case 'boolean':
    case 'number':
    case 'string':
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
  const isWide = type.members.length > MAX_NARROW
  const members = isWide ? presentIn(type, value).map((at) => type.members[at] as Member) : type.members
  if (isWide && requiredIn(type).some(({ name, type }) => !Object.hasOwn(value, name) && !fits(type, undefined, level)))
    return false
  return members.every(({ name, type, optional }) => {
    const each = member(value, name)
    return each === undefined && optional ? true : fits(type, each, level)
  })
}

const requiredOfStructs = /* @__PURE__ */ new WeakMap<StructType<LazyType>, readonly Member[]>()

function requiredIn(type: StructType<LazyType>): readonly Member[] {
  const known = requiredOfStructs.get(type)
  if (known) return known
  const made = type.members.filter(({ optional }) => !optional)
  requiredOfStructs.set(type, made)
  return made
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
