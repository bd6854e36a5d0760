import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import type { AnySchema, ForeignSchema } from '../../generator/diff/type.js'
import type { ContentDescriptor, OpenRpc, OpenRpcMethod, OpenRpcOverload } from '../../runtime/openrpc/openrpc.js'
import type { Draft07Schema } from '../../runtime/schema/draft-07.js'
import { diffApis, documentOf } from './documents.js'

const numRuns = Number(process.env['DIFF_RUNS'] ?? 300)
const seed = Number(process.env['DIFF_SEED'] ?? 20_260_101)

/** Each with its own judge. */
const kinds: Readonly<Record<string, readonly [schema: ForeignSchema, judge: (value: unknown) => boolean]>> = {
  int: [{ type: 'integer' }, Number.isInteger],
  number: [{ type: 'number' }, (value) => typeof value === 'number'],
  natural: [{ type: 'integer', minimum: 0 }, (value) => Number.isInteger(value) && Number(value) >= 0],
  string: [{ type: 'string' }, (value) => typeof value === 'string'],
  long: [{ type: 'string', minLength: 2 }, (value) => typeof value === 'string' && value.length >= 2],
  ab: [{ enum: ['a', 'b'] }, (value) => value === 'a' || value === 'b'],
  ints: [
    { type: 'array', items: { type: 'integer' } },
    (value) => Array.isArray(value) && value.every(Number.isInteger),
  ],
  list: [{ type: 'array', items: {} }, Array.isArray],
  box: [
    { type: 'object', properties: { kind: { const: 'box' } }, required: ['kind'] },
    (value) => (value as { kind?: unknown } | null)?.kind === 'box',
  ],
  bag: [
    { type: 'object', properties: { kind: { const: 'bag' } }, required: ['kind'] },
    (value) => (value as { kind?: unknown } | null)?.kind === 'bag',
  ],
}

const values = [1, -1, 0.5, 'a', 'ccc', null, [1], ['a'], { kind: 'box' }, { kind: 'bag' }]

type Union = readonly string[]

function isOf(union: Union, value: unknown): boolean {
  return union.some((kind) => kinds[kind]?.[1](value))
}

/** One overload: params by the kinds that they accept; from `least` on they are optional. */
interface Signature {
  readonly params: readonly Union[]
  readonly least: number
  readonly rest?: Union | undefined
  readonly result?: Union
}

function accepts({ params, least, rest }: Signature, args: readonly unknown[]): boolean {
  if (args.length < least || (!rest && args.length > params.length)) return false
  return args.every((arg, i) => isOf(params[i] ?? rest ?? [], arg) || (i >= least && i < params.length && arg === null))
}

function schemaOf(union: Union, more: readonly Draft07Schema[] = []): Draft07Schema {
  const all = [...new Set(union)].map((kind) => kinds[kind]?.[0] as AnySchema as Draft07Schema)
  return { anyOf: [...all, ...more] }
}

function descriptors({ params, least, rest }: Signature): ContentDescriptor[] {
  const nothing: Draft07Schema = { type: 'null' }
  const single = params.map(
    (union, i): ContentDescriptor => ({
      name: `p${i}`,
      required: i < least,
      schema: schemaOf(union, i < least ? [] : [nothing]),
    }),
  )
  if (!rest) return single
  return [
    ...single,
    { name: 'rest', required: false, schema: { type: 'array', items: schemaOf(rest) }, 'x-rest': true },
  ]
}

function overloadOf(signature: Signature): OpenRpcOverload {
  const { result } = signature
  return {
    params: descriptors(signature),
    ...(result && { result: { name: 'result', required: true, schema: schemaOf(result) } }),
  }
}

/** As in documents of rpc-gen: at each position everything that any of them accepts. */
function methodOf(signatures: readonly Signature[], more: Partial<OpenRpcMethod> = {}): OpenRpcMethod {
  const count = Math.max(...signatures.map(({ params }) => params.length))
  const at = (i: number) => signatures.flatMap(({ params, rest }) => params[i] ?? rest ?? [])
  const rests = signatures.flatMap(({ rest }) => rest ?? [])
  const merged: Signature = {
    params: Array.from({ length: count }, (_, i) => at(i)),
    least: Math.min(...signatures.map(({ least }) => least)),
    rest: rests.length > 0 ? rests : undefined,
  }
  const results = signatures.flatMap(({ result }) => result ?? ['int', 'string'])
  return {
    name: 'f',
    params: descriptors(merged),
    result: { name: 'result', required: true, schema: schemaOf(results) },
    'x-protocols': ['json-rpc'],
    ...(signatures.length > 1 && { 'x-overloads': signatures.map(overloadOf) }),
    ...more,
  }
}

function api(...signatures: readonly Signature[]): OpenRpc {
  return documentOf([methodOf(signatures)])
}

function one(params: readonly Union[], result?: Union, least = params.length): Signature {
  return { params, least, ...(result && { result }) }
}

/** From documents, and from a lock. */
function changesOf(old: OpenRpc, now: OpenRpc): string[] {
  const changes = diffApis(old, now).map(({ code, path, message }) => `${code} ${path}: ${message}`)
  expect(checkLock(lockText(old), now).map(({ code, path }) => `${code} ${path}`)).toEqual(
    changes.map((each) => each.split(':')[0]),
  )
  return changes
}

const [int, string, number] = [['int'], ['string'], ['number']]

describe('values that overloads accept', () => {
  test('calls that the former signature accepted and no overload accepts', () => {
    const old = api(one([['int', 'string'], int], int, 1))
    expect(changesOf(old, api(one([int, int], int), one([string], int)))).toEqual([
      'overload-removed f: calls with (integer) or (string, integer) are no longer accepted',
    ])
  })

  test('several overloads that together accept the calls of one', () => {
    const old = api(one([['int', 'string']], ['int', 'string']))
    expect(changesOf(old, api(one([int], ['int', 'string']), one([string], ['int', 'string'])))).toEqual([])
  })

  test('a removed overload whose values the params still accept', () => {
    const old = api(one([int, int], int), one([string, string], int), one([int, string], int))
    expect(changesOf(old, api(one([int, int], int), one([string, string], int)))).toEqual([
      'overload-removed f: calls with (integer, string) are no longer accepted',
    ])
  })

  test('changes of params are not reported again', () => {
    const old = api(one([int, int], int), one([string, int], int))
    const now = api(one([int, string], int), one([string, string], int))
    expect(changesOf(old, now).filter((each) => !each.startsWith('overload-added'))).toEqual([
      'param-type-changed f(p1): integer became string',
    ])
  })

  test('a Date that another overload may accept as a string', () => {
    const date: Draft07Schema = { type: 'string', pattern: '^(?:2020-02-29(?:T.*)?)$' }
    const text: Draft07Schema = { type: 'string' }
    const param = (name: string, schema: Draft07Schema): ContentDescriptor => ({ name, required: true, schema })
    const result = param('result', { type: 'integer' })
    const method = (...overloads: OpenRpcOverload[]): OpenRpc =>
      documentOf([
        {
          name: 'f',
          params: [
            param('x', { anyOf: [date, text] }),
            { ...param('y', { type: ['integer', 'null'] } as never), required: false },
          ],
          result,
          'x-overloads': overloads,
        },
      ])
    const y = param('y', { type: 'integer' })
    const old = method({ params: [param('x', date), y], result }, { params: [param('x', text)], result })
    const now = method({ params: [param('x', text), y], result }, { params: [param('x', date)], result })
    const first = method({ params: [param('x', text), y], result }, { params: [param('x', text)], result })
    expect(diffApis(old, now).map(({ message }) => message)).toContain(
      'calls with (Date, integer) are no longer accepted',
    )
    expect(diffApis(old, first).map(({ code }) => code)).toEqual(['overload-added'])
  })

  test('arguments of a rest parameter', () => {
    const old = api({ params: [int], least: 1, rest: string, result: int }, one([string], int))
    const now = api(one([int, string], int, 1), { params: [string], least: 1, rest: string, result: int })
    expect(changesOf(old, now)).toEqual([
      'param-added-optional f(p1): the param may be sent',
      'param-reordered f: (p0, rest) became (p0, p1, rest): calls by position break, calls by name do not',
      'overload-removed f: calls with (integer, string, string, …) are no longer accepted',
      'overload-added f: calls with (p0: integer, p1?: string) are accepted too',
      'overload-added f: calls with (p0: string, ...rest: string[]) are accepted too',
    ])
  })
})

describe('results of overloads', () => {
  test('results that overloads swap', () => {
    const old = api(one([string], string), one([int], int))
    expect(changesOf(old, api(one([string], int), one([int], string)))).toEqual([
      'result-type-changed f(): string became integer, to calls with (p0: string)',
      'result-type-changed f(): integer became string, to calls with (p0: integer)',
    ])
  })

  test('a change of all of them is reported once', () => {
    const old = api(one([string], int), one([ints()], int))
    expect(changesOf(old, api(one([string], number), one([ints()], number)))).toEqual([
      'result-type-widened f(): integer became number',
    ])
  })

  test('a further overload', () => {
    expect(changesOf(api(one([int], int)), api(one([int], int), one([string], string)))).toEqual([
      'param-type-widened f(p0): string is accepted too',
      'overload-added f: calls with (p0: string) are accepted too',
    ])
  })

  test('a further overload before the others', () => {
    const old = api(one([int], int))
    expect(changesOf(old, api(one([['natural']], string), one([int], int)))).toEqual([
      'result-type-changed f(): integer became string',
    ])
  })

  test('the order of overloads matters if they accept the same calls', () => {
    const apart = [one([string], string), one([int], int)] as const
    expect(changesOf(api(...apart), api(...apart.toReversed()))).toEqual([])
    const shared = [one([int], int), one([number], string)] as const
    expect(changesOf(api(...shared), api(...shared.toReversed()))).toEqual([
      'result-type-changed f(): integer became string, to calls with (p0: integer)',
    ])
  })

  function ints(): Union {
    return ['ints']
  }
})

describe('a document without the results of overloads', () => {
  const method = (signatures: readonly Signature[], results: readonly string[]): OpenRpc => {
    const xml = results.map((result, i) => [result, signatures[i]?.params[0]?.[0] ?? ''])
    return documentOf([methodOf(signatures, { 'x-protocols': ['json-rpc', 'xml-rpc'], 'x-xmlrpc-signatures': xml })])
  }

  test('the signatures of XML-RPC show the change for all callers', () => {
    const all = [one([string]), one([int])]
    expect(changesOf(method(all, ['string', 'int']), method(all, ['int', 'string']))).toEqual([
      'result-type-changed f(): XML-RPC clients get int instead of string',
    ])
  })

  test('a further result breaks', () => {
    const codes = diffApis(api(one([int], int)), api(one([int]), one([string]))).map(({ code }) => code)
    expect(codes).toEqual(['param-type-widened', 'overload-added', 'result-type-widened'])
  })
})

const union = fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 1, maxLength: 2 })
const signature: fc.Arbitrary<Signature> = fc
  .record({
    params: fc.array(union, { maxLength: 2 }),
    optional: fc.nat(1),
    rest: fc.option(union, { nil: undefined, freq: 5 }),
    result: union,
  })
  .map(({ params, optional, rest, result }) => ({ params, least: Math.max(0, params.length - optional), rest, result }))

/** Signatures, and nearly the same: others among them, one less, another order, parts of another one. */
const versions = fc.array(signature, { minLength: 1, maxLength: 3 }).chain((old) => {
  const index = fc.nat(old.length - 1)
  const swapped = fc
    .tuple(index, signature, fc.constantFrom('params', 'result', 'least', 'rest'))
    .map(([i, other, part]) =>
      old.map((each, at): Signature => {
        if (at !== i) return each
        if (part === 'least') return { ...each, least: Math.max(0, each.least - 1) }
        return part === 'params' ? { ...other, result: each.result ?? [] } : { ...each, [part]: other[part] }
      }),
    )
  const further = signature.map((each) => [...old, each])
  const without = index.map((i) => (old.length > 1 ? old.toSpliced(i, 1) : old))
  const turned = fc.constant(old.toReversed())
  const split = index.map((i) =>
    old.flatMap((each, at) => {
      const [first = [], ...more] = each.params
      return at === i && each.least > 0 ? first.map((kind) => ({ ...each, params: [[kind], ...more] })) : [each]
    }),
  )
  return fc.tuple(fc.constant(old), fc.oneof(swapped, further, without, turned, split))
})

const lists = values.map((value) => [value])
const calls: readonly (readonly unknown[])[] = [
  [],
  ...lists,
  ...lists.flatMap((list) => values.map((value) => [...list, value])),
  ...lists.flatMap((list) =>
    values.flatMap((value) => [
      [...list, value, 1],
      [...list, value, 'ccc', 'a'],
    ]),
  ),
]

describe(`laws, seed ${seed}`, () => {
  test('if nothing breaks, every call is still accepted, and its result is what its caller expects', () => {
    let fine = 0
    fc.assert(
      fc.property(versions, ([old, now]) => {
        if (diffApis(api(...old), api(...now)).some(({ breaking }) => breaking)) return
        fine += 1
        for (const args of calls) {
          const before = old.find((each) => accepts(each, args))
          if (!before) continue
          const after = now.find((each) => accepts(each, args))
          expect([args, after !== undefined]).toEqual([args, true])
          const results = values.filter((value) => isOf(after?.result ?? [], value))
          expect(results.filter((value) => !isOf(before.result ?? [], value))).toEqual([])
        }
      }),
      { numRuns, seed },
    )
    expect(fine).toBeGreaterThan(numRuns / 10)
  })

  test('a version has no changes to itself, and a lock has the contract of the document', () => {
    fc.assert(
      fc.property(versions, ([old, now]) => {
        expect(diffApis(api(...old), api(...old))).toEqual([])
        const codes = (changes: ReturnType<typeof diffApis>) =>
          changes.map(({ code, path }) => `${code} ${path}`).sort()
        expect(checkLock(lockText(api(...old)), api(...old))).toEqual([])
        expect(codes(checkLock(lockText(api(...old)), api(...now)))).toEqual(codes(diffApis(api(...old), api(...now))))
      }),
      { numRuns, seed },
    )
  })
})
