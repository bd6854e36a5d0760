import { exceedsMaxDigits } from '../../runtime/values/scalar-text.js'
import { scalarElements } from '../../runtime/xmlrpc/scalars.js'
import type { Element } from './saxes.js'

// The meaning of a call, implemented a second time and in the simplest way, over another parser's tree. Dates, base64 and Apache's
// extensions are read by the same rules as in the runtime: they have separate tests.

/** A call, or that it is none, or that a scalar of it is not of its type. */
export type Reading = { readonly method: string; readonly params: unknown } | 'no call' | 'rejected'

class NoCall extends Error {}
class Rejected extends Error {}

export function readTree(root: Element): Reading {
  try {
    const method = readMethod(root)
    try {
      return { method, params: readParams(root, method === 'system.multicall') }
    } catch (error) {
      if (error instanceof Rejected) return 'rejected'
      throw error
    }
  } catch (error) {
    if (error instanceof NoCall) return 'no call'
    throw error
  }
}

/** The value of a response, or of its fault. */
export function readResult(root: Element): unknown {
  const fault = root.children.find((child) => typeof child !== 'string' && child.name === 'fault')
  if (fault) return readValue(only(fault as Element, 'value'))
  return readValue(only(only(only(root, 'params'), 'param'), 'value'))
}

const isSpace = (text: string) => /^[ \t\r\n]*$/.test(text)
const trim = (text: string) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')

function childrenOf({ children }: Element): Element[] {
  const texts = children.filter((child) => typeof child === 'string')
  if (!isSpace(texts.join(''))) throw new NoCall()
  return children.filter((child) => typeof child !== 'string')
}

function textOf({ children }: Element): string {
  if (children.some((child) => typeof child !== 'string')) throw new NoCall()
  return children.join('')
}

/** The children by name: each of the names at most once. */
function onlyChildren(element: Element, ...names: string[]): (Element | undefined)[] {
  const children = childrenOf(element)
  if (!children.every((child) => names.includes(child.name))) throw new NoCall()
  if (new Set(children.map((child) => child.name)).size < children.length) throw new NoCall()
  return names.map((name) => children.find((child) => child.name === name))
}

function only(element: Element, name: string): Element {
  const [child] = onlyChildren(element, name)
  if (!child) throw new NoCall()
  return child
}

function readMethod(root: Element): string {
  if (root.name !== 'methodCall') throw new NoCall()
  const [name] = onlyChildren(root, 'methodName', 'params')
  const method = name ? trim(textOf(name)) : ''
  if (method === '') throw new NoCall()
  return method
}

function readParams(root: Element, multicall: boolean): unknown[] {
  const [, params] = onlyChildren(root, 'methodName', 'params')
  if (!params) return []
  const values = childrenOf(params).map((param) => {
    if (param.name !== 'param') throw new NoCall()
    return only(param, 'value')
  })
  return settle(values, (value) => readValue(value, multicall))
}

/** All of them, because "not a call" takes precedence over rejected values, wherever they are. */
function settle<T, U>(list: readonly T[], read: (item: T) => U): U[] {
  let rejected: Rejected | undefined
  const done = list.map((item) => {
    try {
      return read(item)
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      rejected = error
      return undefined as U
    }
  })
  if (rejected) throw rejected
  return done
}

function readValue(value: Element, entries = false): unknown {
  if (value.children.every((child) => typeof child === 'string')) return textOf(value)
  const [type, second] = childrenOf(value)
  if (!type || second) throw new NoCall()
  if (type.name === 'string') return textOf(type)
  if (type.name === 'array') return readArray(type, entries)
  if (type.name === 'struct') return readStruct(type)
  const readScalar = plain.get(type.name) ?? scalarElements.get(type.name)?.read
  if (!readScalar) throw new NoCall()
  const read = readScalar(trim(textOf(type)))
  if (read === undefined) throw new Rejected()
  return read
}

/** The scalars that have a fast path in the runtime; undefined for any other text. */
const plain = new Map<string, (text: string) => unknown>([
  ['int', readInteger],
  ['i4', readInteger],
  ['i8', readInteger],
  ['double', readDouble],
  ['boolean', (text) => [false, true, false, true][['0', '1', 'false', 'true'].indexOf(text)]],
  ['nil', (text) => (text === '' ? null : undefined)],
])

function readInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?\d+$/.test(text) || exceedsMaxDigits(text)) return undefined
  const size = BigInt(text.replace(/^[+-]/, ''))
  const value = text.startsWith('-') ? -size : size
  if (BigInt.asIntN(64, value) !== value) return undefined
  return size < 2n ** 53n ? Number(value) : value
}

function readDouble(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number.parseFloat(text)
  return Math.abs(value) === Number.POSITIVE_INFINITY ? undefined : value
}

function readArray(array: Element, entries: boolean): unknown[] {
  return settle(childrenOf(only(array, 'data')), (element) => {
    if (element.name !== 'value') throw new NoCall()
    return entries ? readEntry(element) : readValue(element)
  })
}

function readEntry(value: Element): unknown {
  try {
    return readValue(value)
  } catch (error) {
    if (error instanceof NoCall) return 'no call'
    if (error instanceof Rejected) return 'rejected'
    throw error
  }
}

function readStruct(struct: Element): object {
  const members = childrenOf(struct).map((member) => {
    const [name, value] = member.name === 'member' ? onlyChildren(member, 'name', 'value') : []
    if (!name || !value) throw new NoCall()
    return { name: textOf(name), value }
  })
  const values = settle(members, ({ value }) => readValue(value))
  return Object.fromEntries(members.map(({ name }, i) => [name, values[i]]))
}
