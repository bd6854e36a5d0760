import { expect, test } from 'vitest'
import { UsageError } from '../../generator/diagnostics/diagnostic.js'
import { terminalText } from '../../generator/diagnostics/printable.js'
import { checkLock, lockText, staleLock } from '../../generator/diff/lock.js'
import { compareVersions, parseVersion } from '../../generator/diff/version.js'
import type { DescribedType, Description, NamedType } from '../../runtime/description/description.js'
import { openRpcOf } from '../../runtime/description/openrpc-document.js'
import { procedureOf } from './documents.js'

const ref: DescribedType = { kind: 'ref', name: 'Order' }

function order(id: DescribedType): NamedType {
  const parts: DescribedType = { kind: 'array', element: ref, readonly: true }
  const members = [
    {
      name: 'parts',
      type: parts,
      doc: 'What it consists of.',
      deprecated: true,
      deprecation: 'Use lines.',
      default: [],
    },
    { name: 'id', type: id },
  ]
  return { name: 'Order', type: { kind: 'struct', name: 'Order', members }, doc: 'An order.' }
}

const code: DescribedType = { kind: 'string', constraints: { pattern: '^[A-Z]+$', maxLength: 8 } }

const description: Description = {
  procedures: [
    procedureOf('store', ref, {
      description: 'Stores an order.',
      deprecated: true,
      throws: [
        { name: 'Late', code: 4002, text: 'Late' },
        { name: 'SoldOut', code: 4001, text: 'Sold out' },
      ],
      examples: [{ text: 'store(order)' }],
      idempotent: true,
      since: '1.0',
    }),
    procedureOf('find', ref, {
      protocols: ['json-rpc'],
      params: [
        { name: 'code', type: code, doc: 'Its code.' },
        { name: 'more', type: { kind: 'union', branches: [{ kind: 'string' }, { kind: 'int' }] }, rest: true },
        { name: 'late', type: { kind: 'boolean' }, optional: true },
      ],
    }),
  ],
  types: [order({ kind: 'int' }), { name: 'DataOfAnError', type: { kind: 'int' } }],
}

test('a lock has the description without texts, in the order of names', () => {
  expect(lockText(description)).toBe(`{
  "rpcLock": 2,
  "procedures": [
    {
      "name": "find",
      "protocols": ["json-rpc"],
      "params": [
        { "name": "code", "type": { "kind": "string", "constraints": { "maxLength": 8, "pattern": "^[A-Z]+$" } } },
        {
          "name": "more",
          "rest": true,
          "type": { "kind": "union", "branches": [{ "kind": "int" }, { "kind": "string" }] }
        },
        { "name": "late", "optional": true, "type": { "kind": "boolean" } }
      ],
      "returns": { "type": { "kind": "ref", "name": "Order" } }
    },
    {
      "name": "store",
      "idempotent": true,
      "params": [{ "name": "x", "type": { "kind": "ref", "name": "Order" } }],
      "returns": { "type": { "kind": "ref", "name": "Order" } },
      "throws": [{ "code": 4001 }, { "code": 4002 }]
    }
  ],
  "types": [
    {
      "name": "Order",
      "type": {
        "kind": "struct",
        "members": [
          { "name": "id", "type": { "kind": "int" } },
          { "name": "parts", "type": { "kind": "array", "element": { "kind": "ref", "name": "Order" } } }
        ]
      }
    }
  ]
}
`)
})

test('a stale lock reports the changes, breaking ones first', () => {
  const also = procedureOf('also', { kind: 'any' })
  const wider = { procedures: [...description.procedures, also], types: [order({ kind: 'number' })] }
  expect(terminalText(staleLock(lockText(description), wider)).split('\n')).toEqual([
    'rpc.lock.json is stale: 2 breaking, 2 compatible changes: run rpc-gen',
    '  result-type-widened find().id: Int became number',
    '  result-type-widened store().id: Int became number',
    '  param-type-widened store(x).id: Int became number',
    '  method-added also: the method was added',
    '',
  ])
})

test('what JSON does not distinguish is exact in a lock', () => {
  const lock = (type: DescribedType) => lockText({ procedures: [procedureOf('f', type)], types: [] })
  const check = (old: DescribedType, now: DescribedType) =>
    checkLock(lock(old), { procedures: [procedureOf('f', now)], types: [] }).map(({ code, path }) => `${code} ${path}`)
  const iso: DescribedType = { kind: 'string', constraints: { format: 'date-time' } }
  // Whole results were <double>, and are <int> now.
  expect(check({ kind: 'double' }, { kind: 'number' })).toEqual(['signature-changed f()'])
  expect(check({ kind: 'number' }, { kind: 'double' })).toEqual([])
  expect(check(iso, { kind: 'string', constraints: { format: 'date-time' } })).toEqual([])
  expect(check(iso, { kind: 'date' })).toContain('signature-changed f()')
  expect(check({ kind: 'bigint' }, { kind: 'string', constraints: { pattern: '^-?\\d+$' } })).toContain(
    'signature-changed f()',
  )
})

test('a lock is not compared with a document', () => {
  const lock = parseVersion(lockText(description), 'rpc.lock.json')
  const document = { kind: 'document', name: 'openrpc.json', document: { openrpc: '1.4.1', methods: [] } } as const
  for (const [old, now] of [
    [lock, document],
    [document, lock],
  ] as const)
    expect(() => compareVersions(old, now)).toThrow(
      new UsageError('rpc.lock.json is a lock: compare it with the sources or another lock, not with a document'),
    )
})

test('sources are the same as their document if keys of an index signature have the names of members', () => {
  const keys = (pattern: string) => ({ text: 'a text', pattern })
  const names = ['x-a', 'x-|', 'x-\\', '__proto__', 'b']
  const type: DescribedType = {
    kind: 'struct',
    members: names.map((name) => ({ name, type: { kind: 'string' } })),
    indexes: ['^x-[\\s\\S]*$', '^__\\d$|^b$', '^[\\s\\S]$'].map((pattern) => ({
      type: { kind: 'int' },
      keys: keys(pattern),
    })),
  }
  const api: Description = { procedures: [procedureOf('f', type)], types: [] }
  const sources = { kind: 'sources', name: 'the sources', description: api } as const
  const document = parseVersion(JSON.stringify(openRpcOf(api)), 'openrpc.json')
  expect(JSON.stringify(openRpcOf(api))).toContain('(?!(?:x-a|x-')
  expect(compareVersions(sources, document)).toEqual([])
  expect(compareVersions(document, sources)).toEqual([])
})

test('many optional params are compared in time', () => {
  const params = Array.from({ length: 20_000 }, (_, i) => ({ name: `p${i}`, type: code, optional: true }))
  const many = { procedures: [procedureOf('f', ref, { params })], types: description.types }
  expect(checkLock(lockText(many), many)).toEqual([])
})

test('a lock with the same contract is not reported, whatever its spaces and names; a missing one is', () => {
  const text = lockText(description)
  expect(staleLock(text, description)).toEqual([])
  expect(staleLock(undefined, description, 'api/rpc.lock.json')).toEqual([
    'api/rpc.lock.json does not exist: run rpc-gen',
  ])
  expect(staleLock(` ${text.replaceAll('Order', 'Purchase')}`, description)).toEqual([])
})

test.each([
  ['<<<<<<< HEAD', 'rpc.lock.json has the marks of a merge conflict: write it again with --lock'],
  ['{"rpcLock":1}', 'rpc.lock.json was written by another version of rpc-gen: write it again with --lock'],
  ['{"rpcLock":2}', notALock('procedures is not a list')],
  [lockWith({ kind: 'array', element: [] }), notALock('types[0].type.element is not an object')],
  [lockWith({ kind: 'constructor' }), notALock('types[0].type.kind is not a kind of type')],
  [lockWith({ kind: ['int'] }), notALock('types[0].type.kind is not a kind of type')],
  [
    lockWith({ kind: 'int', constraints: { minimum: '1' } }),
    notALock('types[0].type.constraints.minimum is not a number'),
  ],
  [
    lockWith({ kind: 'int', constraints: { valueOf: 1 } }),
    notALock('types[0].type.constraints is not an object of constraints'),
  ],
  [lockWith({ kind: 'map', keys: { text: '', pattern: 1 } }), notALock('types[0].type.keys.pattern is not a string')],
  [lockTwice('types'), notALock('types[1].name is that of another one')],
  [lockTwice('procedures'), notALock('procedures[2].name is that of another one')],
  [deepLock(100_000), 'the types of rpc.lock.json are nested too deeply'],
  [lockText({ ...description, types: [] }), 'rpc.lock.json refers to the type Order, which it does not have'],
])('an invalid lock is an error of one line: %.40s', (text, message) => {
  expect(() => checkLock(text, description)).toThrow(message)
})

/** A lock that a merge left with one of its parts twice. */
function lockTwice(list: 'types' | 'procedures'): string {
  const lock = JSON.parse(lockText(description))
  return JSON.stringify({ ...lock, [list]: [...lock[list], lock[list][0]] })
}

function notALock(place: string): string {
  return `rpc.lock.json is not a lock as rpc-gen writes it: ${place}: write it again with --lock`
}

function lockWith(type: unknown): string {
  return JSON.stringify({ rpcLock: 2, procedures: [], types: [{ name: 'T', type }] })
}

function deepLock(depth: number): string {
  const type = `${'{"kind":"array","element":'.repeat(depth)}{"kind":"int"}${'}'.repeat(depth)}`
  return `{"rpcLock":2,"procedures":[],"types":[{"name":"T","type":${type}}]}`
}
