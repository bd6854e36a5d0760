import {
  array,
  constrained,
  date,
  int,
  manifest,
  optional,
  procedure,
  read,
  string,
  type Wire,
} from 'rpc-gen/codegen/v1'
import { expect, test } from 'vitest'
import { decodeMessage } from '../../runtime/jsonrpc/decode.js'
import { InternalsPage } from '../support/internals-page.js'
import { completeLimits } from '../support/limits.js'
import { appOf, post, request } from '../support/requests.js'

// docs/internals/one-call.md shows what each step of a server makes of a call of the README's example.

const page = new InternalsPage('one-call.md')

/** The definitions of docs/internals/one-procedure.md. */
const lineQuantity = constrained(int, { minimum: 1 })
// biome-ignore lint/suspicious/noExplicitAny: as generated modules have it
function line(v: any, w: Wire): any {
  return { sku: string(v?.sku), quantity: read(v.quantity, lineQuantity, w) }
}

const received: unknown[] = []
const quote = procedure(
  (lines: readonly unknown[], deliverBy?: Date) => {
    received.push(lines, deliverBy)
    return 500
  },
  { params: { lines: array(line), deliverBy: optional(date) }, returns: int },
)
const jsonType = { 'Content-Type': 'application/json' }
const app = appOf({ procedures: manifest({ quote }) })

const [, sent = ''] = /^ {4}(\{"jsonrpc".*\})$/m.exec(page.text) ?? []

test('the message', () => {
  expect(JSON.parse(JSON.stringify(decodeMessage(sent, completeLimits())))).toEqual(
    JSON.parse(page.shown('the message')),
  )
})

test('the arguments and the response', async () => {
  const { text } = await request(app, post(sent, jsonType))
  expect(received).toEqual([[{ sku: 'A-1', quantity: 2 }], new Date('2050-01-05T00:00:00Z')])
  expect(text).toBe(page.shown('the response'))
})

test('the error', async () => {
  const { text } = await request(app, post(sent.replace('"quantity":2', '"quantity":0'), jsonType))
  expect(text).toBe(page.shown('the error'))
})
