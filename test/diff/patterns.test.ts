import { expect, test } from 'vitest'
import { diffApis, oneSided } from './documents.js'
import type { ForeignSchema } from './schemas.js'

const int: ForeignSchema = { type: 'integer' }
const text: ForeignSchema = { type: 'string' }
const number: ForeignSchema = { type: 'number' }
const small: ForeignSchema = { type: 'number', maximum: 5 }
const none: ForeignSchema = { enum: [] }

type Schemas = Readonly<Record<string, ForeignSchema>>

/** An object that ignores other keys. */
function open(patternProperties: Schemas, properties: Schemas = {}, required: string[] = []): ForeignSchema {
  return { type: 'object', properties, required, patternProperties }
}

/** An object that rejects other keys, as a Map does. */
function closed(patternProperties: Schemas, properties: Schemas = {}): ForeignSchema {
  return { ...open(patternProperties, properties), additionalProperties: false }
}

function record(others: ForeignSchema, patternProperties: Schemas = {}, properties: Schemas = {}): ForeignSchema {
  return { ...open(patternProperties, properties), additionalProperties: others }
}

const [kept, breaks] = [false, true]

/** Two versions, and whether the second breaks callers that send a value of the first, or that receive one of the second. */
const cases: readonly (readonly [ForeignSchema, ForeignSchema, param: boolean, result: boolean, why: string])[] = [
  [closed({ '^a$': int }), closed({ '^a$|^b$': int }), kept, breaks, 'the old result has no key b'],
  [closed({ '^a$|^b$': int }), closed({ '^a$': int }), breaks, breaks, 'b is rejected, and no longer returned'],
  [closed({ '^a$|^b$': int }), closed({ '^b$|^a$': int }), kept, kept, 'the order does not matter'],
  [closed({ '^a$|^b$': int }), closed({ '^a$|^b$': number }), kept, breaks, '1.5 may be returned'],
  [closed({ '^a$|^b$': int }), closed({ '^a$': int, '^b$': text }), breaks, breaks, 'b is a string'],
  [closed({ '^a$|^b$': int }), closed({}, { a: int, b: int }), kept, kept, 'the same as members'],
  [closed({ '^1$|^2$': int }), closed({ '^\\d+$': int }), breaks, breaks, 'no pattern is run: 1 may not match'],
  [closed({ '^\\d+$': int }), closed({ '^1$': int }), breaks, breaks, '2 is rejected, and no longer returned'],
  [closed({ '^a$|^b$': int }), record(int), kept, breaks, 'any key may be returned'],
  [record(int), closed({ '^a$': int }), breaks, breaks, 'c is rejected, and no longer returned'],
  [record(int), record(int, { '^x-': text }), breaks, breaks, 'x-a is a string'],
  [record(int), record(int, {}, { a: int }), kept, kept, 'a was one of the others'],
  [record(int), record(int, {}, { a: text }), breaks, breaks, 'a was an integer'],
  [open({ '^x-': int }), open({ '^x-': int, '^y-': text }), kept, kept, 'y-a was ignored'],
  [open({ '^x-': int }), open({ '^x-': int, '^x-a': text }), breaks, breaks, 'x-a has to be both'],
  [open({ '^x-': int, '^y-': text }), open({ '^x-': int }), breaks, breaks, 'y-a is ignored, and no longer returned'],
  [open({ '^x-': int }), open({ '^x-|^y-': int }), kept, kept, 'y-a was ignored'],
  [open({ '^x-(?:a$|^b)': int }), open({ '^x-(?:a$|^c)': int }), breaks, breaks, 'a group is not divided'],
  [open({ '^(?=x$|^y)': int }), open({ '^(?=x$|^y)|^z': int }), breaks, breaks, 'a bar in a group does not divide'],
  [open({ '^x-a$': int }), open({ '^x-a?$': int }), breaks, breaks, 'no pattern is run: x-a may not match'],
  [open({ '^x-': int }), open({ '^x-': int }, { 'x-a': int }), kept, kept, 'x-a matched the pattern'],
  [open({ '^x-': int }), open({ '^x-': int }, { 'x-a': int }, ['x-a']), breaks, kept, 'x-a has to be sent'],
  [open({ '^x-': int }), open({ '^(?!(?:x-a)$)(?:^x-)': int }, { 'x-a': text }), breaks, breaks, 'x-a was an integer'],
  [
    open({ '^x-': int }, { 'x-a': text }),
    open({ '^(?!(?:x-a)$)(?:^x-)': int }, { 'x-a': text }),
    breaks,
    breaks,
    'x-a had to be both',
  ],
  [
    open({ '^(?!(?:x-a)$)(?:^x-)': int }, { 'x-a': text }),
    open({ '^(?!(?:x-a)$)(?:^x-)': int }, { 'x-a': text, 'x-b': int }),
    kept,
    kept,
    'x-a is declared',
  ],
  [
    open({ '^(?!(?:x-a)$)(?:^x-)': int }, { 'x-a': number }),
    open({ '^x-': int }, { 'x-a': number }),
    breaks,
    breaks,
    'x-a has to be an integer',
  ],
  [open({}, { a: number }), open({ '^a$': int }, { a: number }), breaks, breaks, '1.5 was accepted'],
  [open({}, { a: number }), open({ '^b$|^a$': int }, { a: number }), breaks, breaks, '1.5 was accepted'],
  [closed({}, { a: number }), closed({ '^a$': none }, { a: number }), breaks, breaks, 'a is rejected'],
  [open({}, { a: int }), open({ '^a$': int }, { a: int }), kept, kept, 'both are the same'],
  [open({ '^a$': int }, { a: number }), open({ '^a$': int }, { a: number, b: int }), kept, kept, 'a has to be both'],
  [open({ '^a$': int }), open({ '^a$|^b$': int, '^a$|^c$': small }), breaks, breaks, 'a has two patterns'],
  [open({ '^a$|^b$': int }), open({ '^a$|^b$': int }, {}, ['a']), breaks, kept, 'a has to be sent'],
  [open({}, { a: text }, ['a']), open({ '^a$|^b$': int }, {}, ['a']), breaks, breaks, 'a was a string'],
  [open({ '^x-': int }), open({ '^(?!(?:x-a)$)(?:^x-)': int }), breaks, breaks, 'x-a is excluded and not declared'],
  [open({}, { 'x-a': int }), open({ '^x-': int }), kept, kept, 'x-a matches the pattern'],
  [open({}, { 'x-a': int }, ['x-a']), open({ '^x-': int }), kept, breaks, 'x-a may be missing'],
  [open({}, { 'x-a': int }), open({ '^x-': text }), breaks, breaks, 'x-a is a string'],
  [open({ '^a\\.b$': int }), open({}, { 'a.b': int }), kept, kept, 'an escaped dot is a dot'],
  [open({ '^a.b$': int }), open({}, { 'a.b': int }), breaks, breaks, 'a dot is any character'],
]

test.each(cases)('%j %j', (old, now, param, result, why) => {
  const isBreaking = (side: 'param' | 'result') =>
    diffApis(oneSided(side, old), oneSided(side, now)).some(({ breaking }) => breaking)
  expect([isBreaking('param'), isBreaking('result')], why).toEqual([param, result])
})
