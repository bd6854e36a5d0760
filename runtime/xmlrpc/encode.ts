// Writes values as elements, by their types: `2` of a Double is a `<double>`. A union has marked its value with the type of the branch that
// it matches (`TypedValue`), so that no branch is searched again.
//
//   { a: 1 }  →  <struct><member><name>a</name><value><int>1</int></value></member></struct>
import { appendKey, describeValue } from '../values/describe.js'
import { flattenSent, indexedType } from '../values/inner-types.js'
import { isInt, isStruct, presentElements, type Struct } from '../values/predicates.js'
import { prefixPath, SerializationError } from '../values/serialize-unknown.js'
import type { LazyType, StructType, UnionType, WireType } from '../values/types.js'
import { escapeAnyText, escapeText } from './parse.js'
import {
  anyType,
  numberType,
  type ScalarWriting,
  TypedValue,
  writeBigintAs,
  writeDouble,
  writeInt,
  writeScalar,
} from './scalars.js'

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
  /** The members of declared structs: escaping their names once saves 12 % of writing structs. */
  readonly structs: WeakMap<StructType<LazyType>, DeclaredMembers>
  /** The start tags of members by their names, where no type declares them. */
  readonly starts: Map<string, string>
}

/** A declared member, and its start tag with its name. */
interface DeclaredMember {
  readonly name: string
  readonly type: WireType
  readonly start: string
  /** True if all objects inherit a member of this name. */
  readonly isInherited: boolean
}

interface DeclaredMembers {
  readonly list: readonly DeclaredMember[]
  /** By name, where each of them is in the list. */
  readonly positions: ReadonlyMap<string, number>
}

/** Returns how values are written in these forms. */
export function writingOf({ bigint = 'i8', invalidText }: XmlForms = {}): Writing {
  const mayRename = invalidText === 'replace'
  const writeText = mayRename ? escapeAnyText : escapeText
  return { writeText, writeBigint: writeBigintAs[bigint], mayRename, structs: new WeakMap(), starts: new Map() }
}

const defaultWriting = /* @__PURE__ */ writingOf()

/**
 * Encodes a value as `<value>`. The type decides what the value does not: an integral Double is a `<double>`, members that a struct
 * does not declare are dropped, and the others are in declared order. Everything else is encoded by the value.
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
      return writeList(value, writing, type.rest ?? anyType, type.elements)
    case 'struct':
      return writeStruct(type, value, writing)
    case 'map':
      return writeMembers(value, type.value, writing)
    case 'union':
      return value instanceof TypedValue
        ? writeValue(value.type, value.value, writing)
        : writeValue(typeInUnion(type, value), value, writing)
    default:
      return writeScalar(value, writing) ?? writeByValue(value, writing)
  }
}

function unexpectedValue(expected: string, value: unknown): SerializationError {
  return new SerializationError('', `expected ${expected}, received ${describeValue(value)}`)
}

function writeByValue(value: unknown, writing: Writing): string {
  if (typeof value !== 'object') throw unexpectedValue('a value that can be serialised', value)
  if (value instanceof TypedValue) return writeValue(value.type, value.value, writing)
  if (Array.isArray(value) || value instanceof Set) return writeList(value, writing, anyType)
  return writeMembers(value, anyType, writing)
}

/**
 * Returns the type of a value whose definition did not mark it: that of `T | null`, and of the arguments of a client. A list or a struct is of
 * the only branch for lists or structs; with several ones it is encoded by the value.
 */
function typeInUnion(union: UnionType<LazyType>, value: unknown): WireType {
  if (typeof value === 'number') return numberType(value, union.branches)
  const kinds = Array.isArray(value) || value instanceof Set ? listKinds : structKinds
  if (kinds === structKinds && !isStruct(value)) return anyType
  const [only = anyType, more] = flattenSent([union]).filter(({ kind }) => kinds.includes(kind))
  return more ? anyType : only
}

const listKinds: readonly WireType['kind'][] = ['array', 'set', 'tuple', 'any']
const structKinds: readonly WireType['kind'][] = ['struct', 'map', 'any']

// Lists and structs

/** `first` are the types of the first elements, `type` that of the others. */
function writeList(value: unknown, writing: Writing, type: WireType, first: readonly WireType[] = []): string {
  const list = value instanceof Set ? [...value] : value
  if (!Array.isArray(list)) throw unexpectedValue('an array', value)
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

function writeStruct(type: StructType<LazyType>, value: unknown, writing: Writing): string {
  if (!isStruct(value)) throw unexpectedValue('a struct', value)
  const { list, positions } = declaredMembers(type, writing)
  const others = type.indexes ? namesOf(value, writing).filter((each) => !positions.has(each)) : []
  let items = ''
  let name = ''
  try {
    for (const member of list.length > MAX_NARROW ? presentElements(value, list, positions) : list) {
      name = member.name
      const each = member.isInherited && !Object.hasOwn(value, name) ? undefined : value[name]
      if (each !== undefined) items += `${member.start}${writeValue(member.type, each, writing)}</member>`
    }
    for (name of others) items += writeMember(name, indexedType(type, name) ?? anyType, value[name], writing)
  } catch (error) {
    throw prefixPath(appendKey('', name), error)
  }
  return `<value><struct>${items}</struct></value>`
}

/** Of a struct with more members, those that a value has are visited. */
const MAX_NARROW = 50

function declaredMembers(type: StructType<LazyType>, writing: Writing): DeclaredMembers {
  const known = writing.structs.get(type)
  if (known) return known
  const names = type.members.map(({ name }) => name)
  if (writing.mayRename) checkDistinctNames(names, writing)
  const list = type.members.map(({ name, type }) => {
    return { name, type, start: startOf(name, writing), isInherited: name in Object.prototype }
  })
  const made = { list, positions: new Map(names.map((name, i) => [name, i])) }
  writing.structs.set(type, made)
  return made
}

function writeMembers(value: unknown, type: WireType, writing: Writing): string {
  const struct = value instanceof Map ? Object.fromEntries(value) : value
  if (!isStruct(struct)) throw unexpectedValue('a struct', struct)
  const names = namesOf(struct, writing)
  let items = ''
  let name = ''
  try {
    for (name of names) items += writeMember(name, type, struct[name], writing)
  } catch (error) {
    throw prefixPath(appendKey('', name), error)
  }
  return `<value><struct>${items}</struct></value>`
}

/** Encodes a member that no struct declares; an undefined one is omitted. */
function writeMember(name: string, type: WireType, value: unknown, writing: Writing): string {
  if (value === undefined) return ''
  let start = writing.starts.get(name)
  if (start === undefined) {
    start = startOf(name, writing)
    if (writing.starts.size === MAX_STARTS) writing.starts.clear()
    if (name.length <= MAX_LENGTH) writing.starts.set(name, start)
  }
  return `${start}${writeValue(type, value, writing)}</member>`
}

/** Clients choose names: so many are remembered, none of them longer. */
const MAX_STARTS = 1000
const MAX_LENGTH = 64

function startOf(name: string, { writeText }: Writing): string {
  return `<member><name>${writeText(name)}</name>`
}

/** Returns the names of the members of a value. */
function namesOf(value: Struct, writing: Writing): readonly string[] {
  const names = Object.keys(value)
  if (writing.mayRename)
    checkDistinctNames(
      names.filter((name) => value[name] !== undefined),
      writing,
    )
  return names
}

/** @throws SerializationError if two members would have the same name: readers keep one of them */
function checkDistinctNames(names: readonly string[], { writeText }: Writing): void {
  const written = new Set<string>()
  for (const name of names) {
    const escaped = writeText(name)
    if (written.has(escaped)) {
      throw new SerializationError(
        appendKey('', name),
        'two names are equal without the characters that XML does not have',
      )
    }
    written.add(escaped)
  }
}
