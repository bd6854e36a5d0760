import {
  type Candidates,
  candidatesOf,
  formOf,
  type InnerMatching,
  innerOf,
  type Matching,
  typesOf,
  withAll,
} from './candidates.js'
import { definitionOf, reaches, typeOf } from './definition.js'
import { collectIssues } from './explain.js'
import type { ValidationIssue } from './issue.js'
import { Matcher } from './matcher.js'
import { Path } from './path.js'
import { isStruct } from './predicates.js'
import type { Param, WireType } from './types.js'
import { argumentPath, paramAt } from './types.js'
import { branchByTag, flattenSent } from './unions.js'
import type { Wire } from './wire.js'

/** Returns an issue for every key that no declared type has, for servers that reject them. `args` are as on the wire. */
export function findUnknownKeys(
  params: readonly Param[],
  args: readonly unknown[],
  wire: Wire,
): readonly ValidationIssue[] {
  const matcher = new Matcher(wire, true)
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

/** Visits lists and objects only, and builds paths for unknown keys only. */
function unknownKeysIn(
  inner: readonly InnerMatching[],
  value: unknown,
  path: () => Path,
  matcher: Matcher,
): ValidationIssue[] {
  if (typeof value !== 'object' || value === null) return []
  const branches = acceptingBranches(inner, value, matcher)
  if (branches.some(({ candidates, types }) => (types & candidates.any) !== 0)) return []
  if (Array.isArray(value)) {
    return collectIssues(value, (each, i) => {
      if (typeof each !== 'object' || each === null) return []
      const inner = branches.map(({ candidates, types }): InnerMatching => ({ inner: candidates.element(i), types }))
      return unknownKeysIn(inner, each, () => path().inner(i), matcher)
    })
  }
  if (!isStruct(value)) return []
  return collectIssues(Object.keys(value), (name) => {
    const inner = branches.flatMap(({ candidates, types }): InnerMatching | readonly [] => {
      const member = candidates.member(name)
      return member && (member.branches & types) !== 0 ? { inner: member, types } : []
    })
    if (inner.length > 0) return unknownKeysIn(inner, value[name], () => path().inner(name), matcher)
    if (!branches.some(({ candidates, types }) => (types & candidates.structs) !== 0)) return []
    return [
      {
        path: path().inner(name).segments,
        code: 'additionalProperties',
        expected: 'no such member',
        received: 'an undeclared member',
      },
    ]
  })
}

/** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
function acceptingBranches(inner: readonly InnerMatching[], value: object, matcher: Matcher): readonly Matching[] {
  const branches = branchesFor(inner, value)
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
  const branches = inner.flatMap(({ inner, types }) => {
    const { candidates, masks } = inner.row(form)
    return candidates.map((each, k): Matching => {
      let found = 0
      inner.groups.forEach(({ type, converting }, i) => {
        if ((converting & types) !== 0) found |= branchesIn(type, value, each, masks[i]?.[k] ?? 0)
      })
      return { candidates: each, types: found }
    })
  })
  if (!branches.some(({ candidates, types }) => (types & (candidates.custom | candidates.composed)) !== 0))
    return branches
  return candidatesOf(flattenSent(branches.flatMap(typesOf)), form).map(withAll)
}

function branchesIn(type: WireType, value: object, { types }: Candidates, all: number): number {
  const branch = branchByTag(type, value)
  if (branch?.kind !== 'struct') return branch ? all : 0
  return all & (1 << types.indexOf(branch))
}
