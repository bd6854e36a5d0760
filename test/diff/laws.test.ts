import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import { SchemaReader } from '../../generator/diff/read-schema.js'
import { References } from '../../generator/diff/references.js'
import { Relation } from '../../generator/diff/relation.js'
import { Steps } from '../../generator/diff/steps.js'
import { models } from '../types/models.js'
import { diffApis, diffDescriptions, documentOf, echo, named, oneSided } from './documents.js'
import type { AnySchema } from './schemas.js'
import { altered, samples } from './schemas.js'

/** DIFF_SEED repeats a run, DIFF_RUNS makes a longer one. */
const numRuns = Number(process.env['DIFF_RUNS'] ?? 120)
const seed = Number(process.env['DIFF_SEED'] ?? 20_260_101)

const ajv = new Ajv2020({ strict: false, ownProperties: true })

/** Expects that a schema accepts all values. */
function expectValid(schema: AnySchema, values: readonly unknown[]): void {
  const isValid = ajv.compile(schema)
  expect(values.filter((value) => !isValid(value))).toEqual([])
}

function isSubschema(a: AnySchema, b: AnySchema): boolean {
  const steps = new Steps(Infinity)
  const reader = new SchemaReader(new References({}, 'the test'), true, 'number', steps)
  return new Relation('json', steps).areWithin(reader.type(a).branches, reader.type(b))
}

/** A schema with its values, and a schema that is nearly the same. */
const near: fc.Arbitrary<{ schema: AnySchema; other: AnySchema; values: readonly unknown[] }> = fc
  .tuple(samples, samples, fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }))
  .chain(([sample, { schema }, choices]) =>
    fc.record({
      schema: fc.constant(sample.schema),
      other: fc.constant(altered(sample.schema, schema, choices)),
      values: fc.array(sample.values, { minLength: 12, maxLength: 12 }),
    }),
  )

describe(`changes that are reported as compatible are, by ajv, seed ${seed}`, () => {
  test('the sample values match their schemas', () => {
    fc.assert(
      fc.property(near, ({ schema, values }) => expectValid(schema, values)),
      { numRuns, seed },
    )
  })

  test('a schema within another one has only values of the other', () => {
    let within = 0
    fc.assert(
      fc.property(near, ({ schema, other, values }) => {
        if (!isSubschema(schema, other)) return
        within += 1
        expectValid(other, values)
      }),
      { numRuns, seed },
    )
    expect(within).toBeGreaterThan(numRuns / 10)
  })

  test('if nothing breaks, what callers sent is accepted', () => {
    fc.assert(
      fc.property(near, ({ schema, other, values }) => {
        const changes = diffApis(oneSided('param', schema), oneSided('param', other))
        if (changes.every(({ breaking }) => !breaking)) expectValid(other, values)
      }),
      { numRuns, seed },
    )
  })

  test('if nothing breaks, results are what callers expect', () => {
    fc.assert(
      fc.property(near, ({ schema, other, values }) => {
        const changes = diffApis(oneSided('result', other), oneSided('result', schema))
        if (changes.every(({ breaking }) => !breaking)) expectValid(other, values)
      }),
      { numRuns, seed },
    )
  })
})

const schemas = samples.map(({ schema }) => schema)

describe(`laws, seed ${seed}`, () => {
  test('nothing has changed between a version and itself, however types are named and ordered', () => {
    fc.assert(
      fc.property(schemas, fc.nat(2), fc.nat(2), (schema, one, other) => {
        const old = named(schema, 'Old', one, false)
        const now = named(schema, 'New', other, true)
        const before = documentOf([echo('f', old.schema)], old.schemas)
        const after = documentOf([echo('f', now.schema)], now.schemas)
        expect(diffApis(before, before)).toEqual([])
        expect(diffApis(before, after)).toEqual([])
      }),
      { numRuns, seed },
    )
  })

  test('a change is seen from both sides', () => {
    fc.assert(
      fc.property(near, ({ schema, other }) => {
        const [a, b] = [oneSided('param', schema), oneSided('param', other)]
        expect(diffApis(a, b).length === 0).toBe(diffApis(b, a).length === 0)
      }),
      { numRuns, seed },
    )
  })

  test('a narrower type is a wider one in the other direction', () => {
    const mirrored: Readonly<Record<string, string>> = {
      'param-type-narrowed': 'param-type-widened',
      'param-type-widened': 'param-type-narrowed',
      'param-value-removed': 'param-value-added',
      'param-value-added': 'param-value-removed',
      'param-constraint-tightened': 'param-constraint-loosened',
      'param-constraint-loosened': 'param-constraint-tightened',
    }
    fc.assert(
      fc.property(near, ({ schema, other }) => {
        const [a, b] = [oneSided('param', schema), oneSided('param', other)]
        const [there, back] = [diffApis(a, b), diffApis(b, a)].map((all) => all.map(({ code }) => code))
        fc.pre(there?.length === 1 && back?.length === 1 && there[0] !== undefined && there[0] in mirrored)
        // Limits that are neither closer nor wider break both ways; the same values by other branches break neither way.
        const isBothWays = there?.[0] === 'param-constraint-tightened' || there?.[0] === 'param-type-widened'
        if (isBothWays && back?.[0] === there?.[0]) return
        expect(back).toEqual(there?.map((code) => mirrored[code]))
      }),
      { numRuns, seed },
    )
  })

  test('a lock has the contract of its description, whatever the order of its parts', () => {
    fc.assert(
      fc.property(models(3), (model) => {
        const text = lockText(model)
        expect(checkLock(text, model)).toEqual([])
        const turned = { ...model, procedures: model.procedures.toReversed(), types: model.types.toReversed() }
        expect(lockText(turned)).toBe(text)
      }),
      { numRuns: numRuns / 3, seed },
    )
  })

  test('a lock has the verdicts of the description that it was written from', () => {
    fc.assert(
      fc.property(models(2), models(2), (old, now) => {
        const broken = (changes: ReturnType<typeof checkLock>) =>
          new Set(changes.filter(({ breaking }) => breaking).map(({ method }) => method))
        expect(broken(checkLock(lockText(old), now))).toEqual(broken(diffDescriptions(old, now)))
      }),
      { numRuns: numRuns / 3, seed },
    )
  })
})
