import { definitionOf, reaches, typeOf } from '../definition.js'
import { collectIssues } from '../describe.js'
import { branchByTag, flattenSent } from '../inner-types.js'
import type { ValidationIssue } from '../issue.js'
import { Path } from '../path.js'
import { isStruct } from '../predicates.js'
import { argumentPath, type Param, paramAt, type WireType } from '../types.js'
import type { Wire } from '../wire.js'
import { type Form, formOf } from './branches.js'
import { type Candidates, type Inner, type InnerMatching, innerOf, type Matching, typesOf } from './candidates.js'
import { Matcher } from './matcher.js'
import { OnePass, UNDECIDED } from './one-pass.js'

// Finds the keys of arguments that no declared type has, for `unknownKeys: 'reject'`: of `{ id: 1, nmae: 'Ada' }` for `{ id: number; name?: string }`
// the key `nmae`. Of a union the branches decide that accept the value.

/** Returns an issue for every key that no declared type has, for servers that reject them. `args` are as on the wire. */
export function findUnknownKeys(
  params: readonly Param[],
  args: readonly unknown[],
  wire: Wire,
): readonly ValidationIssue[] {
  const matcher = new KeyMatcher(wire)
  return collectIssues(args, (arg, i) => {
    const param = paramAt(params, i)
    if (!param || !hasStructs(param.type)) return []
    return unknownKeysIn(
      [{ inner: innerOf(param.type), types: 1 }],
      arg,
      () => Path.of(argumentPath(params, i)),
      matcher,
    )
  })
}

/** A cache: types never change. */
const structsIn = /* @__PURE__ */ new WeakMap<WireType, boolean>()

function hasStructs(type: WireType): boolean {
  const known = structsIn.get(type)
  if (known !== undefined) return known
  const has = reaches(definitionOf(type), (each) => typeOf(each).kind === 'struct')
  structsIn.set(type, has)
  return has
}

/** Compares values whose keys are looked at. */
class KeyMatcher extends Matcher {
  #isOnePass = true

  constructor(wire: Wire) {
    super(wire, true)
  }

  /** True if one pass over a value shows that branches accept it, and that they have all its members. */
  hasNoUnknownKeys([only, more]: readonly Matching[], value: object): boolean {
    if (!this.#isOnePass || !only || more || !hasSeveral([only])) return false
    const { candidates, types } = only
    const pass = new OnePass(this)
    const likely = candidates.onSurface(value, this.wire, types)
    const isDecided = pass.convert(candidates, value, likely) !== UNDECIDED
    // Once is enough: what is inside of the value would be passed again.
    this.#isOnePass = isDecided && pass.matches && !pass.foundUnknownKeys
    return this.#isOnePass
  }
}

/** Visits lists and objects only, and builds paths for unknown keys only. */
function unknownKeysIn(
  inner: readonly InnerMatching[],
  value: unknown,
  path: () => Path,
  matcher: KeyMatcher,
): readonly ValidationIssue[] {
  if (typeof value !== 'object' || value === null) return none
  const likely = branchesFor(inner, value)
  if (matcher.hasNoUnknownKeys(likely, value)) return none
  const branches = acceptingBranches(likely, value, matcher)
  if (branches.some(({ candidates, types }) => (types & candidates.any) !== 0)) return none
  if (Array.isArray(value)) {
    return collectIssues(value, (each, i) => {
      if (typeof each !== 'object' || each === null) return none
      const inner = branches.map(({ candidates, types }): InnerMatching => ({ inner: candidates.element(i), types }))
      return unknownKeysIn(inner, each, () => path().inner(i), matcher)
    })
  }
  if (!isStruct(value)) return none
  return collectIssues(Object.keys(value), (name) => {
    const each = value[name]
    const isDeclared = branches.some(({ candidates, types }) => {
      return ((candidates.member(name)?.branches ?? 0) & types) !== 0
    })
    if (!isDeclared) return unknownKey(branches, path().inner(name))
    if (typeof each !== 'object' || each === null) return none
    const inner = branches.flatMap(({ candidates, types }): InnerMatching | readonly never[] => {
      const member = candidates.member(name)
      return member ? { inner: member, types } : []
    })
    return unknownKeysIn(inner, each, () => path().inner(name), matcher)
  })
}

const none: readonly never[] = []

function unknownKey(branches: readonly Matching[], { segments }: Path): readonly ValidationIssue[] {
  if (!branches.some(({ candidates, types }) => (types & candidates.structs) !== 0)) return none
  return [
    {
      path: segments,
      code: 'additionalProperties',
      expected: 'no such member',
      received: 'an undeclared member',
    },
  ]
}

/** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
function acceptingBranches(branches: readonly Matching[], value: object, matcher: Matcher): readonly Matching[] {
  if (!hasSeveral(branches)) return branches
  const accepting = branches.map(({ candidates, types }): Matching => {
    return { candidates, types: types & matcher.match(candidates, value) }
  })
  return accepting.some(({ types }) => types !== 0) ? accepting : branches
}

/** True if several branches are lists or structs. */
function hasSeveral(branches: readonly Matching[]): boolean {
  let found = 0
  for (const { candidates, types } of branches) {
    const composite = types & ~candidates.single & ~candidates.any
    if (composite !== 0) found += (composite & (composite - 1)) === 0 ? 1 : 2
  }
  return found > 1
}

/** Returns the branches of the form of a value: of a tagged union the one with its tag, of custom scalars what is sent for them. */
function branchesFor(inner: readonly InnerMatching[], value: object): readonly Matching[] {
  const form = formOf(value)
  const [only, more] = inner
  const branches =
    only && !more ? branchesIn(only, form, value) : together(inner.flatMap((each) => branchesIn(each, form, value)))
  if (!branches.some(({ candidates, types }) => (types & (candidates.custom | candidates.composed)) !== 0))
    return branches
  return together(branches.flatMap((each) => each.candidates.family.matching(flattenSent(typesOf(each)), form)))
}

/** Returns each of the candidates once: branches that are in several parts contain the same types. */
function together(all: readonly Matching[]): readonly Matching[] {
  const byCandidates = new Map<Candidates, number>()
  for (const { candidates, types } of all) byCandidates.set(candidates, (byCandidates.get(candidates) ?? 0) | types)
  return Array.from(byCandidates, ([candidates, types]): Matching => ({ candidates, types }))
}

function branchesIn({ inner, types }: InnerMatching, form: Form, value: object): readonly Matching[] {
  const { groups, converting } = inner
  const row = inner.row(form)
  const hasTags = isTagged(inner)
  if (!hasTags && row.isExact && (types & converting) === converting) return inner.matching(form)
  return row.candidates.map((candidates, k): Matching => {
    let found = 0
    groups.forEach(({ type, converting }, i) => {
      const mask = row.masks[i]?.[k] ?? 0
      if ((converting & types) !== 0) found |= hasTags ? withTag(type, value, candidates, mask) : mask
    })
    return { candidates, types: found }
  })
}

const tagged = /* @__PURE__ */ new WeakMap<Inner, boolean>()

/** True if a type of an inner value is a union with a tag. */
function isTagged(inner: Inner): boolean {
  const known = tagged.get(inner)
  if (known !== undefined) return known
  const is = inner.groups.some(({ type }) => isTaggedUnion(type))
  tagged.set(inner, is)
  return is
}

function isTaggedUnion(type: WireType): boolean {
  return type.kind === 'ref' ? isTaggedUnion(type.type()) : type.kind === 'union' && type.discriminant !== undefined
}

function withTag(type: WireType, value: object, { types }: Candidates, all: number): number {
  const branch = branchByTag(type, value)
  if (branch?.kind !== 'struct') return branch ? all : 0
  return all & (1 << types.indexOf(branch))
}
