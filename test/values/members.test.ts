import { Hono } from 'hono'
import { type RpcContext, RpcServer } from 'rpc-gen'
import { beforeEach, describe, expect, test } from 'vitest'
import { procedures } from '../../fixtures/members/procedures.gen.js'
import { given } from '../../fixtures/members/procedures.js'
import { type RpcResponse, responseTo } from '../support/json-rpc.js'

// Members that no type declares; which branch of a union a value is of; values of no declared type.

const reported: unknown[] = []
const onError = (error: unknown, _: RpcContext) => void reported.push(error)

beforeEach(() => {
  given.splice(0)
  reported.splice(0)
})

// Without the types of the procedures: values of other types are passed on purpose.
const dropping: RpcServer = new RpcServer({ procedures, onError })
const rejecting: RpcServer = new RpcServer({ procedures, onError, unknownKeys: 'reject' })

function call(server: RpcServer, method: string, ...params: unknown[]): Promise<RpcResponse> {
  return responseTo(new Hono().all('/', server.view), method, params)
}

describe('members with the names of indices', () => {
  test('are read of an object', async () => {
    expect(await call(dropping, 'pair', { 0: 1, 1: 'a' })).toMatchObject({ result: 'a' })
  })

  test.each([[[1, 'a']], ['ab']])('are not read of %j', async (given) => {
    expect(await call(dropping, 'pair', given)).toMatchObject({ error: { code: -32602 } })
  })
})

const person = { name: 'ada', password: 'secret' }

describe('server.call drops unknown keys of arguments and results', () => {
  test('in every kind of container', async () => {
    const team = {
      lead: person,
      members: new Set([person]),
      byName: new Map([['ada', person]]),
      pair: [person, person],
      extra: { ada: person },
      notes: person,
      isAdmin: true,
    }
    const ada = { name: 'ada' }
    const declared = {
      lead: ada,
      members: new Set([ada]),
      byName: new Map([['ada', ada]]),
      pair: [ada, ada],
      extra: { ada },
      notes: person,
    }
    expect(await dropping.call('gather', [team])).toEqual(declared)
    expect(given).toEqual([declared])
  })

  test('further members of a result', async () => {
    expect(await dropping.call('find')).toEqual({ name: 'ada' })
    expect(await dropping.call('drop')).toBeUndefined()
  })

  test('of a union it keeps the members that any accepting branch declares', async () => {
    const both = { name: 'x', entries: [1], target: '/', owner: { id: 1, name: 'a', mail: 'b', x: 1 }, more: 1 }
    const kept = { name: 'x', entries: [1], target: '/', owner: { id: 1, name: 'a', mail: 'b' } }
    expect(await dropping.call('put', [both])).toEqual(kept)
    expect((await call(dropping, 'put', both)).result).toEqual(kept)
    const folder = { name: 'x', entries: [1], owner: { id: 1, mail: 'b' } }
    expect(await dropping.call('put', [folder])).toEqual({ name: 'x', entries: [1], owner: { id: 1 } })
    expect((await call(dropping, 'put', folder)).result).toEqual({ name: 'x', entries: [1], owner: { id: 1 } })
  })

  test('of a tagged union it keeps the members of the branch with the tag', async () => {
    const circle = { kind: 'circle', radius: 1, side: 2 }
    expect(await dropping.call('draw', [circle, circle])).toEqual([
      { kind: 'circle', radius: 1 },
      { kind: 'circle', radius: 1 },
    ])
  })

  test('a member called __proto__ stays an own one', async () => {
    const extra = JSON.parse('{"__proto__":{"name":"x","isAdmin":true}}')
    const team = { lead: person, members: new Set(), byName: new Map(), pair: [person], extra, notes: 1 }
    const response = (await dropping.call('gather', [team])) as { extra: object }
    expect(JSON.stringify(response.extra)).toBe('{"__proto__":{"name":"x"}}')
  })
})

describe("unknownKeys: 'reject'", () => {
  const rejections: readonly (readonly [method: string, paths: readonly string[], ...params: unknown[]])[] = [
    ['put', ['entry.more'], { name: 'x', entries: [1], more: 1 }],
    ['put', ['entry.owner.mail'], { name: 'x', entries: [1], owner: { id: 1, mail: 'b' } }],
    ['draw', ['shape.side'], { kind: 'circle', radius: 1, side: 2 }],
    ['draw', ['more[1].radius'], ...['circle', 'circle', 'square'].map(shapeOf)],
    ['rows', ['rows.last.b'], { first: 1, last: { a: 1, b: 2 } }],
  ]

  /** `more[1].radius` in segments. */
  function segmentsOf(path = '') {
    return Array.from(path.matchAll(/\w+/g), ([each]) => (/^\d+$/.test(each) ? Number(each) : each))
  }

  function shapeOf(kind: string) {
    return kind === 'circle' ? { kind, radius: 1 } : { kind, side: 1, radius: 1 }
  }

  test.each(rejections.map((rejection) => ({ refusal: rejection })))('$refusal', async ({ refusal: rejection }) => {
    const [method, paths, ...params] = rejection
    const { error } = await call(rejecting, method, ...params)
    const received = 'an unknown key'
    expect(error?.code).toBe(-32602)
    expect(error?.data).toEqual(
      paths.map((path) => ({
        path: segmentsOf(path),
        code: 'additionalProperties',
        expected: 'no such key',
        received,
      })),
    )
    expect(error?.message).toBe(`Invalid params: ${paths[0]}: expected no such key, received ${received}`)
    await expect(rejecting.call(method, params)).rejects.toMatchObject({
      code: -32602,
      data: [{ path: segmentsOf(paths[0]) }],
    })
    expect(given).toEqual([])
  })

  test.each([
    ['put', { name: 'x', entries: [1], target: '/', owner: { id: 1, name: 'a', mail: 'b' } }],
    ['draw', { kind: 'square', side: 1 }, { kind: 'circle', radius: 1 }],
    ['rows', { any: 1, name: 2 }],
    ['rows', [1, 2]],
  ])('a member that one accepting branch declares is accepted: %s %j', async (method, ...params) => {
    expect((await call(rejecting, method, ...params)).error).toBeUndefined()
  })

  test('in sets and maps', async () => {
    const team = { lead: { name: 'a' }, pair: [{ name: 'a' }], extra: {}, notes: { any: { thing: 1 } } }
    const members = [{ name: 'a' }, { name: 'b', x: 1 }]
    const { error } = await call(rejecting, 'gather', { ...team, members, byName: { ada: person } })
    expect(error?.data).toMatchObject([
      { path: ['team', 'members', 1, 'x'] },
      { path: ['team', 'byName', 'ada', 'password'] },
    ])
  })
})

test('a large set is read once', async () => {
  const members = Array.from({ length: 100_000 }, (_, i) => ({ name: `${i}` }))
  const team = { lead: { name: 'a' }, members, byName: {}, pair: [{ name: 'a' }], extra: {}, notes: 1 }
  expect((await call(rejecting, 'gather', team)).error).toBeUndefined()
})

describe('why no branch of a union accepts a value', () => {
  const entry = (received: string, failure: object = { code: 'anyOf' }) => [
    { path: ['entry'], ...failure, expected: 'Folder | Link', received },
  ]

  test.each([
    ['put', 1, entry('int', { code: 'type', limit: 'object' })],
    [
      'put',
      { name: 'x', entries: ['1'] },
      [{ path: ['entry', 'entries', 0], code: 'type', limit: 'int', expected: 'int', received: 'string of length 1' }],
    ],
    [
      'put',
      { name: 'x' },
      entry(
        'object (for Folder entry.entries: expected array of int, received nothing; ' +
          'for Link entry.target: expected string, received nothing)',
      ),
    ],
    [
      'draw',
      { kind: 'cube' },
      [
        {
          path: ['shape', 'kind'],
          code: 'enum',
          limit: ['circle', 'square'],
          expected: '"circle" | "square"',
          received: 'string of length 4',
        },
      ],
    ],
    ['draw', { kind: 'square' }, [{ path: ['shape', 'side'], code: 'required', expected: 'int', received: 'nothing' }]],
  ])('%s %j', async (method, param, data) => {
    expect((await call(dropping, method, param)).error).toMatchObject({ code: -32602, data })
  })
})

describe('a value with many mismatches', () => {
  test('is reported with 20 issues at most', async () => {
    const { error } = await call(dropping, 'rows', Array(1_000_000).fill('x'))
    expect(error?.code).toBe(-32602)
    expect(error?.data).toMatchObject([{ path: ['rows', 0] }, ...Array(19).fill({ expected: 'int' })])
    expect(JSON.stringify(error).length).toBeLessThan(3000)
  })

  test('a megabyte that nearly matches a template', async () => {
    const { error } = await call(dropping, 'release', `v${'1'.repeat(1_000_000)}.${'1'.repeat(1_000_000)}x`)
    expect(error).toMatchObject({
      code: -32602,
      data: [{ path: ['version'], expected: '`v$' + '{number}.$' + '{number}`' }],
    })
  })
})

describe('a megabyte of nearly valid input', () => {
  const fill = (text: string) => text.repeat(1_000_000 / text.length)

  test.each([
    ['a template', 'address', [fill('@')]],
    ['a template of four holes', 'name', ['a@b.c', fill('-')]],
    ['a template of numbers', 'sizes', ['a@b.c', null, null, `${fill('10')}x`]],
    ['an address', 'page', ['a@b.c', null, `http://${fill('a.')} `]],
    ['an address with slashes', 'page', ['a@b.c', null, `http:${fill('//')}#${fill('/')} `]],
  ])('%s', async (_, path, params) => {
    expect((await call(dropping, 'write', ...params)).error).toMatchObject({ code: -32602, data: [{ path: [path] }] })
  })

  test('valid input', async () => {
    const params = ['a@b.c.d', '--x-xx', 'http://[::1]:80/a?b#c', '1203']
    expect(await call(dropping, 'write', ...params)).toMatchObject({ result: params.join(' ') })
    expect(await call(dropping, 'write', '@.', '---x', 'urn:a:b', '-1.50-2e3')).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('a result of type unknown', () => {
  test.each([
    ['account', { name: 'ada' }],
    ['url', 'http://localhost/a%20b'],
    ['bare', { a: 1 }],
  ])('%s is serialised', async (kind, result) => {
    expect(await call(dropping, 'anything', kind)).toMatchObject({ result })
  })

  test.each([
    ['error', ': Error cannot be serialised'],
    ['expression', ': RegExp cannot be serialised'],
    ['weak', ': WeakMap cannot be serialised'],
    ['promise', '.late: Promise cannot be serialised'],
    ['headers', '[0].headers: Headers cannot be serialised'],
    ['request', ': Request cannot be serialised'],
    ['floats', '[1]: Float64Array cannot be serialised'],
    ['called', '.run: a function cannot be serialised'],
    ['date', '.at[0]: an invalid date, or one outside the years 0001 to 9999, cannot be serialised'],
  ])('%s is not: an internal error, whose path and reason onError gets', async (kind, message) => {
    expect(await call(dropping, 'anything', kind)).toMatchObject({ error: { code: -32603, message: 'Internal error' } })
    expect(reported.map(String)).toEqual([`SerializationError: anything: result${message}`])
    await expect(dropping.call('anything', [kind])).rejects.toMatchObject({ code: -32603 })
  })
})
