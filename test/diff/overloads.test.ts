import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import type { DescribedParam, DescribedType, Description } from '../../runtime/description/description.js'
import type { OpenRpc, OpenRpcMethod } from '../../runtime/description/openrpc.js'
import { diffApis, diffDescriptions, documentOf, procedureOf } from './documents.js'

const numRuns = Number(process.env['DIFF_RUNS'] ?? 120)
const seed = Number(process.env['DIFF_SEED'] ?? 20_260_101)

/** Each with its own judge. */
const kinds: Readonly<Record<string, readonly [type: DescribedType, judge: (value: unknown) => boolean]>> = {
  int: [{ kind: 'int' }, Number.isInteger],
  number: [{ kind: 'double' }, (value) => typeof value === 'number'],
  natural: [{ kind: 'int', constraints: { minimum: 0 } }, (value) => Number.isInteger(value) && Number(value) >= 0],
  string: [{ kind: 'string' }, (value) => typeof value === 'string'],
  long: [{ kind: 'string', constraints: { minLength: 2 } }, (value) => typeof value === 'string' && value.length >= 2],
  ab: [
    { kind: 'union', branches: ['a', 'b'].map((value) => ({ kind: 'literal', value })) },
    (value) => value === 'a' || value === 'b',
  ],
  ints: [{ kind: 'array', element: { kind: 'int' } }, (value) => Array.isArray(value) && value.every(Number.isInteger)],
  list: [{ kind: 'array', element: { kind: 'any' } }, Array.isArray],
  box: [tagged('box'), (value) => (value as { kind?: unknown } | null)?.kind === 'box'],
  bag: [tagged('bag'), (value) => (value as { kind?: unknown } | null)?.kind === 'bag'],
}

function tagged(value: string): DescribedType {
  return { kind: 'struct', members: [{ name: 'kind', type: { kind: 'literal', value } }] }
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

function typeOf(union: Union): DescribedType {
  return { kind: 'union', branches: [...new Set(union)].map((kind) => kinds[kind]?.[0] as DescribedType) }
}

function paramsOf({ params, least, rest }: Signature): DescribedParam[] {
  const single = params.map((union, i) => ({
    name: `p${i}`,
    type: typeOf(union),
    ...(i >= least && { optional: true }),
  }))
  return rest ? [...single, { name: 'rest', type: typeOf(rest), rest: true }] : single
}

/** As the generator writes them: the params have at each position everything that any overload accepts. */
function api(...signatures: readonly Signature[]): Description {
  const count = Math.max(...signatures.map(({ params }) => params.length))
  const at = (i: number) => signatures.flatMap(({ params, rest }) => params[i] ?? rest ?? [])
  const rests = signatures.flatMap(({ rest }) => rest ?? [])
  const merged: Signature = {
    params: Array.from({ length: count }, (_, i) => at(i)),
    least: Math.min(...signatures.map(({ least }) => least)),
    rest: rests.length > 0 ? rests : undefined,
  }
  const returns = { type: typeOf(signatures.flatMap(({ result }) => result ?? [])) }
  const overloads = signatures.map((each) => ({ params: paramsOf(each), returns: { type: typeOf(each.result ?? []) } }))
  const more = { params: paramsOf(merged), returns, ...(signatures.length > 1 && { overloads }) }
  return { procedures: [procedureOf('f', { kind: 'any' }, { protocols: ['json-rpc'], ...more })], types: [] }
}

function one(params: readonly Union[], result?: Union, least = params.length): Signature {
  return { params, least, ...(result && { result }) }
}

/** From descriptions, and from a lock. That sorts the branches of unions: results that differ in their order only are one change there. */
function changesOf(old: Description, now: Description): string[] {
  const changes = diffDescriptions(old, now).map(({ code, path, message }) => `${code} ${path}: ${message}`)
  const ofLock = checkLock(lockText(old), now).map(({ code, path }) => `${code} ${path}`)
  expect(new Set(ofLock)).toEqual(new Set(changes.map((each) => each.split(':')[0])))
  return changes
}

const [int, string, number] = [['int'], ['string'], ['number']]

describe('values that overloads accept', () => {
  test('calls that the former signature accepted and no overload accepts', () => {
    const old = api(one([['int', 'string'], int], int, 1))
    expect(changesOf(old, api(one([int, int], int), one([string], int)))).toEqual([
      'overload-removed f: not all calls with (p0: Int | string, p1?: Int) are accepted',
    ])
  })

  test('several overloads that together accept the calls of one', () => {
    const old = api(one([['int', 'string']], ['int', 'string']))
    expect(changesOf(old, api(one([int], ['int', 'string']), one([string], ['int', 'string'])))).toEqual([])
  })

  test('a removed overload whose values the params still accept', () => {
    const old = api(one([int, int], int), one([string, string], int), one([int, string], int))
    expect(changesOf(old, api(one([int, int], int), one([string, string], int)))).toEqual([
      'overload-removed f: not all calls with (p0: Int, p1: string) are accepted',
    ])
  })

  test('changes of params are not reported again', () => {
    const old = api(one([int, int], int), one([string, int], int))
    const now = api(one([int, string], int), one([string, string], int))
    expect(changesOf(old, now).filter((each) => !each.startsWith('overload-added'))).toEqual([
      'param-type-changed f(p1): Int became string',
    ])
  })

  test('a Date that another overload may accept as a string', () => {
    const [date, text, y]: DescribedType[] = [{ kind: 'date' }, { kind: 'string' }, { kind: 'int' }]
    const method = (...overloads: readonly DescribedType[][]): Description => {
      const params = [
        { name: 'x', type: { kind: 'union', branches: [date, text] } },
        { name: 'y', type: y, optional: true },
      ] as DescribedParam[]
      const signatures = overloads.map((types) => ({
        params: types.map((type, i) => ({ name: i === 0 ? 'x' : 'y', type })),
        returns: { type: y as DescribedType },
      }))
      return { procedures: [procedureOf('f', y as DescribedType, { params, overloads: signatures })], types: [] }
    }
    const [d, t, i] = [date, text, y] as [DescribedType, DescribedType, DescribedType]
    expect(diffDescriptions(method([d, i], [t]), method([t, i], [d])).map(({ message }) => message)).toContain(
      'not all calls with (x: Date, y: Int) are accepted',
    )
  })

  test('arguments of a rest parameter', () => {
    const old = api({ params: [int], least: 1, rest: string, result: int }, one([string], int))
    const now = api(one([int, string], int, 1), { params: [string], least: 1, rest: string, result: int })
    expect(changesOf(old, now)).toEqual([
      'param-added-optional f(p1): the param may be sent',
      'param-reordered f: (p0, rest) became (p0, p1, rest): calls by position break, calls by name do not',
      'overload-removed f: not all calls with (p0: Int, ...rest: string[]) are accepted',
      'overload-added f: calls with (p0: Int, p1?: string) are accepted too',
      'overload-added f: calls with (p0: string, ...rest: string[]) are accepted too',
    ])
  })
})

describe('results of overloads', () => {
  test('results that overloads swap', () => {
    const old = api(one([string], string), one([int], int))
    expect(changesOf(old, api(one([string], int), one([int], string)))).toEqual([
      'result-type-changed f(): string became Int, to calls with (p0: string)',
      'result-type-changed f(): Int became string, to calls with (p0: Int)',
    ])
  })

  test('a change of all of them is reported once', () => {
    const old = api(one([string], int), one([ints()], int))
    expect(changesOf(old, api(one([string], number), one([ints()], number)))).toEqual([
      'result-type-widened f(): Int became Double',
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
      'result-type-changed f(): Int became string',
    ])
  })

  test('a further overload for some of many values before the others', () => {
    const named = (value: string): DescribedType => ({ kind: 'literal', value })
    const union: DescribedType = { kind: 'union', branches: [...'abcdefghij'].map(named) }
    const overload = (type: DescribedType, returns: DescribedType) => ({
      params: [{ name: 'x', type }],
      returns: { type: returns },
    })
    const [text, int]: DescribedType[] = [{ kind: 'string' }, { kind: 'int' }]
    const method = (...overloads: readonly ReturnType<typeof overload>[]): Description => {
      const returns = { type: { kind: 'union', branches: [text, int] } as DescribedType }
      return {
        procedures: [procedureOf('f', text as DescribedType, { returns, ...(overloads.length > 1 && { overloads }) })],
        types: [],
      }
    }
    const last = overload(text as DescribedType, text as DescribedType)
    const boolean = overload({ kind: 'boolean' }, text as DescribedType)
    const changes = diffDescriptions(
      method(boolean, last),
      method(boolean, overload(union, int as DescribedType), last),
    )
    expect(changes.map(({ code, path }) => `${code} ${path}`)).toEqual(['result-type-changed f()'])
  })

  test('the order of overloads matters if they accept the same calls', () => {
    const apart = [one([string], string), one([int], int), one([string, int], int)] as const
    expect(changesOf(api(...apart), api(...apart.toReversed()))).toEqual([])
    const shared = [one([int], int), one([number], string)] as const
    expect(changesOf(api(...shared), api(...shared.toReversed()))).toEqual([
      'result-type-changed f(): Int became string, to calls with (p0: Int)',
    ])
  })

  function ints(): Union {
    return ['ints']
  }
})

describe('documents, which do not have the results of overloads', () => {
  const method = (...results: readonly string[]): OpenRpc => {
    const param = (schema: object) => ({ name: 'x', required: true, schema })
    const [text, int] = [{ type: 'string' }, { type: 'Int', format: 'int32' }]
    const of: OpenRpcMethod = {
      name: 'f',
      params: [param({ anyOf: [text, int] })],
      result: param({ anyOf: [int, text] }),
      'x-overloads': [{ params: [param(text)] }, { params: [param(int)] }],
      'x-xmlrpc-signatures': results.map((result, i) => [result, ['string', 'int'][i] ?? '']),
    }
    return documentOf([of])
  }

  test('results that overloads swap, by the signatures of XML-RPC', () => {
    const changes = diffApis(method('string', 'int'), method('int', 'string'))
    expect(changes.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual([
      'result-type-changed f(): XML-RPC clients get int instead of string',
    ])
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
        if (diffDescriptions(api(...old), api(...now)).some(({ breaking }) => breaking)) return
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

  test('a version has no changes to itself, and a lock has the same changes', () => {
    fc.assert(
      fc.property(versions, ([old, now]) => {
        expect(changesOf(api(...old), api(...old))).toEqual([])
        changesOf(api(...old), api(...now))
      }),
      { numRuns, seed },
    )
  })
})
