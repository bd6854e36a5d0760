import fc from 'fast-check'
import { findAmbiguity, withDiscriminants } from '../../generator/model/ambiguity.js'
import { createUnions } from '../../generator/model/disjoint.js'
import type { Model, ModelType, NamedType } from '../../generator/model/model.js'
import { mapInnerTypes } from '../../runtime/description/described-types.js'
import type { TypesByName } from '../../runtime/description/description.js'
import { lift, procedureOf } from '../types/models.js'

// Random families of recursive types: each type of a family contains a union of all of them, with other scalars than the unions of
// the other types have, so that several branches match a value at every level, or a tag, an index or a form distinguishes them.
//
//     A = { x: A | B | null, p?: int }    B = { x: A | B | int | null, q?: int }

/** A value as it is on the wire, or with the classes of TypeScript. */
type Form = 'wire' | 'native'

/** A type that contains a union, and a value of it around a value of the union. */
interface Layer {
  readonly type: (union: ModelType) => ModelType
  readonly around: (inner: unknown, end: unknown, form: Form) => unknown
  /** How many lists and objects it puts around a value. */
  readonly levels: number
}

export interface Family {
  /** The types of the family; each is a procedure's parameter in a list of all of them. */
  readonly types: readonly ModelType[]
  readonly layers: readonly Layer[]
  /** A value that contains no other one. */
  readonly end: unknown
  /** A value of none of the unions; where members are not declared, as beside index signatures, it may be accepted. */
  readonly wrong: unknown
}

interface Sample {
  readonly type: ModelType
  readonly value: unknown
}

const at = new Date('2020-01-02T03:04:05.000Z')

const int: Sample = { type: { kind: 'int' }, value: 1 }
const texts: readonly Sample[] = [
  { type: { kind: 'string' }, value: 'x' },
  { type: { kind: 'date' }, value: at },
  { type: { kind: 'literal', value: 'one' }, value: 'one' },
]
const nothing: Sample = { type: { kind: 'null' }, value: null }

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: a type as TypeScript writes it
/** What is between a member, or a type, and the union that it contains. */
const wraps: readonly Layer[] = [
  { type: (union) => union, around: (inner) => inner, levels: 0 },
  { type: (element) => ({ kind: 'array', element }), around: (inner) => [inner], levels: 1 },
  {
    type: (element) => ({ kind: 'array', element, constraints: { uniqueItems: true } }),
    around: (inner, end) => (inner === end ? [inner] : [end, inner]),
    levels: 1,
  },
  {
    type: (element) => ({ kind: 'array', element, constraints: { minItems: 1, maxItems: 4 } }),
    around: (inner) => [inner],
    levels: 1,
  },
  {
    type: (union) => ({ kind: 'tuple', elements: [int.type, union], required: 1, rest: union }),
    around: (inner, end) => [1, end, inner],
    levels: 1,
  },
  {
    type: (element) => ({ kind: 'set', element }),
    around: (inner, _end, form) => (form === 'native' ? new Set([inner]) : [inner]),
    levels: 1,
  },
  {
    type: (value) => ({ kind: 'map', value }),
    around: (inner, _end, form) => (form === 'native' ? new Map([['k', inner]]) : { k: inner }),
    levels: 1,
  },
  {
    type: (type) => ({ kind: 'struct', members: [], indexes: [{ type }] }),
    around: (inner) => ({ k: inner }),
    levels: 1,
  },
  {
    type: (type) => ({
      kind: 'struct',
      members: [{ name: 'n', type: int.type, optional: true }],
      indexes: [{ type, keys: { text: '`x-${string}`', pattern: '^x-[\\s\\S]*$' } }],
    }),
    around: (inner) => ({ n: 1, 'x-a': inner }),
    levels: 1,
  },
]
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: a type as TypeScript writes it

/** Structs with a member that contains the union, and members that the structs of other types lack. */
const structs: fc.Arbitrary<(wrap: Layer) => Layer> = fc
  .record({
    optional: fc.boolean(),
    other: fc.constantFrom('p', 'q', 'r'),
    dated: fc.boolean(),
    second: fc.boolean(),
    tag: fc.constantFrom(undefined, undefined, undefined, 'one', 'two'),
    before: fc.boolean(),
  })
  .map(({ optional, other, dated, second, tag, before }) => (wrap) => ({
    type: (union) => {
      const x = { name: 'x', type: wrap.type(union), ...(optional && { optional }) }
      const more = { name: other, type: dated ? { kind: 'date' as const } : int.type, optional: true }
      return {
        kind: 'struct',
        members: [
          ...(tag === undefined ? [] : [{ name: 'tag', type: { kind: 'literal' as const, value: tag } }]),
          ...(before ? [more, x] : [x, more]),
          ...(second ? [{ name: 'y', type: union, optional: true }] : []),
        ],
      }
    },
    around: (inner, end, form) => ({
      ...(tag === undefined ? {} : { tag }),
      x: wrap.around(inner, end, form),
      ...(second && { y: end }),
      [other]: dated ? at : 1,
    }),
    levels: wrap.levels + 1,
  }))

const wrap = fc.constantFrom(...wraps)

const layers: fc.Arbitrary<readonly Layer[]> = fc.oneof(
  // One form of the member, so that several structs match.
  {
    weight: 3,
    arbitrary: fc
      .tuple(wrap, fc.array(structs, { minLength: 2, maxLength: 4 }))
      .map(([form, all]) => all.map((make) => make(form))),
  },
  // Lists and objects of any form.
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        fc.tuple(structs, wrap).map(([make, form]) => make(form)),
        fc.constantFrom(...wraps.slice(1)),
      ),
      {
        minLength: 2,
        maxLength: 4,
      },
    ),
  },
  // Equal types but for their unions.
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...wraps.slice(1)), fc.integer({ min: 2, max: 3 }))
      .map(([form, count]) => Array.from({ length: count }, () => form)),
  },
)

const families: fc.Arbitrary<Family> = fc
  .record({ all: layers, text: fc.constantFrom(...texts), hasNull: fc.boolean(), shift: fc.nat(3) })
  .map(({ all, text, hasNull, shift }): Family => {
    const refs = refsTo(all.length)
    // Each union has the end of the values, and some of the other scalars.
    const others = [int, nothing].slice(0, hasNull ? 2 : 1)
    const types = all.map((layer, i) => {
      const more = others.filter((_, k) => ((i + shift) >> k) % 2 === 0)
      return layer.type({ kind: 'union', branches: [...refs, text.type, ...more.map(({ type }) => type)] })
    })
    return { types, layers: all, end: text.value, wrong: true }
  })
  .filter(({ types }) => {
    const byName: TypesByName = new Map(types.map((type, i) => [`Type${i}`, { name: `Type${i}`, type }]))
    return types.every((type) => isDecidable(type, byName)) && isDecidable(union(types.length), byName)
  })

/** Structs that contain themselves, and no union: only the parameter is one. */
const withoutUnions: Family = {
  types: ['p', 'q'].map((name, i) => ({
    kind: 'struct',
    members: [
      { name: 'x', type: { kind: 'ref', name: `Type${i}` }, optional: true },
      { name, type: int.type, optional: true },
    ],
  })),
  layers: [{ type: (type) => type, around: (x) => ({ x }), levels: 1 }],
  end: {},
  wrong: true,
}

/** What a union decides by converting: lists without equal elements, and sets of a limited size. */
const decidedByElements: readonly Family[] = [
  [
    { kind: 'array', constraints: { uniqueItems: true } } as const,
    { kind: 'array', constraints: { minItems: 1 } } as const,
  ],
  [{ kind: 'set', constraints: { minItems: 1 } } as const],
].map(
  (forms): Family => ({
    types: forms.map((form, i) => {
      const ends: ModelType[] = [int.type, nothing.type].slice(0, i + 1)
      return { ...form, element: { kind: 'union', branches: [...refsTo(forms.length), ...ends] } }
    }),
    layers: forms.map(({ kind }) => ({
      type: (type) => type,
      around: (inner, _end, form) => (kind === 'set' && form === 'native' ? new Set([inner]) : [inner]),
      levels: 1,
    })),
    end: 1,
    wrong: true,
  }),
)

/** Returns the union of all types of a family. */
function union(count: number): ModelType {
  return { kind: 'union', branches: refsTo(count) }
}

function refsTo(count: number): ModelType[] {
  return Array.from({ length: count }, (_, i) => ({ kind: 'ref', name: `Type${i}` }))
}

/** True if the generator accepts the unions of a type. */
function isDecidable(type: ModelType, types: TypesByName): boolean {
  if (type.kind === 'union' && findAmbiguity(type.branches, createUnions(types)) !== undefined) return false
  let isAccepted = true
  mapInnerTypes(type, (inner) => {
    isAccepted &&= isDecidable(inner, types)
    return inner
  })
  return isAccepted
}

/** Some fixed and random families, and a model with a procedure for each, whose parameter is a list of values of the family. */
export function recursiveFamilies(
  seed: number,
  count: number,
): { readonly families: readonly Family[]; readonly model: Model } {
  const all = [withoutUnions, ...decidedByElements, ...fc.sample(families, { seed, numRuns: count })]
  const types: NamedType[] = []
  const procedures = all.map((family, i) => {
    const rename = (type: ModelType) => mapRefs(type, (name) => `Family${i}${name}`)
    const own = family.types.map((type, k) => ({ name: `Family${i}Type${k}`, type: rename(type) }))
    const byName: TypesByName = new Map(own.map((each) => [each.name, each]))
    const anonymous: NamedType[] = []
    const finish = (type: ModelType) => lift(withDiscriminants(type, createUnions(byName)), anonymous)
    const main = own.map((each): NamedType => {
      return {
        ...each,
        type: mapInnerTypes(withDiscriminants(each.type, createUnions(byName)), (inner) => lift(inner, anonymous)),
      }
    })
    const list = finish({
      kind: 'array',
      element: own.length === 1 ? rename({ kind: 'ref', name: 'Type0' }) : rename(union(own.length)),
    })
    const renamed = new Map(anonymous.map(({ name }) => [name, `${name}Of${i}`]))
    const named = [...main, ...anonymous].map((each) => ({
      ...each,
      name: renamed.get(each.name) ?? each.name,
      type: mapRefs(each.type, (ref) => renamed.get(ref) ?? ref),
    }))
    types.push(...named)
    return procedureOf(i, list, new Map(named.map((each) => [each.name, each])))
  })
  return { families: all, model: { version: 1, types, procedures } }
}

function mapRefs(type: ModelType, change: (name: string) => string): ModelType {
  return type.kind === 'ref'
    ? { ...type, name: change(type.name) }
    : mapInnerTypes(type, (each) => mapRefs(each, change))
}

/** Returns a value of the specified nesting, the types of a family in turn around a leaf. */
export function nestedValue({ layers, end }: Family, leaf: unknown, depth: number, form: Form = 'wire'): unknown {
  let value = leaf
  let level = 0
  for (let i = 0; ; i += 1) {
    const layer = layers[i % layers.length] as Layer
    level += layer.levels
    if (level > depth) return value
    value = layer.around(value, end, form)
  }
}
