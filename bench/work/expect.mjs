// The expected responses.
import { deepStrictEqual } from 'node:assert'
import * as rest from '../contestants/calls/hono-zod-validator.mjs'
import * as orpc from '../contestants/calls/orpc.mjs'
import * as xml from '../contestants/calls/rpc-gen-xml.mjs'
import * as trpc from '../contestants/calls/trpc.mjs'
import { items, jsonRpcResults } from './calls.mjs'

const forms = { trpc, orpc, fastify: rest, 'hono-zod-validator': rest, 'rpc-gen-xml': xml }

/** Throws unless a response, in the contestant's form, has the results of an item. */
export function expectResults(response, item, title) {
  const results = forms[title]?.results ?? jsonRpcResults
  deepStrictEqual(
    results(response),
    items[item].calls.map(({ result }) => result),
    `${title}: wrong response to ${item}`,
  )
}
