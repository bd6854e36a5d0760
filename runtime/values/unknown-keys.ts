import { accepts, definitionOf, memoized } from './definition.js'
import type { Issue } from './describe.js'
import { appendKey } from './describe.js'
import { collectIssues } from './explain.js'
import { isStruct } from './predicates.js'
import type { Param, WireType } from './types.js'
import { argumentName, paramAt } from './types.js'
import { branchByTag, elementTypes, flattenSent, memberTypes } from './unions.js'
import type { Wire } from './wire.js'

/** Returns an issue for every key that no declared type has, for servers that reject them. `args` are as on the wire. */
export function findUnknownKeys(params: readonly Param[], args: readonly unknown[], wire: Wire): readonly Issue[] {
  const memo = memoized(wire)
  return collectIssues(args, (arg, i) => {
    const param = paramAt(params, i)
    if (!param) return []
    return unknownKeysIn(
      () => [param.type],
      arg,
      () => argumentName(params, i) ?? '',
      memo,
    )
  })
}

/** Visits lists and objects only, and builds paths for unknown keys only. */
function unknownKeysIn(types: () => readonly WireType[], value: unknown, path: () => string, wire: Wire): Issue[] {
  if (typeof value !== 'object' || value === null) return []
  const branches = acceptingBranches(types(), value, wire)
  if (branches.some((type) => type.kind === 'any')) return []
  if (Array.isArray(value)) {
    return collectIssues(value, (each, i) =>
      unknownKeysIn(
        () => elementTypes(branches, i),
        each,
        () => `${path()}[${i}]`,
        wire,
      ),
    )
  }
  if (!isStruct(value)) return []
  return collectIssues(Object.keys(value), (name) => {
    const declared = memberTypes(branches, name)
    const at = () => appendKey(path(), name)
    if (declared.length > 0) return unknownKeysIn(() => declared, value[name], at, wire)
    return branches.some((type) => type.kind === 'struct')
      ? [{ path: at(), expected: 'no such member', received: 'an undeclared member' }]
      : []
  })
}

const none: WireType = { kind: 'union', branches: [] }

/** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
function acceptingBranches(types: readonly WireType[], value: unknown, wire: Wire): readonly WireType[] {
  const branches = flattenSent(types.map((type) => branchByTag(type, value) ?? none))
  const isList = Array.isArray(value) || value instanceof Set
  const fitting = branches.filter(({ kind }) =>
    isList ? kind === 'array' || kind === 'set' || kind === 'tuple' : kind === 'struct' || kind === 'map',
  )
  if (fitting.length < 2) return branches
  const accepting = branches.filter((branch) => accepts(definitionOf(branch), value, wire))
  return accepting.length > 0 ? accepting : branches
}
