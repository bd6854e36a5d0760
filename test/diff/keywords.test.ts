import { expect, test } from 'vitest'
import { base64Pattern } from '../../runtime/description/json-schema.js'
import { diffApis, oneSided } from './documents.js'
import type { ForeignSchema } from './schemas.js'

const [kept, breaks] = [false, true]

/** Two versions, and whether the second breaks callers that send a value of the first, or that receive one of the second. */
type Case = readonly [old: ForeignSchema, now: ForeignSchema, param: boolean, result: boolean, why: string]

function expectVerdict(...[old, now, param, result, why]: Case): void {
  const isBreaking = (side: 'param' | 'result') =>
    diffApis(oneSided(side, old), oneSided(side, now)).some(({ breaking }) => breaking)
  expect([isBreaking('param'), isBreaking('result')], why).toEqual([param, result])
}

test.each<Case>([
  [{ enum: ['a', 1] }, { type: 'string', enum: ['a', 1] }, breaks, kept, '1 is not a string'],
  [{ type: 'string', enum: ['a', 1] }, { enum: ['a', 1] }, kept, breaks, '1 may be returned'],
  [{ enum: ['a', 'b'] }, { type: ['number', 'null'], enum: ['a', 'b'] }, breaks, kept, 'nothing is accepted'],
  [{ const: 1 }, { type: 'string', const: 1 }, breaks, kept, 'nothing is accepted'],
  [{ enum: [1, 1.5] }, { type: 'integer', enum: [1, 1.5] }, breaks, kept, '1.5 is not an integer'],
  [{ enum: [[1], { a: 1 }] }, { type: 'object', enum: [[1], { a: 1 }] }, breaks, kept, 'a list is not an object'],
  [{ enum: ['a', 1, null] }, { type: ['string', 'integer', 'null'], enum: ['a', 1, null] }, kept, kept, 'all are'],
])('constants beside a type: %j %j', expectVerdict)

const bytes: ForeignSchema = { type: 'string', contentEncoding: 'base64' }

test.each<Case>([
  [bytes, { ...bytes, pattern: '^A' }, breaks, kept, 'others begin with B'],
  [{ ...bytes, pattern: '^A' }, { ...bytes, pattern: '^AB' }, breaks, kept, 'AC is not accepted'],
  [bytes, { ...bytes, pattern: base64Pattern }, kept, kept, 'the pattern of rpc-gen repeats the encoding'],
])('a pattern beside base64: %j %j', expectVerdict)
