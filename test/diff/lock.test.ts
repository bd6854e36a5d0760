import { expect, test } from 'vitest'
import { checkLock, lockText, staleLock } from '../../generator/diff/lock.js'
import type { ForeignSchema } from '../../generator/diff/type.js'
import { textOf } from '../../generator/printable.js'
import { documentOf, echo } from './documents.js'

const int: ForeignSchema = { type: 'integer', minimum: -2147483648, maximum: 2147483647 }

function order(id: ForeignSchema): ForeignSchema {
  const docs = { description: 'An order.' }
  return {
    ...docs,
    type: 'object',
    properties: { id, parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
    required: ['id', 'parts'],
  }
}

const ref: ForeignSchema = { $ref: '#/components/schemas/Order' }
const document = documentOf(
  [
    {
      ...echo('store', ref, 'Stores an order.'),
      deprecated: true,
      errors: [
        { code: 4002, message: 'Late' },
        { code: 4001, message: 'Sold out' },
      ],
      examples: [{ name: 'one', params: [] }],
      'x-xmlrpc-signatures': [['struct', 'struct']],
      'x-idempotent': true,
      'x-since': '1.0',
    },
    { ...echo('find', ref), params: [], 'x-protocols': ['json-rpc'] },
  ],
  { Order: order(int) },
)

test('a lock has the contract, in the order of names, and nothing else', () => {
  expect(lockText(document)).toBe(`{
  "rpcLock": 1,
  "methods": [
    {
      "name": "find",
      "params": [],
      "result": { "name": "result", "schema": { "$ref": "#/components/schemas/Order" } },
      "x-protocols": ["json-rpc"]
    },
    {
      "name": "store",
      "params": [{ "name": "x", "required": true, "schema": { "$ref": "#/components/schemas/Order" } }],
      "result": { "name": "result", "schema": { "$ref": "#/components/schemas/Order" } },
      "errors": [{ "code": 4001 }, { "code": 4002 }],
      "x-xmlrpc-signatures": [["struct", "struct"]],
      "x-idempotent": true
    }
  ],
  "components": {
    "schemas": {
      "Order": {
        "type": "object",
        "properties": {
          "id": { "type": "integer", "minimum": -2147483648, "maximum": 2147483647 },
          "parts": { "type": "array", "items": { "$ref": "#/components/schemas/Order" } }
        },
        "required": ["id", "parts"]
      }
    }
  }
}
`)
})

test('a stale lock reports the changes, breaking ones first', () => {
  const wider = documentOf([...document.methods, echo('also', {})], { Order: order({ type: 'number' }) })
  expect(textOf(staleLock(lockText(document), wider)).split('\n')).toEqual([
    'rpc.lock.json is stale: 2 breaking, 2 compatible changes: run rpc-gen',
    '  result-type-widened find().id: Int became number',
    '  result-type-widened store().id: Int became number',
    '  param-type-widened store(x).id: Int became number',
    '  method-added also: the method was added',
    '',
  ])
})

test('a lock with the same contract is not reported, whatever its spaces and names; a missing one is', () => {
  const text = lockText(document)
  expect(staleLock(text, document)).toEqual([])
  expect(staleLock(undefined, document, 'api/rpc.lock.json')).toEqual(['api/rpc.lock.json does not exist: run rpc-gen'])
  expect(staleLock(` ${text.replaceAll('Order', 'Purchase')}`, document)).toEqual([])
})

test('an invalid lock is an error of one line', () => {
  expect(() => checkLock('<<<<<<< HEAD', document)).toThrow(
    'rpc.lock.json has the marks of a merge conflict: write it again with --lock',
  )
  expect(() => checkLock('{"rpcLock":1}', document)).toThrow('rpc.lock.json has no methods: write it again with --lock')
})
