import { encodeBase64 } from '../base64.js'
import { toUint8Array } from '../bytes.js'
import { Encoded } from '../codec.js'
import { describeValue } from '../describe.js'
import { memberPath } from '../explain.js'
import type { LazyType, StructType, UnionType, WireType } from '../manifest.js'
import { isInt, isStruct } from '../predicates.js'
import { branchesFor, elementTypes, memberTypes, onlyDouble } from './branches.js'
import { formatDateTime } from './dates.js'
import { formatDouble } from './decimal.js'
import { escapeText } from './text.js'
import { Unwritable, unwritableIn } from './unwritable.js'

/** A member that is written, and the type it is written by. */
type TypedMember = readonly [name: string, type: WireType, value: unknown]

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
  if (value instanceof Encoded) return value.text
  switch (type.kind) {
    case 'ref':
      return writeValue(type.type(), value)
    case 'int':
      if (!isInt(value)) throw unfit('an int', value)
      return wrap('int', String(value))
    case 'double':
      if (typeof value !== 'number') throw unfit('a double', value)
      return wrap('double', formatDouble(value))
    case 'array':
    case 'set':
      return writeList(value, () => type.element)
    case 'tuple':
      return writeList(value, (index) => type.elements[index] ?? type.rest ?? any)
    case 'struct':
      return writeStruct(type, value)
    case 'map':
      return writeMembers(entriesOf(value).map(([name, each]) => [name, type.value, each]))
    case 'union':
      return writeUnion(type, value)
    default:
      return writeByValue(value)
  }
}

function wrap(element: string, content: string): string {
  return `<value><${element}>${content}</${element}></value>`
}

function unfit(expected: string, value: unknown): Unwritable {
  return new Unwritable('', `expected ${expected}, received ${describeValue(value)}`)
}

function writeByValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return wrap('string', escapeText(value))
    case 'boolean':
      return wrap('boolean', value ? '1' : '0')
    case 'number':
      // A negative zero is no int: it would lose its sign.
      return isInt(value) && !Object.is(value, -0) ? wrap('int', String(value)) : wrap('double', formatDouble(value))
    case 'bigint':
      if (BigInt.asIntN(64, value) !== value) throw new Unwritable('', 'an integer beyond 64 bits')
      return wrap('i8', String(value))
    case 'object':
      return value === null ? nil : writeObject(value)
    default:
      throw unfit('a value that can travel', value)
  }
}

function writeObject(value: object): string {
  if (Array.isArray(value) || value instanceof Set) return writeList(value, () => any)
  if (value instanceof Date) return wrap('dateTime.iso8601', formatDateTime(value))
  const bytes = toUint8Array(value)
  if (bytes) return wrap('base64', encodeBase64(bytes))
  return writeMembers(entriesOf(value).map(([name, each]) => [name, any, each]))
}

function writeList(value: unknown, typeAt: (index: number) => WireType): string {
  if (!Array.isArray(value) && !(value instanceof Set)) throw unfit('an array', value)
  let items = ''
  let index = 0
  try {
    for (const each of value) {
      items += writeValue(typeAt(index), each)
      index++
    }
  } catch (error) {
    throw unwritableIn(`[${index}]`, error)
  }
  return `<value><array><data>${items}</data></array></value>`
}

/** An absent optional member is left out; it is never nil. */
function writeMembers(members: readonly TypedMember[]): string {
  let items = ''
  for (const [name, type, value] of members) {
    if (value === undefined) continue
    try {
      items += `<member><name>${escapeText(name)}</name>${writeValue(type, value)}</member>`
    } catch (error) {
      throw unwritableIn(memberPath('', name), error)
    }
  }
  return `<value><struct>${items}</struct></value>`
}

function entriesOf(value: unknown): [string, unknown][] {
  if (value instanceof Map) return Array.from(value, ([name, each]) => [String(name), each])
  if (!isStruct(value)) throw unfit('a struct', value)
  return Object.entries(value)
}

function writeStruct({ members, rest }: StructType<LazyType>, value: unknown): string {
  if (!isStruct(value)) throw unfit('a struct', value)
  const declared = members.map(({ name, type }): TypedMember => {
    return [name, type, Object.hasOwn(value, name) ? value[name] : undefined]
  })
  if (!rest) return writeMembers(declared)
  const names = new Set(members.map(({ name }) => name))
  const others = Object.entries(value).filter(([name]) => !names.has(name))
  return writeMembers(declared.concat(others.map(([name, each]) => [name, rest, each])))
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
  if (Array.isArray(value)) return writeList(value, (index) => unionOf(elementTypes(branches, index)))
  if (!isStruct(value)) return writeByValue(value)
  const members = Object.entries(value).flatMap(([name, each]): TypedMember[] => {
    const types = memberTypes(branches, name)
    return types.length === 0 ? [] : [[name, unionOf(types), each]]
  })
  return writeMembers(members)
}

function unionOf(types: readonly WireType[]): WireType {
  const branches = [...new Set(types)]
  return branches.length === 1 && branches[0] ? branches[0] : { kind: 'union', branches }
}
