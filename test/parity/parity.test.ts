import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Manifest, Procedure } from '../../runtime/call/types.js'
import { RpcServer } from '../../runtime/index.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { explain, explainCall } from '../../runtime/values/explain.js'
import type { Param, WireType } from '../../runtime/values/types.js'
import { localWire, type Wires } from '../../runtime/values/wire.js'
import { TypedValue, xmlrpcWires } from '../../runtime/xmlrpc/scalars.js'
import { root } from '../support/paths.js'
import { accepts, INVALID, read, written } from '../support/procedure-values.js'
import { type Forms, isPlain, jsonForms, junk, localForms, samples, spoiled, with_, xmlForms } from './samples.js'

const folder = join(root, 'fixtures/generate')
const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
const fixtures = await Promise.all(names.map(async (name) => [name, await proceduresOf(name)] as const))

async function proceduresOf(name: string): Promise<Procedure[]> {
  const module: { procedures: Manifest } = await import(`${folder}/${name}/expected.gen.ts`)
  return Object.values(module.procedures)
}

const protocols: readonly (readonly [string, Wires, Forms])[] = [
  ['JSON', jsonWires, jsonForms],
  ['XML', xmlrpcWires, xmlForms],
  ['local', { decode: localWire, encode: localWire }, localForms],
]

/** Lists of arguments that are right: each parameter with each of its samples. */
function goodArguments({ params, overloads }: Procedure, forms: Forms): readonly (readonly unknown[])[] {
  return (overloads ?? [params]).flatMap((each) => goodFor(each, forms))
}

function goodFor(params: readonly Param[], forms: Forms): readonly (readonly unknown[])[] {
  const values = params.map(({ type }) => samples(type, forms))
  const first = values.map((each) => each[0])
  const required = params.findLastIndex(({ optional, rest }) => !optional && !rest) + 1
  return [first.slice(0, required), ...values.flatMap((each, i) => each.map((value) => first.with(i, value)))]
}

/** Large types of the fixtures have up to 300,000 lists of wrong arguments; PARITY_RUNS makes a longer run. */
const mostPerProcedure = Number(process.env['PARITY_RUNS'] ?? process.env['FUZZ_RUNS'] ?? 500)

function badArguments(procedure: Procedure, forms: Forms): readonly (readonly unknown[])[] {
  const all = goodArguments(procedure, forms).flatMap((args) => [
    args.slice(0, -1),
    ...junk.map((extra) => [...args, extra]),
    ...args.flatMap((arg, i) => spoiled(arg).map((other) => args.with(i, other))),
  ])
  const step = Math.max(1, all.length / mostPerProcedure)
  return Array.from({ length: Math.ceil(all.length / step) }, (_, i) => all[Math.floor(i * step)] ?? [])
}

/** Deeply frozen: a change throws. */
function frozen<T>(value: T): T {
  if (Array.isArray(value) || isPlain(value)) for (const each of Object.values(value)) frozen(each)
  return ArrayBuffer.isView(value) ? value : Object.freeze(value)
}

/** The objects in a value that have another prototype than plain ones. */
function prototypes(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(prototypes)
  if (typeof value !== 'object' || value === null) return []
  if (isPlain(value)) return Object.values(value).flatMap(prototypes)
  return 'polluted' in value ? [value] : []
}

function isSame(one: WireType | undefined, other: WireType): boolean {
  return (
    one !== undefined && (one === other || (one.kind === other.kind && JSON.stringify(one) === JSON.stringify(other)))
  )
}

/** True if the result of a procedure is of the type of its only parameter. */
function isEcho({ params, returns }: Procedure): boolean {
  const [only] = params
  return params.length === 1 && !only?.rest && isSame(only?.type, returns.type)
}

/** The same value with an unknown key in every object that declares its members. */
function bigintToNumber(type: WireType | undefined, value: unknown): unknown {
  if (type?.kind === 'ref') return bigintToNumber(type.type(), value)
  if (type?.kind === 'array' && Array.isArray(value)) return value.map((each) => bigintToNumber(type.element, each))
  if (type?.kind !== 'struct' || type.indexes || !isPlain(value)) return value
  const inner = Object.keys(value).reduce<object>((made, name) => {
    const member = type.members.find((each) => each.name === name)
    return with_(made, name, bigintToNumber(member?.type, value[name]))
  }, {})
  return with_(with_(inner, 'undeclared', 1), 'valueOf', 'own')
}

/** A value of a wire without the marks of unions; a Buffer is bytes as good as any. */
function plain(value: unknown): unknown {
  if (value instanceof TypedValue) return plain(value.value)
  if (Buffer.isBuffer(value)) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(plain)
  if (!isPlain(value)) return value
  return Object.keys(value).reduce<object>((made, name) => with_(made, name, plain(value[name])), {})
}

/** Only values of no declared type may throw on their way out. */
function writtenOr<T>(otherwise: T, write: () => unknown): unknown {
  try {
    return write()
  } catch (error) {
    expect((error as Error).name).toBe('SerializationError')
    return otherwise
  }
}

describe.each(fixtures)('%s', (_name, procedures) => {
  test.each(protocols)('%s: valid values are accepted', (_protocol, { decode }, forms) => {
    for (const procedure of procedures) {
      for (const args of goodArguments(procedure, forms)) {
        expect([procedure.name, args, explainCall(procedure, frozen(args), decode)]).toEqual([procedure.name, args, []])
        expect(accepts(procedure, args, decode)).toBe(true)
      }
    }
  })

  test.each(protocols)(
    '%s: decoding and explaining agree, and neither throws or changes its input',
    (_protocol, { decode }, forms) => {
      for (const procedure of procedures) {
        const wrong: unknown[] = []
        for (const args of badArguments(procedure, forms)) {
          const result = read(procedure, frozen(args), decode)
          const issues = explainCall(procedure, args, decode)
          const polluted = result === INVALID ? [] : prototypes(result)
          // An assertion for each would take half of the time.
          if ((result === INVALID) !== issues.length > 0 || polluted.length > 0) wrong.push({ args, result, issues })
        }
        expect([procedure.name, wrong]).toEqual([procedure.name, []])
      }
    },
  )

  test.each(protocols)('%s: unknown keys are dropped from arguments and results', (_protocol, { decode }, forms) => {
    for (const procedure of procedures) {
      for (const args of goodArguments(procedure, forms)) {
        const wide = args.map((arg, i) => bigintToNumber(procedure.params[i]?.type, arg))
        expect(procedure.read(frozen(wide), decode)).toEqual(procedure.read(args, decode))
      }
    }
  })

  test.each(protocols)('%s: encoding and explain reject the same values', (_protocol, { encode }, forms) => {
    expect(procedures.length).toBeGreaterThan(0)
    for (const procedure of procedures) {
      const { name: method, params, returns } = procedure
      if (returns.type.kind === 'any' || returns.type.kind === 'void') continue
      const results = [...junk, ...params.flatMap(({ type }) => samples(type, forms))]
      for (const result of results) {
        const value = writtenOr(INVALID, () => written(procedure, frozen(result), encode))
        const issues = explain(returns.type, result, ['result'])
        expect([method, result, value !== INVALID]).toEqual([method, result, issues.length === 0])
      }
    }
  })
})

const echoes = fixtures
  .map(([name, procedures]) => [name, procedures.filter(isEcho)] as const)
  .filter(([, procedures]) => procedures.length > 0)

describe.each(echoes)('%s', (_name, procedures) => {
  test.each(protocols)('%s: an argument is returned unchanged', (_protocol, { decode, encode }, forms) => {
    for (const procedure of procedures) {
      for (const value of samples(procedure.returns.type, forms)) {
        const [decoded] = procedure.read(frozen([value]), decode)
        expect([procedure.name, plain(procedure.write(frozen(decoded), encode))]).toEqual([
          procedure.name,
          plain(value),
        ])
      }
    }
  })
})

test('a member is kept if any branch that accepts the value declares it', async () => {
  const [pet] = (await proceduresOf('unions')).filter(({ name }) => name === 'pet')
  const kept = (value: object) => pet?.read([value], jsonWires.decode)[0]
  expect(kept({ name: 'Tom', lives: 9, barks: true, more: 1 })).toEqual({ name: 'Tom', lives: 9, barks: true })
  expect(kept({ name: 'Tom', lives: 9, barks: 'no' })).toEqual({ name: 'Tom', lives: 9 })
  expect(kept({ name: 'Rex', lives: 'one', barks: true, born: '2020-01-02' })).toEqual({
    name: 'Rex',
    barks: true,
    born: new Date('2020-01-02'),
  })
  expect(pet?.write({ name: 'Tom', lives: 9, barks: true, more: 1 }, jsonWires.encode)).toEqual({
    name: 'Tom',
    lives: 9,
    barks: true,
  })
})

test('issues of a union without a tag do not list members that the protocol can decode', async () => {
  const [pet] = (await proceduresOf('unions')).filter(({ name }) => name === 'pet')
  const value = { name: null, barks: true, born: '2020-01-02' }
  expect(pet && explainCall(pet, [value], jsonWires.decode)).toEqual([
    { path: ['animal', 'name'], code: 'type', limit: 'string', expected: 'string', received: 'null' },
  ])
})

test('a recursive type without a name in the source is written out in issues', async () => {
  const [blocks] = (await proceduresOf('mixed-recursion')).filter(({ name }) => name === 'blocks')
  expect(blocks && explainCall(blocks, [[{ type: 'quote', said: '2020-01-02' }]], jsonWires.decode)).toEqual([
    {
      path: ['values', 0, 'kids'],
      code: 'required',
      expected: 'array of (string | Quote | Section)',
      received: 'nothing',
    },
  ])
})

test('null represents an omitted member', async () => {
  const [loose, , patch] = await proceduresOf('optional-members')
  const decoded = (procedure: Procedure | undefined, value: object) => procedure?.read([value], jsonWires.decode)[0]
  const rest = { known: undefined, left: undefined, maybe: null }
  expect(decoded(patch, { name: null, nick: null, born: null, known: null, left: null, maybe: null })).toEqual({
    nick: null,
    ...rest,
  })
  expect(decoded(loose, { name: null, other: null })).toEqual({ other: undefined })
})

test('arguments of an overloaded procedure are all of one overload', async () => {
  const [size, , both] = await proceduresOf('overloads')
  const judged = (procedure: Procedure | undefined, args: readonly unknown[]) =>
    procedure && [accepts(procedure, args), explainCall(procedure, args, localWire)]
  expect(judged(both, ['a', 'b'])).toEqual([true, []])
  expect(judged(both, ['a', 1])).toEqual([
    false,
    [{ path: ['b'], code: 'type', limit: 'string', expected: 'string', received: 'int' }],
  ])
  expect(judged(size, ['a', true])).toEqual([
    false,
    [{ path: [], code: 'maxItems', limit: 1, expected: 'at most 1 parameter', received: '2' }],
  ])
  expect(judged(size, [1])).toEqual([
    false,
    [
      {
        path: ['value'],
        code: 'type',
        limit: ['string', 'array'],
        expected: 'string | array of string',
        received: 'int',
      },
    ],
  ])
  expect(both?.invoke(['a', 'b'], undefined as never)).toBe('ab')
  expect(both?.invoke([1, 2], undefined as never)).toBe(2)
})

test('parameters of an overloaded procedure have the names of any of its overloads', async () => {
  const procedures = Object.fromEntries((await proceduresOf('overloads')).map((each) => [each.name, each]))
  const call = async (params: object, unknownKeys?: 'strip') => {
    const router = new RpcServer({ procedures, ...(unknownKeys && { unknownKeys }) }).router()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'find', params })
    const response = await router.request('/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    const { result, error } = await response.json()
    return error?.message ?? result
  }
  expect(await call({ id: 7 })).toBe('7')
  expect(await call({ limit: 2, name: 'Ada' })).toEqual(['Ada'])
  expect(await call({ key: { born: '1815-12-10T00:00:00Z' }, limit: 2, more: [3] })).toHaveLength(1)
  // Those that the OpenRPC document has for all of them.
  expect(await call({ name: 7 })).toBe('7')
  expect(await call({ id: 7, limit: 2 })).toBe(
    'Invalid params: id: expected one of id; or of name, limit; or of key, limit, more, received a name of another overload',
  )
  expect(await call({ id: true })).toMatch(/^Invalid params: id: expected .*, received boolean$/)
  expect(await call({ key: true, limit: 2 })).toMatch(/^Invalid params: key: expected .*, received boolean$/)
  expect(await call({ id: 7, other: 1 }, 'strip')).toBe('7')
  expect(await call({ id: 7, other: 1 })).toBe(
    'Invalid params: other: expected one of id; or of name, limit; or of key, limit, more, received an unknown name',
  )
})
