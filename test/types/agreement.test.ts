import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { jsonSchema } from 'rpc-gen/generator'
import { describe, expect, test } from 'vitest'
import type { Model, ModelType, NamedType } from '../../generator/model/model.js'
import { bind } from '../../runtime/call/params.js'
import type { Procedure } from '../../runtime/call/types.js'
import { referencedNames } from '../../runtime/description/described-types.js'
import { parseJson } from '../../runtime/jsonrpc/parse.js'
import { jsonWires } from '../../runtime/jsonrpc/scalars.js'
import { explainCall } from '../../runtime/values/explain.js'
import type { ValidationIssue } from '../../runtime/values/issue.js'
import { INVALID, read, written } from '../support/procedure-values.js'
import { compileModel } from './compile-model.js'
import { models } from './models.js'
import { jsonText, valuesOf } from './values.js'

// Random values of random models, judged by the generated predicate, by explain, and by ajv over the JSON Schema.

/** AGREEMENT_SEED repeats a run, AGREEMENT_MODELS makes a longer one. */
const seed = Number(process.env['AGREEMENT_SEED'] ?? 20_260_101)
const modelCount = Number(process.env['AGREEMENT_MODELS'] ?? 6)
const procedureCount = 30
const valueCount = 60

type Judge = (value: unknown) => unknown

/** Some units in the last place are what decimals lose as doubles. */
function isNearMultiple(step: number, value: number): boolean {
  if (Number.isInteger(step) || value === 0) return value % step === 0
  return Math.abs(value / step / Math.round(value / step) - 1) < 5e-16
}

/** ajv 8 in the dialect of 2020-12, configured to ignore inherited members. */
function judges(model: Model): (name: string) => Judge {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ownProperties: true,
  })
  addFormats.default(ajv)
  // Its own one either is exact or takes the smallest numbers for zero.
  ajv.removeKeyword('multipleOf')
  ajv.addKeyword({ keyword: 'multipleOf', type: 'number', schemaType: 'number', validate: isNearMultiple })
  ajv.addSchema(jsonSchema(model), 'model')
  return (name) => {
    const judge = ajv.getSchema(`model#/$defs/${name}`)
    if (!judge) throw new Error(`no schema ${name}`)
    return judge
  }
}

interface Verdict {
  readonly accepts: boolean
  readonly explain: readonly ValidationIssue[]
  readonly schema: boolean
  readonly schemaByName: boolean
}

/** A value that is judged in two ways, with all that is needed to see why. */
interface Disagreement {
  readonly text: string
  readonly verdict: Verdict
  /** The result for a valid value that its own schema rejects. */
  readonly written?: unknown
  readonly type: string
}

function areAgreed({ accepts, explain, schema, schemaByName }: Verdict): boolean {
  return [explain.length === 0, schema, schemaByName].every((each) => each === accepts)
}

/** A type, and those that it is made of, by name. */
function spelled(type: ModelType, types: readonly NamedType[], seen = new Set<string>()): string {
  const inside = referencedNames(type).flatMap((name) => {
    const named = types.find((each) => each.name === name)
    if (!named || seen.has(name)) return []
    seen.add(name)
    return `${name} = ${spelled(named.type, types, seen)}`
  })
  return [JSON.stringify(type), ...inside].join('; ')
}

/** Of a procedure and a text: whether its value is what the procedure declares. */
function judge(procedure: Procedure, text: string, schema: Judge): { verdict: Verdict; args: readonly unknown[] } {
  const bound = bind(procedure, [parseJson(text, 256).value])
  const args = read(procedure, bound, jsonWires.decode)
  const value: unknown = JSON.parse(text)
  const verdict = {
    accepts: args !== INVALID,
    explain: explainCall(procedure, bound, jsonWires.decode),
    schema: schema([value]) === true,
    schemaByName: schema({ value }) === true,
  }
  return { verdict, args: args === INVALID ? bound : args }
}

/** The result for an accepted value; undefined if it is rejected. */
function responseOf(procedure: Procedure, value: unknown): unknown {
  const encoded = written(procedure, value, jsonWires.encode)
  return encoded === INVALID ? undefined : JSON.parse(JSON.stringify(encoded))
}

interface Found {
  readonly accepted: number
  readonly rejected: number
  readonly disagreements: readonly Disagreement[]
}

async function judgeAll(model: Model): Promise<Found> {
  const procedures = Object.values((await compileModel(model)).procedures)
  const schemaOf = judges(model)
  const disagreements: Disagreement[] = []
  let accepted = 0
  let rejected = 0
  for (const [i, procedure] of procedures.entries()) {
    const [param] = procedure.params
    const result = schemaOf(`${procedure.name}.result`)
    const params = schemaOf(`${procedure.name}.params`)
    const type = model.procedures[i]?.returns.type
    if (!param || !type) throw new Error('a procedure without its parameter')
    for (const value of fc.sample(valuesOf(param.type), { seed: seed + i, numRuns: valueCount })) {
      const text = jsonText(value)
      const { verdict, args } = judge(procedure, text, params)
      if (verdict.accepts) accepted += 1
      else rejected += 1
      const reported = { text, verdict, type: spelled(type, model.types) }
      const written = verdict.accepts ? responseOf(procedure, args[0]) : undefined
      if (!areAgreed(verdict)) disagreements.push(reported)
      else if (verdict.accepts && !result(written)) disagreements.push({ ...reported, written })
    }
  }
  return { accepted, rejected, disagreements }
}

function simplest(disagreements: readonly Disagreement[]): readonly Disagreement[] {
  const size = ({ text, type }: Disagreement) => text.length + type.length
  return [...disagreements].sort((one, other) => size(one) - size(other)).slice(0, 3)
}

describe(`random models, seed ${seed}`, () => {
  console.log(`AGREEMENT_SEED=${seed}, ${modelCount} models of ${procedureCount} procedures`)
  const all = fc.sample(models(procedureCount), { seed, numRuns: modelCount })

  test.each(all.map((model, i) => [i, model] as const))('model %i', async (_i, model) => {
    const { accepted, rejected, disagreements } = await judgeAll(model)
    expect(simplest(disagreements)).toEqual([])
    // A test whose values are all rejected, or all accepted, would not show anything.
    expect(Math.min(accepted, rejected)).toBeGreaterThan((procedureCount * valueCount) / 10)
  })
})
