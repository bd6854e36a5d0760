import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../generator/diff/change.js'
import { compareVersions } from '../../generator/diff/version.js'
import type { Model, ModelType, NamedType } from '../../generator/model/model.js'
import { bind } from '../../runtime/call/params.js'
import type { Procedure } from '../../runtime/call/types.js'
import { innerTypesOf, mapInnerTypes } from '../../runtime/description/described-types.js'
import { openRpcOf } from '../../runtime/description/openrpc-document.js'
import { parseJson } from '../../runtime/jsonrpc/parse.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { INVALID, read, written } from '../support/procedure-values.js'
import { compileModel } from '../types/compile-model.js'
import { modelOf, typeOf } from '../types/models.js'
import { jsonText, valuesOf } from '../types/values.js'
import { diffDescriptions } from './documents.js'

// Two versions of random types, each compiled and served: if no change breaks, the new version accepts what callers of the old one send, and
// callers of the old version understand what the new one returns.

const seed = Number(process.env['DIFF_SEED'] ?? 20_260_101)
const pairCount = Number(process.env['DIFF_PAIRS'] ?? 4)
const procedureCount = 60
const valueCount = 30

/** A type in which one part is another: another kind, a constraint more or less, a member more, less or optional, a branch more. */
function altered(type: ModelType, other: ModelType, choices: readonly number[]): ModelType {
  const [first = 0, second = 0, ...more] = choices
  const inner = innerTypesOf(type)
  if (inner.length > 0 && first % 4 > 0) {
    let at = second % inner.length
    return mapInnerTypes(type, (each) => (at-- === 0 ? altered(each, other, more) : each))
  }
  const { constraints: _constraints, ...plain } = type
  const swaps: Readonly<Record<string, ModelType>> = {
    int: { kind: 'double' },
    double: { kind: 'number' },
    number: { kind: 'int' },
    date: { kind: 'string' },
    template: { kind: 'string' },
    url: { kind: 'string' },
    bigint: { kind: 'string' },
    literal: { kind: 'string' },
    boolean: { kind: 'literal', value: true },
  }
  const ways: readonly (() => ModelType)[] = [
    () => other,
    () => ({ kind: 'union', branches: [type, { kind: 'null' }] }),
    () => swaps[type.kind] ?? plain,
    () => plain,
    () =>
      type.kind === 'union'
        ? { ...type, branches: type.branches.slice(1) }
        : { kind: 'union', branches: [type, other] },
    () =>
      /^(?:int|double|number)$/.test(type.kind)
        ? { ...type, constraints: { minimum: 0 } }
        : { kind: 'array', element: type },
  ]
  if (type.kind === 'struct' && second % 2 === 0) {
    const { members } = type
    const [member, ...others] = members
    if (!member) return { ...type, members: [{ name: 'a', type: other, optional: second % 4 === 0 }] }
    return { ...type, members: second % 4 === 0 ? others : [{ ...member, optional: !member.optional }, ...others] }
  }
  return (ways[second % ways.length] as () => ModelType)()
}

interface Pair {
  readonly old: Model
  readonly now: Model
}

const pairs: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.array(typeOf(2), { minLength: 8, maxLength: 8 }),
    fc.array(fc.tuple(typeOf(2), typeOf(1), fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 })), {
      minLength: procedureCount,
      maxLength: procedureCount,
    }),
  )
  .map(([types, params]) => {
    const named = types.map((type, i): NamedType => ({ name: `Type${i}`, type }))
    const old = params.map(([type]) => type)
    return {
      old: modelOf(named, old),
      now: modelOf(
        named,
        params.map(([type, other, choices]) => altered(type, other, choices)),
      ),
    }
  })

/** Values as a sender of a procedure sends them: without unknown keys. */
function sentValues(procedure: Procedure): readonly string[] {
  const [param] = procedure.params
  if (!param) return []
  return fc.sample(valuesOf(param.type), { seed, numRuns: valueCount }).flatMap((value) => {
    const args = argumentsOf(procedure, jsonText(value))
    const encoded = args === INVALID ? INVALID : written(procedure, args[0], jsonWires.encode)
    return encoded === INVALID ? [] : [JSON.stringify(encoded) ?? 'null']
  })
}

function argumentsOf(procedure: Procedure, text: string): readonly unknown[] | typeof INVALID {
  return read(procedure, bind(procedure, [parseJson(text, 256).value]), jsonWires.decode)
}

function asDocuments({ old, now }: Pair): Change[] {
  const document = (model: Model, name: string) => ({ kind: 'document' as const, document: openRpcOf(model), name })
  return compareVersions(document(old, 'old'), document(now, 'new'))
}

describe(`random versions, seed ${seed}`, () => {
  const all = fc.sample(pairs, { seed, numRuns: pairCount })

  test.each(all.map((pair, i) => [i, pair] as const))('pair %i', async (_i, pair) => {
    const [before, after] = await Promise.all([compileModel(pair.old), compileModel(pair.now)])
    const versions = { descriptions: diffDescriptions(pair.old, pair.now), documents: asDocuments(pair) }
    let fine = 0
    for (const [form, changes] of Object.entries(versions)) {
      const broken = new Set(changes.filter(({ breaking }) => breaking).map(({ path }) => /^p\d+\(\)?/.exec(path)?.[0]))
      for (const [i, { name }] of pair.old.procedures.entries()) {
        const [old, now] = [before, after].map(({ procedures }) => Object.values(procedures)[i]) as [
          Procedure,
          Procedure,
        ]
        const rejected = (values: readonly string[], by: Procedure) =>
          values.filter((each) => argumentsOf(by, each) === INVALID)
        const reported = {
          form,
          old: pair.old.procedures[i]?.params[0]?.type,
          now: pair.now.procedures[i]?.params[0]?.type,
        }
        if (!broken.has(`${name}(`)) {
          fine += 1
          expect({ ...reported, rejected: rejected(sentValues(old), now) }).toEqual({ ...reported, rejected: [] })
        }
        if (!broken.has(`${name}()`)) {
          fine += 1
          expect({ ...reported, unexpected: rejected(sentValues(now), old) }).toEqual({ ...reported, unexpected: [] })
        }
      }
    }
    expect(fine).toBeGreaterThan(procedureCount / 2)
  })
})
