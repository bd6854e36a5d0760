import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Manifest, RpcServer } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { describe, expect, test } from 'vitest'
import type { Procedure } from '../../../runtime/call/types.js'
import { jsonWires } from '../../../runtime/jsonrpc/scalars.js'
import { attempt, definitionOf } from '../../../runtime/values/definition.js'
import { jsonForms, samples, spoiled } from '../../parity/samples.js'
import { fixtures, generatedClient } from '../../python/clients.js'
import { missingPython, python } from '../../python/python.js'
import { listen } from '../../support/listen.js'
import { root } from '../../support/paths.js'
import { INVALID, read } from '../../support/procedure-values.js'
import { skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const folder = temporaryFolder('python')

/** A call of the client: its arguments, and the result of the server, as JSON. */
interface Case {
  readonly id: number
  readonly method: string
  readonly args: readonly unknown[]
  readonly result: unknown
}

function decodedResult({ returns }: Procedure, value: unknown): unknown {
  return attempt(definitionOf(returns.type), value, jsonWires.decode)
}

function argumentLists({ params, overloads }: Procedure): readonly (readonly unknown[])[] {
  const values = (overloads?.[0] ?? params).map(({ type }) => samples(type, jsonForms))
  const first: unknown[] = values.map((each) => each[0] ?? null)
  const required = (overloads?.[0] ?? params).findLastIndex(({ optional, rest }) => !optional && !rest) + 1
  return [first.slice(0, required), ...values.flatMap((each, i) => each.map((value) => first.with(i, value)))]
}

/** Calls with each list of arguments, and calls with each result. */
function casesOf(procedures: readonly Procedure[]): Case[] {
  const cases = procedures.flatMap((procedure): Omit<Case, 'id'>[] => {
    const { name: method } = procedure
    const results = samples(procedure.returns.type, jsonForms).filter(
      (each) => decodedResult(procedure, each) !== INVALID,
    )
    const result = results[0] ?? null
    const lists = argumentLists(procedure).filter((each) => read(procedure, each, jsonWires.decode) !== INVALID)
    const [args] = lists
    // The arguments of an overloaded procedure are tested with those of other ones.
    const calls = procedure.overloads ? [] : lists.map((each) => ({ method, args: each, result }))
    return args && !procedure.overloads ? [...calls, ...results.map((each) => ({ method, args, result: each }))] : []
  })
  return cases.map((each, id) => ({ ...each, id }))
}

/** Results of other types than the declared one, for types without constraints, which the client does not check. */
function wrongResults(procedure: Procedure): { method: string; result: unknown }[] {
  if (/"constraints"|"kind":"custom"/.test(JSON.stringify(procedure.returns.type))) return []
  const { name: method } = procedure
  const some = samples(procedure.returns.type, jsonForms).slice(0, 5)
  const all = some.flatMap((each) => spoiled(each)).filter(isJson)
  const wrong = all.filter((result) => decodedResult(procedure, result) === INVALID)
  const step = Math.max(1, wrong.length / most)
  return Array.from({ length: Math.ceil(wrong.length / step) }, (_, i) => ({
    method,
    result: wrong[Math.floor(i * step)],
  }))
}

/** True for a value that JSON represents. */
function isJson(value: unknown): boolean {
  try {
    expect(JSON.parse(JSON.stringify(value))).toStrictEqual(value)
    return true
  } catch {
    return false
  }
}

const most = 200

describe.skipIf(skipped('clients in Python', missingPython))('a client in Python and its server', () => {
  test.each(fixtures)('convert every value alike: %s', async (name) => {
    const [path, module] = await Promise.all([
      generatedClient(name, folder),
      import(pathToFileURL(join(root, 'fixtures/generate', name, 'expected.gen.ts')).href) as Promise<{
        readonly procedures: Manifest
      }>,
    ])
    const isCalled = ({ subscription, protocols }: Procedure) =>
      !subscription && (protocols?.includes('json-rpc') ?? true)
    const all = Object.values(module.procedures).filter(isCalled)
    const cases = casesOf(all)
    const wrong: unknown[] = []
    let current: Case | undefined
    // The functions are replaced: each returns what the case has.
    const procedures = Object.fromEntries(
      all.map((procedure) => {
        const invoke = (args: readonly unknown[]) => {
          const { args: sent = [], result } = current ?? {}
          const expected = read(procedure, sent, jsonWires.decode)
          if (current && !isEqual(args, expected)) wrong.push({ method: procedure.name, args, expected })
          return decodedResult(procedure, result)
        }
        return [procedure.name, withFunction(procedure, invoke)]
      }),
    ) as Manifest
    const server = new RpcServer({ procedures, onError: () => {} })
    const handle = nodeHandler(server)
    const { origin, close } = await listen((request, response) => {
      current = cases[Number(request.url?.slice(1))]
      handle(request, response)
    })
    try {
      const input = { calls: cases, mutated: firstOfEach(cases), wrong: all.flatMap(wrongResults), most }
      const { results, mutated, unnoticed } = JSON.parse(
        await python([join(root, 'test/python/check.py'), path, origin], JSON.stringify(input)),
      )
      expect(wrong).toEqual([])
      for (const [i, { method, result }] of cases.entries()) {
        const procedure = all.find((each) => each.name === method) as Procedure
        expect([method, decodedResult(procedure, results[i])]).toEqual([method, decodedResult(procedure, result)])
      }
      expect(unnoticed).toEqual([])
      current = undefined
      expect(await rejectedByServer(server, mutated)).toEqual([])
    } finally {
      close()
    }
  })
})

/** The procedure with another function, which anyone may call. */
function withFunction(procedure: Procedure, invoke: Procedure['invoke']): Procedure {
  const others: Partial<Procedure> = { auth: undefined, middleware: undefined, invoke }
  return new Proxy(procedure, {
    get(target, key) {
      if (key in others) return others[key as keyof Procedure]
      const value = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args)
        return key === 'with' ? withFunction(result as Procedure, invoke) : result
      }
    },
  })
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(other)
    return true
  } catch {
    return false
  }
}

function firstOfEach(cases: readonly Case[]): Case[] {
  return [...new Map(cases.filter(({ args }) => args.length > 0).map((each) => [each.method, each])).values()]
}

interface Mutated {
  readonly method: string
  readonly sent: readonly unknown[]
}

const typeCodes = new Set('required type const enum additionalProperties propertyNames'.split(' '))

/** The params that the client sends although they are not of the declared types. Constraints are checked by the server alone. */
async function rejectedByServer(server: RpcServer, mutated: readonly Mutated[]): Promise<unknown[]> {
  const calls = mutated.flatMap(({ method, sent }) => sent.map((params) => ({ jsonrpc: '2.0', method, params })))
  const found: unknown[] = []
  for (let at = 0; at < calls.length; at += 500) {
    const batch = calls.slice(at, at + 500).map((each, id) => ({ ...each, id }))
    const response = await server.fetch(
      new Request('http://127.0.0.1/', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(batch),
      }),
    )
    const replies: { id: number; error?: { code: number; data?: { code: string }[] } }[] = await response.json()
    for (const { id, error } of replies) {
      const issues = error?.code === -32602 ? (error.data ?? []) : []
      const ofTypes = issues.filter(({ code }) => typeCodes.has(code))
      if (ofTypes.length > 0) found.push({ ...batch[id], issues: ofTypes })
    }
  }
  return found
}
