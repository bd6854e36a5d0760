import { expect, test } from 'vitest'
import type { ForeignSchema } from '../../generator/diff/foreign.js'
import { checkLock, lockText, staleLock } from '../../generator/diff/lock.js'
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

test('a lock has the contract and nothing else', () => {
  expect(lockText(document)).toBe(`{
  "rpcLock": 1,
  "methods": {
    "find": { "params": [], "result": { "$ref": "#/schemas/find()" }, "protocols": ["json-rpc"] },
    "store": {
      "params": [{ "name": "x", "required": true, "schema": { "$ref": "#/schemas/find()" } }],
      "result": { "$ref": "#/schemas/find()" },
      "errors": [4001, 4002],
      "signatures": ["struct struct"],
      "idempotent": true
    }
  },
  "schemas": {
    "find()": {
      "type": "object",
      "properties": {
        "id": { "type": "integer", "format": "int32" },
        "parts": { "type": "array", "items": { "$ref": "#/schemas/find()" } }
      },
      "required": ["id", "parts"]
    }
  }
}
`)
})

test('a stale lock says what has changed, what breaks first', () => {
  const wider = documentOf([...document.methods, echo('also', {})], { Order: order({ type: 'number' }) })
  expect(textOf(staleLock(lockText(document), wider)).split('\n')).toEqual([
    'rpc.lock.json is stale: 2 breaking, 2 compatible changes: run rpc-gen',
    '  result-type-widened find().id: Int became number',
    '  result-type-widened store().id: Int became number',
    '  param-type-widened store(x).id: Int became number',
    '  method-added also: the method is new',
    '',
  ])
})

test('a lock that is current says nothing; one that is not there or has other spaces does', () => {
  const text = lockText(document)
  expect(staleLock(text, document)).toEqual([])
  expect(staleLock(undefined, document, 'api/rpc.lock.json')).toEqual(['api/rpc.lock.json is not there: run rpc-gen'])
  expect(staleLock(` ${text}`, document)).toEqual(['rpc.lock.json is stale: run rpc-gen'])
})

test('a lock that is none is a sentence', () => {
  expect(() => checkLock('<<<<<<< HEAD', document)).toThrow("rpc.lock.json is no JSON: Unexpected token '<'")
  expect(() => checkLock('{"rpcLock":1}', document)).toThrow('rpc.lock.json has no methods: write it again with --lock')
})
