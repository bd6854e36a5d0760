import fc from 'fast-check'
import { findAmbiguity, withDiscriminants } from '../../generator/model/ambiguity.js'
import { createUnions } from '../../generator/model/disjoint.js'
import { findEndless } from '../../generator/model/endless.js'
import type { Model, ModelType, NamedType, ProcedureModel } from '../../generator/model/model.js'
import { mapInnerTypes } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { signaturesOf } from '../../runtime/description/signatures.js'

// Random models, of every kind that a model has, as far as sources could make them.

const names = Array.from({ length: 8 }, (_each, i) => `Type${i}`)

export const memberNames = [
  'a',
  'b',
  'other',
  'constructor',
  '__proto__',
  'toString',
  'first line',
  'on1',
  'data-x',
] as const

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: types as TypeScript writes them
const templates: readonly ModelType[] = [
  { kind: 'template', text: '`user:${string}`', pattern: '^user:[\\s\\S]*$' },
  { kind: 'template', text: '`v${bigint}`', pattern: '^v-?\\d+$' },
  { kind: 'template', text: '`a/${string}.b`', pattern: '^a\\/[\\s\\S]*\\.b$' },
]

const keys = [
  { text: '`data-${string}`', pattern: '^data-[\\s\\S]*$' },
  { text: '`on${bigint}`', pattern: '^on-?\\d+$' },
] as const
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: types as TypeScript writes them

const numberLimits = fc.oneof(
  fc.record({ minimum: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ minimum: fc.integer({ min: -3, max: 0 }), maximum: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ exclusiveMinimum: fc.integer({ min: -3, max: 0 }), exclusiveMaximum: fc.constantFrom(2, 2.5) }),
)

const steps = fc.record({ multipleOf: fc.constantFrom(2, 5, 0.5, 0.1, 0.01, 0.05) })

const stringLimits = fc.oneof(
  fc.record({ minLength: fc.integer({ min: 0, max: 2 }), maxLength: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ pattern: fc.constantFrom('^a', '[0-9]+$', '\\p{L}', '^\\p{Emoji}$') }),
  fc.record({
    format: fc.constantFrom('date-time', 'date', 'time', 'email', 'uuid', 'uri', 'ipv4', 'ipv6', 'hostname'),
  }),
)

const itemLimits = fc.record({ minItems: fc.integer({ min: 0, max: 2 }), maxItems: fc.integer({ min: 2, max: 3 }) })

const literals = fc.constantFrom<ModelType>(
  { kind: 'literal', value: 'one' },
  { kind: 'literal', value: 'two' },
  { kind: 'literal', value: "it's" },
  { kind: 'literal', value: 1 },
  { kind: 'literal', value: -2.5 },
  { kind: 'literal', value: true },
)

const scalars = fc.constantFrom<ModelType>(
  ...(['int', 'double', 'number', 'string', 'boolean', 'date', 'url', 'null', 'undefined', 'any'] as const).map(
    (kind) => ({ kind }),
  ),
  { kind: 'bigint' },
  { kind: 'bigint', value: '12' },
  { kind: 'bytes', as: 'Uint8Array' },
  { kind: 'bytes', as: 'ArrayBuffer' },
  ...templates,
)

const limited: fc.Arbitrary<ModelType> = fc.oneof(
  fc
    .tuple(fc.constantFrom('int', 'double', 'number'), fc.oneof(numberLimits, steps))
    .map(([kind, constraints]): ModelType => ({ kind, constraints })),
  stringLimits.map((constraints): ModelType => ({ kind: 'string', constraints })),
)

/** What is one value in JSON and the same one in TypeScript: equal where its JSON is. */
const plain = fc.oneof(
  literals,
  fc.constantFrom<ModelType>({ kind: 'int' }, { kind: 'string' }, { kind: 'boolean' }, { kind: 'number' }),
)

const leaf = fc.oneof(
  { weight: 5, arbitrary: scalars },
  { weight: 2, arbitrary: literals },
  { weight: 3, arbitrary: limited },
  { weight: 3, arbitrary: fc.constantFrom(...names).map((name): ModelType => ({ kind: 'ref', name })) },
)

export function typeOf(depth: number): fc.Arbitrary<ModelType> {
  if (depth === 0) return leaf
  const inner = typeOf(depth - 1)
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: inner.map((element): ModelType => ({ kind: 'array', element })) },
    { weight: 1, arbitrary: limitedList },
    { weight: 1, arbitrary: inner.map((element): ModelType => ({ kind: 'set', element })) },
    { weight: 1, arbitrary: inner.map((value): ModelType => ({ kind: 'map', value })) },
    { weight: 2, arbitrary: tupleOf(inner) },
    { weight: 4, arbitrary: structOf(inner) },
    { weight: 4, arbitrary: fc.oneof(unionOf(inner), taggedUnion(inner)) },
  )
}

const limitedList: fc.Arbitrary<ModelType> = fc.oneof(
  fc
    .tuple(fc.constantFrom('array', 'set'), plain, itemLimits)
    .map(([kind, element, constraints]): ModelType => ({ kind, element, constraints })),
  plain.map((element): ModelType => ({ kind: 'array', element, constraints: { uniqueItems: true } })),
)

function tupleOf(inner: fc.Arbitrary<ModelType>): fc.Arbitrary<ModelType> {
  return fc
    .tuple(fc.array(inner, { maxLength: 3 }), fc.nat(3), fc.option(inner, { nil: undefined, freq: 2 }))
    .map(([elements, required, rest]): ModelType => {
      const tuple = { kind: 'tuple' as const, elements, required: Math.min(required, elements.length) }
      return rest ? { ...tuple, rest } : tuple
    })
}

function structOf(inner: fc.Arbitrary<ModelType>): fc.Arbitrary<ModelType> {
  const members = fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...memberNames), type: inner, optional: fc.boolean() }),
    {
      maxLength: 4,
      selector: ({ name }) => name,
    },
  )
  const index = fc.record({ type: inner, keys: fc.constantFrom(undefined, ...keys) })
  const indexes = fc.uniqueArray(index, { maxLength: 2, selector: ({ keys }) => keys?.text })
  return fc.tuple(members, indexes).map(([all, others]): ModelType => {
    const own = all.map(({ name, type, optional }) => (optional ? { name, type, optional } : { name, type }))
    if (others.length === 0) return { kind: 'struct', members: own }
    // A value cannot have the types of two index signatures that match one name.
    const disjoint = others.every(({ keys }) => keys) ? others : others.slice(0, 1)
    const indexes = disjoint.map(({ type, keys }) => (keys ? { type, keys } : { type }))
    return { kind: 'struct', members: own, indexes }
  })
}

function unionOf(inner: fc.Arbitrary<ModelType>): fc.Arbitrary<ModelType> {
  return fc.array(inner, { minLength: 2, maxLength: 4 }).map((branches): ModelType => ({ kind: 'union', branches }))
}

function taggedUnion(inner: fc.Arbitrary<ModelType>): fc.Arbitrary<ModelType> {
  return fc.array(structOf(inner), { minLength: 2, maxLength: 3 }).map(
    (structs): ModelType => ({
      kind: 'union',
      branches: structs.map((struct, i) => {
        if (struct.kind !== 'struct') return struct
        return {
          ...struct,
          members: [{ name: 'kind', type: { kind: 'literal', value: `kind${i}` } }, ...struct.members],
        }
      }),
    }),
  )
}

/** Models with `count` procedures, each with one parameter, which it returns. */
export function models(count: number): fc.Arbitrary<Model> {
  const types = fc.tuple(...names.map((name) => typeOf(2).map((type): NamedType => ({ name, type }))))
  const params = fc.array(typeOf(3), { minLength: count, maxLength: count })
  return fc.tuple(types, params).map(([named, params]) => modelOf(named, params))
}

/** A model with these types, and with a procedure for each param. */
export function modelOf(named: readonly NamedType[], params: readonly ModelType[]): Model {
  const settled = settleNames(named.map((each) => (isAlias(each.type) ? { ...each, type: nothing } : each)))
  const byName: TypesByName = new Map(settled.map((type) => [type.name, type]))
  const anonymous: NamedType[] = []
  const finish = (type: ModelType) => withDiscriminants(type, createUnions(byName))
  const finished = settled.map(({ name, type }): NamedType => {
    return { name, type: mapInnerTypes(finish(type), (inner) => lift(inner, anonymous)) }
  })
  const procedures = params.map((type, i) => {
    return procedureOf(i, lift(finish(settle(type, byName)), anonymous), byName)
  })
  return { version: 1, types: [...finished, ...anonymous], procedures }
}

/** An object type with members is written once, also without a name. */
export function lift(type: ModelType, anonymous: NamedType[]): ModelType {
  const lifted = mapInnerTypes(type, (inner) => lift(inner, anonymous))
  if (lifted.kind !== 'struct' || (lifted.members.length === 0 && lifted.indexes?.length === 1)) return lifted
  const name = `Anonymous${anonymous.length}`
  anonymous.push({ name, type: lifted, anonymous: true })
  return { kind: 'ref', name }
}

/** A procedure `p0`, `p1`, … that accepts a value and returns it. */
export function procedureOf(i: number, type: ModelType, types: TypesByName): ProcedureModel {
  const params = [{ name: 'value', type }]
  return {
    name: `p${i}`,
    module: './functions.js',
    export: `p${i}`,
    description: '',
    help: '',
    params,
    contextAt: [],
    returns: { type, promise: 'no' },
    signatures: signaturesOf([{ params, returns: { type } }], ({ name }) => types.get(name)?.type),
  }
}

const nothing: ModelType = { kind: 'struct', members: [] }

/** Named types that the generator would accept: rejected ones are simplified until all are accepted. */
function settleNames(named: readonly NamedType[]): readonly NamedType[] {
  const byName: TypesByName = new Map(named.map((type) => [type.name, type]))
  const endless = new Set(findEndless(byName))
  const next = named.map((each): NamedType => {
    if (endless.has(each.name) || isAlias(each.type)) return { ...each, type: nothing }
    return { ...each, type: settle(each.type, byName) }
  })
  return JSON.stringify(next) === JSON.stringify(named) ? named : settleNames(next)
}

/** To the checker an alias of an alias is the type itself, one of any too, and a union does not contain unions. */
function isAlias(type: ModelType): boolean {
  return type.kind === 'ref' || type.kind === 'any' || (type.kind === 'union' && type.branches.some(isAlias))
}

function settle(type: ModelType, types: TypesByName): ModelType {
  const settled = mapInnerTypes(type, (inner) => settle(inner, types))
  return settled.kind === 'union' ? settleUnion(settled.branches, types) : settled
}

function settleUnion(all: readonly ModelType[], types: TypesByName): ModelType {
  const flat = all.flatMap((each) => (each.kind === 'union' ? each.branches : [each]))
  const different = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()]
  const kinds = new Set(different.map(({ kind, constraints }) => (constraints ? '' : kind)))
  if (kinds.has('any')) return { kind: 'any' }
  const branches = different.filter(
    (each) => each.kind !== 'literal' || !kinds.has(typeof each.value as ModelType['kind']),
  )
  const [only] = branches
  const ambiguous = findAmbiguity(branches, createUnions(types)) !== undefined
  return only && (branches.length === 1 || ambiguous) ? only : { kind: 'union', branches }
}
