import { collectIssues } from './explain.js'
import type { ValidationIssue } from './issue.js'
import { Matcher } from './matcher.js'
import { Path } from './path.js'
import { isStruct } from './predicates.js'
import type { Param, WireType } from './types.js'
import { argumentPath, paramAt } from './types.js'
import { branchByTag, elementTypes, flattenSent, memberTypes } from './unions.js'
import type { TypeMatcher, Wire } from './wire.js'

/** Returns an issue for every key that no declared type has, for servers that reject them. `args` are as on the wire. */
export function findUnknownKeys(
  params: readonly Param[],
  args: readonly unknown[],
  wire: Wire,
): readonly ValidationIssue[] {
  const matcher = new Matcher(wire, true)
  return collectIssues(args, (arg, i) => {
    const param = paramAt(params, i)
    if (!param) return []
    return unknownKeysIn(
      () => [param.type],
      arg,
      () => Path.of(argumentPath(params, i)),
      matcher,
    )
  })
}

/** Visits lists and objects only, and builds paths for unknown keys only. */
function unknownKeysIn(
  types: () => readonly WireType[],
  value: unknown,
  path: () => Path,
  matcher: TypeMatcher,
): ValidationIssue[] {
  if (typeof value !== 'object' || value === null) return []
  const branches = acceptingBranches(types(), value, matcher)
  if (branches.some((type) => type.kind === 'any')) return []
  if (Array.isArray(value)) {
    return collectIssues(value, (each, i) =>
      unknownKeysIn(
        () => elementTypes(branches, i),
        each,
        () => path().inner(i),
        matcher,
      ),
    )
  }
  if (!isStruct(value)) return []
  return collectIssues(Object.keys(value), (name) => {
    const declared = memberTypes(branches, name)
    const at = () => path().inner(name)
    if (declared.length > 0) return unknownKeysIn(() => declared, value[name], at, matcher)
    return branches.some((type) => type.kind === 'struct')
      ? [
          {
            path: at().segments,
            code: 'additionalProperties',
            expected: 'no such member',
            received: 'an undeclared member',
          },
        ]
      : []
  })
}

const none: WireType = { kind: 'union', branches: [] }

/** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
function acceptingBranches(types: readonly WireType[], value: unknown, matcher: TypeMatcher): readonly WireType[] {
  const branches = flattenSent(types.map((type) => branchByTag(type, value) ?? none))
  const isList = Array.isArray(value) || value instanceof Set
  const fitting = branches.filter(({ kind }) =>
    isList ? kind === 'array' || kind === 'set' || kind === 'tuple' : kind === 'struct' || kind === 'map',
  )
  if (fitting.length < 2) return branches
  const accepting = branches.filter((branch) => matcher.matches(branch, value))
  return accepting.length > 0 ? accepting : branches
}
