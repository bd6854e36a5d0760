// Finds the keys of arguments that no declared type has, for `unknownKeys: 'reject'`. Of a union the branches decide that accept the value: one
// comparison where all is well, otherwise each object by itself, with comparisons that are remembered.
//
//   { id: 1, nmae: 'Ada' }  for  { id: number; name?: string }  →  an issue for `nmae`
import { memoize } from '../cache.js'
import { definitionOf, reaches, typeOf } from '../definition.js'
import { collectIssues, Path } from '../describe.js'
import { branchByTag, flattenSent, isTaggedUnion } from '../inner-types.js'
import type { ValidationIssue } from '../issue.js'
import { isStruct, type Struct } from '../predicates.js'
import { argumentPath, type Param, paramAt, type WireType } from '../types.js'
import type { Wire } from '../wire.js'
import { type Form, formOf } from './branches.js'
import { type Candidates, type Inner, innerOf, type Matching, typesOf } from './candidates.js'
import { addMatches, bitsIn, type Matches, partOf } from './found.js'
import { Matcher } from './matcher.js'

/** Returns an issue for every key that no declared type has, for servers that reject them. `args` are as on the wire. */
export function findUnknownKeys(
  params: readonly Param[],
  args: readonly unknown[],
  wire: Wire,
): readonly ValidationIssue[] {
  const search = new Search(wire)
  return collectIssues(args, (arg, i) => {
    const param = paramAt(params, i)
    if (!param || !hasStructs(param.type)) return none
    return search.find([{ inner: innerOf(param.type), branches: 1 }], arg, () => Path.of(argumentPath(params, i)))
  })
}

const none: readonly never[] = []

const hasStructs = /* @__PURE__ */ memoize((type: WireType): boolean =>
  reaches(definitionOf(type), (each) => typeOf(each).kind === 'struct'),
)

/** The types of an inner value: those that it has in some branches. */
interface InnerMatching {
  readonly inner: Inner
  readonly branches: number
}

/** The search in the arguments of one call. */
class Search {
  readonly #wire: Wire
  readonly #matcher: Matcher
  #isQuick = true

  constructor(wire: Wire) {
    this.#wire = wire
    this.#matcher = new Matcher(wire, 'search')
  }

  /** Visits lists and objects only, and builds paths for unknown keys only. */
  find(inner: readonly InnerMatching[], value: unknown, path: () => Path): readonly ValidationIssue[] {
    if (typeof value !== 'object' || value === null) return none
    const likely = branchesFor(inner, value)
    if (this.#hasOnlyKnownKeys(likely, value)) return none
    const branches = this.#accepting(likely, value)
    if (branches.some(({ candidates, bits }) => (bits & candidates.any) !== 0)) return none
    if (Array.isArray(value)) {
      return collectIssues(value, (each, i) => {
        if (typeof each !== 'object' || each === null) return none
        const elements = branches.map(({ candidates, bits }) => ({ inner: candidates.element(i), branches: bits }))
        return this.find(elements, each, () => path().inner(i))
      })
    }
    if (!isStruct(value)) return none
    return collectIssues(Object.keys(value), (name) => {
      const each = value[name]
      const isKnown = branches.some(({ candidates, bits }) => ((candidates.member(name)?.branches ?? 0) & bits) !== 0)
      if (!isKnown) return unknownKey(branches, path().inner(name))
      if (typeof each !== 'object' || each === null) return none
      const members = branches.flatMap(({ candidates, bits }): InnerMatching | readonly never[] => {
        const member = candidates.member(name)
        return member ? { inner: member, branches: bits } : none
      })
      return this.find(members, each, () => path().inner(name))
    })
  }

  /** True if one comparison shows that some of several branches accept a value, and that they have all its members. */
  #hasOnlyKnownKeys([only, more]: readonly Matching[], value: object): boolean {
    if (!this.#isQuick || !only || more || !hasSeveral([only])) return false
    const matcher = new Matcher(this.#wire, 'convert')
    const { candidates, bits } = only
    const matches = addMatches(undefined, candidates, bits, matcher.compare(candidates, value, bits))
    // Once is enough: what is inside of the value would be compared again.
    this.#isQuick = matches !== undefined && hasOnlyKnownKeys(matches, value, matcher)
    return this.#isQuick
  }

  /** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
  #accepting(branches: readonly Matching[], value: object): readonly Matching[] {
    if (!hasSeveral(branches)) return branches
    const accepting = branches.map((each): Matching => {
      return { ...each, bits: each.bits & bitsIn(this.#matcher.compare(each.candidates, value)) }
    })
    return accepting.some(({ bits }) => bits !== 0) ? accepting : branches
  }
}

/** True if the types that a value matches have all its members, and those of the values in it. Types of what a codec makes are not searched. */
function hasOnlyKnownKeys(all: Matches, value: object, matcher: Matcher): boolean {
  let unsearched = 0
  for (let each: Matches | undefined = all; each; each = each.next) {
    const { candidates, bits } = each
    if ((bits & candidates.any) !== 0) return true
    unsearched |= bits & (candidates.custom | candidates.composed)
  }
  if (unsearched !== 0) return false
  if (!Array.isArray(value) && !isStruct(value)) return true
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const length = names?.length ?? (value as readonly unknown[]).length
  for (let i = 0; i < length; i += 1) {
    const inner = names ? (value as Struct)[names[i] as string] : (value as readonly unknown[])[i]
    const isObject = typeof inner === 'object' && inner !== null
    if (!names && !isObject) continue
    let isKnown = false
    let inside: Matches | undefined
    for (let each: Matches | undefined = all; each; each = each.next) {
      const { candidates, bits, found } = each
      const types = names ? candidates.member(names[i] as string) : candidates.element(i)
      if (!types || (types.branches & bits) === 0) continue
      isKnown = true
      if (isObject) inside = matcher.addInner(inside, types, types.converting & bits, inner, partOf(found, i))
    }
    if (!isKnown || (inside && !hasOnlyKnownKeys(inside, inner as object, matcher))) return false
  }
  return true
}

function unknownKey(branches: readonly Matching[], { segments }: Path): readonly ValidationIssue[] {
  if (!branches.some(({ candidates, bits }) => (bits & candidates.structs) !== 0)) return none
  return [
    {
      path: segments,
      code: 'additionalProperties',
      expected: 'no such key',
      received: 'an unknown key',
    },
  ]
}

/** True if several branches are lists or structs. */
function hasSeveral(branches: readonly Matching[]): boolean {
  let found = 0
  for (const { candidates, bits } of branches) {
    const composite = bits & ~candidates.single & ~candidates.any
    if (composite !== 0) found += (composite & (composite - 1)) === 0 ? 1 : 2
  }
  return found > 1
}

/** Returns the branches of the form of a value: of a tagged union the one with its tag, of custom scalars what is sent for them. */
function branchesFor(inner: readonly InnerMatching[], value: object): readonly Matching[] {
  const form = formOf(value)
  const [only, more] = inner
  const branches =
    only && !more
      ? branchesIn(only, form, value)
      : mergeMatching(inner.flatMap((each) => branchesIn(each, form, value)))
  if (!branches.some(({ candidates, bits }) => (bits & (candidates.custom | candidates.composed)) !== 0))
    return branches
  return mergeMatching(branches.flatMap((each) => each.candidates.family.matching(flattenSent(typesOf(each)), form)))
}

/** Returns each of the candidates once: branches that are in several parts contain the same types. */
function mergeMatching(all: readonly Matching[]): readonly Matching[] {
  const byCandidates = new Map<Candidates, Matching>()
  for (const each of all) {
    byCandidates.set(each.candidates, { ...each, bits: each.bits | (byCandidates.get(each.candidates)?.bits ?? 0) })
  }
  return [...byCandidates.values()]
}

function branchesIn({ inner, branches }: InnerMatching, form: Form, value: object): readonly Matching[] {
  const { groups, converting } = inner
  const row = inner.row(form)
  const hasTags = isTagged(inner)
  if (!hasTags && row.isExact && (branches & converting) === converting) return inner.matching(form)
  return row.candidates.map((candidates, k): Matching => {
    let found = 0
    groups.forEach(({ type, converting }, i) => {
      const mask = row.masks[k]?.[i] ?? 0
      if ((converting & branches) !== 0) found |= hasTags ? withTag(type, value, candidates, mask) : mask
    })
    return { candidates, bits: found, at: k }
  })
}

/** True if a type of an inner value is a union with a tag. */
const isTagged = /* @__PURE__ */ memoize((inner: Inner): boolean => inner.groups.some(({ type }) => hasTag(type)))

function hasTag(type: WireType): boolean {
  return type.kind === 'ref' ? hasTag(type.type()) : isTaggedUnion(type)
}

function withTag(type: WireType, value: object, { types }: Candidates, all: number): number {
  const branch = branchByTag(type, value)
  if (branch?.kind !== 'struct') return branch ? all : 0
  return all & (1 << types.indexOf(branch))
}
