import fc from 'fast-check'
import { findAmbiguity, withDiscriminants } from '../../generator/model/ambiguity.js'
import type { Model, ModelType, NamedType } from '../../generator/model/model.js'
import { mapInnerTypes } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import { lift, procedureOf } from '../types/models.js'

// Random recursive unions: branches of every kind that contain the union again, distinguished in every way, or not at all.

const at = '2020-01-02T03:04:05.000Z'

type Around = (inner: unknown, end: unknown) => unknown

/** A branch that contains the union again: its type, and a value of it around another one. */
interface Branch {
  readonly type: ModelType
  readonly around: Around
}

export interface RecursiveUnion {
  readonly type: ModelType
  readonly arounds: readonly Around[]
  /** A value that contains no other one. */
  readonly end: unknown
}

const scalars = fc.constantFrom<{ readonly type: ModelType; readonly value: unknown }>(
  { type: { kind: 'int' }, value: 1 },
  { type: { kind: 'string' }, value: 'x' },
  { type: { kind: 'date' }, value: at },
  { type: { kind: 'literal', value: 'one' }, value: 'one' },
  { type: { kind: 'literal', value: 'two' }, value: 'two' },
)

const self: ModelType = { kind: 'ref', name: 'Recursive' }

/** A part of a branch: a scalar, the union, or a list of it. The values of the union are `inner` once, and `end` elsewhere. */
const part = fc.oneof(
  scalars.map(({ type, value }) => ({ type, sample: () => value })),
  fc.constant({ type: self, sample: (inner: unknown) => inner }),
  fc.constant({ type: { kind: 'array', element: self } as ModelType, sample: (inner: unknown) => [inner] }),
)

type Part = { readonly type: ModelType; readonly sample: (inner: unknown) => unknown }

function valuesOf(parts: readonly Part[], inner: unknown, end: unknown): unknown[] {
  const first = parts.findIndex(({ type }) => type.kind === 'ref' || type.kind === 'array')
  return parts.map(({ sample }, i) => sample(i === first ? inner : end))
}

function isRecursive(parts: readonly Part[]): boolean {
  return parts.some(({ type }) => type.kind === 'ref' || type.kind === 'array')
}

const parts = fc.array(part, { minLength: 1, maxLength: 3 }).filter(isRecursive)

const branch: fc.Arbitrary<Branch> = fc.oneof(
  parts.map((all) => ({
    type: { kind: 'tuple' as const, elements: all.map(({ type }) => type), required: all.length },
    around: (inner: unknown, end: unknown) => valuesOf(all, inner, end),
  })),
  fc.tuple(parts, fc.shuffledSubarray(['a', 'b', 'c', 'd'], { minLength: 3, maxLength: 3 })).map(([all, names]) => ({
    type: {
      kind: 'struct' as const,
      members: all.map(({ type }, i) => ({ name: names[i] as string, type })),
    },
    around: (inner: unknown, end: unknown) =>
      Object.fromEntries(valuesOf(all, inner, end).map((value, i) => [names[i] as string, value])),
  })),
  scalars.map(({ type, value }) => ({
    type: { kind: 'array' as const, element: { kind: 'union' as const, branches: [self, type] } },
    around: (inner: unknown) => [value, inner],
  })),
  fc.constant({
    type: { kind: 'struct' as const, members: [], indexes: [{ type: self }] },
    around: (inner: unknown, end: unknown) => ({ x: inner, y: end }),
  }),
)

/** Unions of two to four such branches and a scalar that ends them, as the generator accepts them. */
const unions: fc.Arbitrary<RecursiveUnion> = fc
  .tuple(fc.array(branch, { minLength: 2, maxLength: 4 }), scalars)
  .map(([branches, { type, value }]) => ({
    type: { kind: 'union' as const, branches: [...branches.map((each) => each.type), type] },
    arounds: branches.map(({ around }) => around),
    end: value,
  }))
  .filter(({ type }) => {
    const types: TypesByName = new Map([['Recursive', { name: 'Recursive', type }]])
    return type.kind === 'union' && findAmbiguity(type.branches, types) === undefined
  })

/** Random unions, and a model with a procedure for each. */
export function recursiveUnions(
  seed: number,
  count: number,
): { readonly unions: RecursiveUnion[]; readonly model: Model } {
  const all = fc.sample(unions, { seed, numRuns: count })
  const types = all.flatMap(({ type }, i): NamedType[] => {
    const name = `Recursive${i}`
    const anonymous: NamedType[] = []
    const own = renamed(type, name)
    const tagged = withDiscriminants(own, new Map([[name, { name, type: own }]]))
    const main: NamedType = { name, type: mapInnerTypes(tagged, (each) => lift(each, anonymous)) }
    const named = anonymous.map((each) => ({ ...each, name: `${each.name}Of${i}` }))
    const names = new Map(anonymous.map((each, k) => [each.name, named[k]?.name ?? '']))
    return [main, ...named].map((each) => ({ ...each, type: mapRefs(each.type, (ref) => names.get(ref) ?? ref) }))
  })
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const procedures = all.map((_, i) => procedureOf(i, { kind: 'ref', name: `Recursive${i}` }, byName))
  return { unions: all, model: { version: 1, types, procedures } }
}

function renamed(type: ModelType, name: string): ModelType {
  return mapRefs(type, () => name)
}

function mapRefs(type: ModelType, change: (name: string) => string): ModelType {
  return type.kind === 'ref'
    ? { ...type, name: change(type.name) }
    : mapInnerTypes(type, (each) => mapRefs(each, change))
}

/** A value of the specified depth, the branches in turn around a leaf. */
export function tower({ arounds, end }: RecursiveUnion, leaf: unknown, depth: number): unknown {
  let value = leaf
  for (let level = 0; level < depth; level += 1) value = arounds[level % arounds.length]?.(value, end)
  return value
}
