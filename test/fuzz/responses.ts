import { expect } from 'vitest'
import { type Element, parseXml } from './saxes.js'
import { judgeResponse } from './schema.js'

// The form of every response, whatever was sent.

/** Files, lines and folders: what a stack trace has. */
const trace = /node_modules|\bat [^\n]{0,200}:\d+:\d+|\bfile:\/\/|\/(?:runtime|fixtures|test|dist)\/|\.[cm]?[jt]s:\d/

/** What a client gets to see has nothing of the server's insides. */
export function expectNoTrace(text: string): void {
  expect(text).not.toMatch(trace)
}

/** A response of JSON-RPC 2.0 section 5, or a list of them. */
export function expectJsonRpc(text: string): void {
  const response: unknown = JSON.parse(text)
  if (!judgeResponse(response)) throw new Error(`${JSON.stringify(judgeResponse.errors)} in ${text}`)
  const responses = Array.isArray(response) ? response : [response]
  expect(responses.length).toBeGreaterThan(0)
  for (const each of responses) expectJsonResponse(each)
}

function expectJsonResponse(response: unknown): void {
  const { jsonrpc, id, ...others } = response as Record<string, unknown>
  expect(jsonrpc).toBe('2.0')
  expect(id === null || typeof id === 'string' || typeof id === 'number').toBe(true)
  const names = Object.keys(others)
  expect([['result'], ['error']]).toContainEqual(names)
  if (names[0] === 'result') return
  const { code, message, ...more } = others['error'] as Record<string, unknown>
  expect(Number.isInteger(code)).toBe(true)
  expect(typeof message).toBe('string')
  expect([[], ['data']]).toContainEqual(Object.keys(more))
}

/** A `<methodResponse>`: one parameter, or a fault. */
export function expectXmlRpc(text: string): void {
  const root = parseXml(text)
  if (root instanceof Error) throw new Error(`${root.message} in ${text}`)
  const [first, second] = elements(root, 'methodResponse')
  expect(second).toBeUndefined()
  const isFault = first?.name === 'fault'
  const value = isFault ? onlyIn(first, 'fault') : onlyIn(onlyIn(first, 'params'), 'param')
  expectValue(value)
  if (isFault) expectFault(value)
}

function expectFault(value: Element): void {
  const members = elements(onlyIn(value, 'value'), 'struct').map((member) => {
    const [name, content] = elements(member, 'member')
    return [name?.children.join(''), onlyIn(content, 'value').name]
  })
  expect(members).toEqual([
    ['faultCode', 'int'],
    ['faultString', 'string'],
  ])
}

const scalars = ['string', 'int', 'i8', 'double', 'boolean', 'dateTime.iso8601', 'base64', 'nil']

function expectValue(value: Element): void {
  const type = onlyIn(value, 'value')
  if (type.name === 'array') {
    for (const each of elements(onlyIn(type, 'array'), 'data')) expectValue(each)
  } else if (type.name === 'struct') {
    for (const member of elements(type, 'struct')) {
      const [name, content, more] = elements(member, 'member')
      expect([name?.name, more]).toEqual(['name', undefined])
      expectValue(content as Element)
    }
  } else {
    expect(scalars).toContain(type.name)
    expect(type.children.every((child) => typeof child === 'string')).toBe(true)
  }
}

/** The children of an element of this name: we write no text between elements. */
function elements(parent: Element | undefined, name: string): Element[] {
  expect(parent?.name).toBe(name)
  return (parent?.children ?? []).map((child) => {
    if (typeof child === 'string') throw new Error(`text in <${name}>`)
    return child
  })
}

function onlyIn(parent: Element | undefined, name: string): Element {
  const [child, second] = elements(parent, name)
  if (!child || second) throw new Error(`<${name}> has not one child`)
  return child
}
