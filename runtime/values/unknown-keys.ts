import { setMember } from './convert.js'
import { appendKey } from './describe.js'
import { isStruct, member, type Struct } from './predicates.js'
import type { Param, WireType } from './types.js'
import { argumentName, paramAt } from './types.js'
import { branchByTag, elementTypes, flattenUnion, memberTypes } from './unions.js'
import { type AcceptCache, accepts, collectIssues, createAcceptCache, type Issue } from './validate.js'

/**
 * Returns an issue for every key that no declared type has, for servers that reject them. `sent` are the arguments on the wire;
 * `decoded` are the same as TypeScript values, which select the branches of unions.
 */
export function findUnknownKeys(
  params: readonly Param[],
  sent: readonly unknown[],
  decoded: readonly unknown[],
): readonly Issue[] {
  const cache = createAcceptCache()
  return collectIssues(sent, (arg, i) => {
    const param = paramAt(params, i)
    if (!param) return []
    return unknownKeysIn(
      () => [param.type],
      arg,
      decoded[i],
      () => argumentName(params, i) ?? '',
      cache,
    )
  })
}

/** Returns arguments without unknown keys, for calls from the same process; decoding drops them for all others. */
export function stripUnknownKeysFromArguments(params: readonly Param[], args: readonly unknown[]): readonly unknown[] {
  const cache = createAcceptCache()
  return args.map((arg, i) => {
    const type = paramAt(params, i)?.type
    return type ? stripUnknownKeys([type], arg, cache) : arg
  })
}

/** Returns a TypeScript value without the keys that none of its declared types has. */
export function stripUnknownKeys(types: readonly WireType[], value: unknown, cache = createAcceptCache()): unknown {
  const branches = acceptingBranches(types, value, cache)
  if (branches.some((type) => type.kind === 'any')) return value
  const element = (each: unknown, i: number) => stripUnknownKeys(elementTypes(branches, i), each, cache)
  if (Array.isArray(value)) return value.map(element)
  if (value instanceof Set) return new Set(Array.from(value, (each) => element(each, 0)))
  if (value instanceof Map) {
    return new Map(
      Array.from(value, ([name, each]) => [name, stripUnknownKeys(memberTypes(branches, name), each, cache)]),
    )
  }
  if (isStruct(value)) return stripStruct(branches, value, cache)
  // A function of type void may return anything, which callers must not see.
  return branches.some((type) => type.kind === 'void') ? undefined : value
}

function stripStruct(branches: readonly WireType[], value: Struct, cache: AcceptCache): Struct {
  const declared: Struct = {}
  for (const name of Object.keys(value)) {
    const types = memberTypes(branches, name)
    if (types.length > 0) setMember(declared, name, stripUnknownKeys(types, value[name], cache))
  }
  return declared
}

/** Visits lists and objects only, and builds paths for unknown keys only. */
function unknownKeysIn(
  types: () => readonly WireType[],
  sent: unknown,
  decoded: unknown,
  path: () => string,
  cache: AcceptCache,
): Issue[] {
  if (typeof sent !== 'object' || sent === null) return []
  const branches = acceptingBranches(types(), decoded, cache)
  if (branches.some((type) => type.kind === 'any')) return []
  if (Array.isArray(sent)) {
    const elements = elementsOf(decoded, sent.length)
    return collectIssues(sent, (each, i) =>
      unknownKeysIn(
        () => elementTypes(branches, i),
        each,
        elements[i],
        () => `${path()}[${i}]`,
        cache,
      ),
    )
  }
  if (!isStruct(sent)) return []
  return collectIssues(Object.keys(sent), (name) => {
    const declared = memberTypes(branches, name)
    const at = () => appendKey(path(), name)
    if (declared.length > 0) return unknownKeysIn(() => declared, sent[name], memberOf(decoded, name), at, cache)
    return branches.some((type) => type.kind === 'struct')
      ? [{ path: at(), expected: 'no such member', received: 'an undeclared member' }]
      : []
  })
}

/** Returns the decoded elements of a list; none if a Set has dropped duplicates, which shifts the indexes. */
function elementsOf(list: unknown, length: number): readonly unknown[] {
  if (list instanceof Set) return list.size === length ? [...list] : []
  return Array.isArray(list) ? list : []
}

function memberOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name)
  return isStruct(value) ? member(value, name) : undefined
}

const none: WireType = { kind: 'union', branches: [] }

/** Returns the branches that accept a value, or all if none does. Validates only if there are several candidates. */
function acceptingBranches(types: readonly WireType[], value: unknown, cache: AcceptCache): readonly WireType[] {
  const branches = flattenUnion(types.map((type) => branchByTag(type, value) ?? none))
  const isList = Array.isArray(value) || value instanceof Set
  const fitting = branches.filter(({ kind }) =>
    isList ? kind === 'array' || kind === 'set' || kind === 'tuple' : kind === 'struct' || kind === 'map',
  )
  if (fitting.length < 2) return branches
  const accepting = branches.filter((branch) => accepts(branch, value, cache))
  return accepting.length > 0 ? accepting : branches
}
