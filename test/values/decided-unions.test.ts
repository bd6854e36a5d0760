import { RpcServer } from 'rpc-gen'
import { type Fetch, xmlRpc } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import { createClient } from '../../fixtures/generate/decided-unions/expected.client.gen.js'
import { procedures } from '../../fixtures/generate/decided-unions/expected.gen.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { fetchFrom, responseTo } from '../support/json-rpc.js'

// Branches that decode the same text to different values, distinguished by everything but one literal: from a generated client to the
// function and back.

const router = new RpcServer({ procedures }).router()
const fetch = fetchFrom(router)

const date = new Date('2024-05-06T07:08:09.000Z')
/** A text that is a date, base64 and so on to other branches. */
const text = date.toISOString()
const digits = '2024'
const number = 2024n
const bytes = new Uint8Array([1, 2, 3])

const values: readonly (readonly [name: keyof typeof procedures, ...params: unknown[]])[] = [
  ['bucket', { type: 'directory', made: date, children: [{ type: 'file', extension: 'jpg', made: text }] }],
  ['bucket', { type: 'file', extension: 'lnk', made: number, target: { type: 'directory', made: date, children: [] } }],
  ['bucket', { type: 'file', extension: 'jpg', made: digits }],
  ['command', ['at', date, ['as', text, null]]],
  ['command', ['as', text, ['at', date, null]]],
  ['command', [text, 1, date]],
  ['shape', { radius: 1, at: date }],
  ['shape', { width: 1, at: text }],
  [
    'shape',
    {
      points: [
        { width: 1, at: digits },
        { radius: 1, at: date },
      ],
      at: number,
    },
  ],
  ['note', { at: text }],
  ['note', { at: digits }],
  ['note', { at: date, by: 'x' }],
  ['note', { at: number, by: 'x', to: 'y' }],
  ['valued', { v: [1], at: date }],
  ['valued', { v: { x: 1 }, at: text }],
  ['valued', { v: { x: 1 }, at: digits }],
  ['valued', { v: { v: { v: [], at: date }, at: number }, at: number }],
  ['message', { head: { kind: 'a' }, at: date }],
  ['message', { head: { kind: 'b' }, at: text }],
  ['message', { head: ['c', 'x'], at: number }],
  ['message', { head: ['d', 'x'], at: bytes }],
  ['optional', { v: text }, { a: 'x', v: date }],
  ['optional', { kind: 'text', v: text }, { b: 'x', v: text }],
  ['optional', { kind: 'date', v: date }, { b: 'x', v: digits }],
  ['optional', { kind: 'big', v: number }, { b: 'x', v: digits }],
  ['timed', { at: text }, { first: { next: null, at: date } }],
  ['timed', { at: date, by: 1 }, { first: { next: { next: null, at: text, by: 2 }, at: date } }],
  ['timed', null, { first: null }],
  ['keyed', { key: 'a-1', at: date }],
  ['keyed', { key: 'b-1', at: text }],
  ['keyed', { key: 'b', at: text }],
  ['sized', [date]],
  ['sized', [text, text]],
  ['sized', [number, digits, text]],
  ['sized', [number, digits, text, text]],
  ['collected', new Set([date])],
  ['collected', [true, text]],
  ['collected', new Map([['a', date]])],
  ['collected', { id: 1, at: text }],
]

const cases = values.map(([name, ...params]) => [name, params] as const)

describe.each([
  ['JSON-RPC', {}],
  ['XML-RPC', { protocol: xmlRpc }],
])('%s', (_name, protocol) => {
  test.each(cases)('%s of %o', async (name, params) => {
    const result = await createClient('https://example.org/', { fetch, ...protocol }).$call(name, params as never)
    expect(result).toEqual(params.length === 1 ? params[0] : params)
  })
})

test.each(cases)('the function gets %s as it was sent: %o', async (name, params) => {
  const received: unknown[] = []
  const note: Fetch = (url, init) => {
    received.push(procedures[name].read(JSON.parse(String(init.body)).params, jsonWires.decode))
    return fetch(url, init)
  }
  await createClient('https://example.org/', { fetch: note }).$call(name, params as never)
  expect(received).toEqual([params])
})

test.each([
  [
    'bucket',
    { type: 'file', extension: 'png', made: text },
    ['value', 'extension'],
    '"jpg" | "lnk"',
    'string of length 3',
  ],
  ['bucket', { type: 'folder' }, ['value', 'type'], '"directory" | "file"', 'string of length 6'],
  [
    'shape',
    { radius: 1, at: 'x' },
    ['value', 'at'],
    'date',
    'string that is not a valid date such as 2026-01-31T12:00:00Z',
  ],
  ['message', { head: { kind: 'c' }, at: text }, ['value', 'head', 'kind'], '"a" | "b"', 'string of length 1'],
  ['optional', { kind: 'none', v: text }, ['value', 'kind'], '"text" | "date" | "big"', 'string of length 4'],
])('%s %j is rejected at the path of the mismatch', async (method, value, path, expected, received) => {
  const { error } = await responseTo(router, method, [value])
  expect(error).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ path, expected, received })]) })
})
