import { encodeBase64 } from '../base64.js'
import { toUint8Array } from '../bytes.js'
import { Encoded } from '../codec.js'
import { describeValue } from '../describe.js'
import { memberPath } from '../explain.js'
import type { LazyType, StructType, UnionType, WireType } from '../manifest.js'
import { isInt, isStruct, type Struct } from '../predicates.js'
import { branchesFor, elementTypes, memberTypes, onlyDouble } from './branches.js'
import { formatDateTime } from './dates.js'
import { formatDouble } from './decimal.js'
import { escapeText } from './text.js'
import { Unwritable, unwritableIn } from './unwritable.js'

const any: WireType = { kind: 'any' }
const nil = '<value><nil/></value>'

/**
 * Writes a lowered value as a `<value>`. The type tells what the value alone cannot: a Double stays `<double>` when it
 * is integral, members that a struct does not declare are left out. Everything else goes by the value.
 *
 * Throws Unwritable, with the path inside the value, for what XML-RPC cannot hold.
 */
export function writeValue(type: WireType, value: unknown): string {
  if (value === null || value === undefined) return nil
  switch (type.kind) {
    case 'ref':
      return writeValue(type.type(), value)
    case 'int':
      if (!isInt(value)) throw unfit('an int', value)
      return `<value><int>${value}</int></value>`
    case 'double':
      if (typeof value !== 'number') throw unfit('a double', value)
      return `<value><double>${formatDouble(value)}</double></value>`
    case 'array':
    case 'set':
      return writeList(value, type.element)
    case 'tuple':
      return writeList(value, type.rest ?? any, type.elements)
    case 'struct':
      return writeStruct(type, value)
    case 'map':
      return writeMembers(entriesOf(value), type.value)
    case 'union':
      return writeUnion(type, value)
    default:
      return writeByValue(value)
  }
}

function unfit(expected: string, value: unknown): Unwritable {
  return new Unwritable('', `expected ${expected}, received ${describeValue(value)}`)
}

function writeByValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `<value><string>${escapeText(value)}</string></value>`
    case 'boolean':
      return value ? '<value><boolean>1</boolean></value>' : '<value><boolean>0</boolean></value>'
    case 'number':
      // A negative zero is no int: it would lose its sign.
      if (isInt(value) && !Object.is(value, -0)) return `<value><int>${value}</int></value>`
      return `<value><double>${formatDouble(value)}</double></value>`
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw new Unwritable('', 'an integer beyond 64 bits')
      return `<value><i8>${value}</i8></value>`
    case 'object':
      return value === null ? nil : writeObject(value)
    default:
      throw unfit('a value that can travel', value)
  }
}

function writeObject(value: object): string {
  if (Array.isArray(value) || value instanceof Set) return writeList(value, any)
  if (value instanceof Date) return `<value><dateTime.iso8601>${formatDateTime(value)}</dateTime.iso8601></value>`
  if (value instanceof Encoded) return value.text
  const bytes = toUint8Array(value)
  if (bytes) return `<value><base64>${encodeBase64(bytes)}</base64></value>`
  return writeMembers(entriesOf(value), any)
}

/** The first elements by types of their own, where there are some. */
function writeList(value: unknown, type: WireType, first: readonly WireType[] = []): string {
  if (!Array.isArray(value) && !(value instanceof Set)) throw unfit('an array', value)
  let items = ''
  let index = 0
  try {
    for (const each of value) {
      items += writeValue(first[index] ?? type, each)
      index++
    }
  } catch (error) {
    throw unwritableIn(`[${index}]`, error)
  }
  return `<value><array><data>${items}</data></array></value>`
}

/** An absent member is left out; it is never nil. */
function writeMembers(members: Iterable<readonly [string, unknown]>, type: WireType): string {
  let items = ''
  for (const [name, value] of members) if (value !== undefined) items += writeMember(name, type, value)
  return `<value><struct>${items}</struct></value>`
}

function writeMember(name: string, type: WireType, value: unknown): string {
  try {
    return `${startOf(name)}${writeValue(type, value)}</member>`
  } catch (error) {
    throw unwritableIn(memberPath('', name), error)
  }
}

function startOf(name: string): string {
  return `<member><name>${escapeText(name)}</name>`
}

function entriesOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return Array.from(value, ([name, each]) => [String(name), each])
  if (!isStruct(value)) throw unfit('a struct', value)
  return Object.entries(value)
}

function writeStruct(type: StructType<LazyType>, value: unknown): string {
  if (!isStruct(value)) throw unfit('a struct', value)
  const declared = writeDeclared(type, value)
  if (!type.rest) return `<value><struct>${declared}</struct></value>`
  const names = new Set(type.members.map(({ name }) => name))
  let others = ''
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined && !names.has(name)) others += writeMember(name, type.rest, each)
  }
  return `<value><struct>${declared}${others}</struct></value>`
}

/** How the members of a type begin: what does not depend on the value is written once. */
const starts = new WeakMap<StructType<LazyType>, readonly string[]>()

function startsOf(type: StructType<LazyType>): readonly string[] {
  const known = starts.get(type)
  if (known) return known
  const made = type.members.map(({ name }) => startOf(name))
  starts.set(type, made)
  return made
}

function writeDeclared(type: StructType<LazyType>, value: Struct): string {
  const begins = startsOf(type)
  let items = ''
  let index = 0
  try {
    for (const { name, type: each } of type.members) {
      const there = Object.hasOwn(value, name) ? value[name] : undefined
      if (there !== undefined) items += `${begins[index]}${writeValue(each, there)}</member>`
      index++
    }
  } catch (error) {
    throw unwritableIn(memberPath('', type.members[index]?.name ?? ''), error)
  }
  return items
}

/**
 * By the one branch that fits; where several do, by all of them: a member or an element is written by the types that
 * any of these give it, so that the order of the branches decides nothing.
 */
function writeUnion(type: UnionType<LazyType>, value: unknown): string {
  const branches = branchesFor(type.branches, value)
  const [first, second] = branches
  if (!first) throw unfit('a value of the declared union', value)
  if (!second) return writeValue(first, value)
  if (typeof value === 'number') return writeValue(onlyDouble(branches) ? { kind: 'double' } : any, value)
  if (Array.isArray(value)) {
    const types = value.map((_, index) => unionOf(elementTypes(branches, index)))
    return writeList(value, any, types)
  }
  return isStruct(value) ? writeShared(branches, value) : writeByValue(value)
}

/** The members that any of the branches declares. */
function writeShared(branches: readonly WireType[], value: Struct): string {
  let items = ''
  for (const [name, each] of Object.entries(value)) {
    const types = memberTypes(branches, name)
    if (each !== undefined && types.length > 0) items += writeMember(name, unionOf(types), each)
  }
  return `<value><struct>${items}</struct></value>`
}

function unionOf(types: readonly WireType[]): WireType {
  const branches = [...new Set(types)]
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}
