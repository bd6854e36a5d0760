import { setMember } from './convert.js'
import { memberPath } from './describe.js'
import { isStruct, member, type Struct } from './predicates.js'
import type { Param, WireType } from './types.js'
import { argumentName, paramAt } from './types.js'
import { branchesOf, elementTypes, memberTypes, namedBranch } from './unions.js'
import { accepts, collectIssues, createVerdicts, type Issue, type Verdicts } from './validate.js'

/**
 * Finds members that no declared type has, for servers that refuse them (`unknownMembers: 'refuse'`). `sent` is as it
 * came; `meant` is the same in TypeScript values, by which the branches of a union are told apart.
 */
export function findUndeclared(
  params: readonly Param[],
  sent: readonly unknown[],
  meant: readonly unknown[],
): readonly Issue[] {
  const verdicts = createVerdicts()
  return collectIssues(sent, (arg, i) => {
    const param = paramAt(params, i)
    if (!param) return []
    return undeclaredIn(
      () => [param.type],
      arg,
      meant[i],
      () => argumentName(params, i) ?? '',
      verdicts,
    )
  })
}

/** Arguments without the members that no declared type has: what `revive` drops of what comes by wire. */
export function dropUndeclaredArguments(params: readonly Param[], args: readonly unknown[]): readonly unknown[] {
  const verdicts = createVerdicts()
  return args.map((arg, i) => {
    const type = paramAt(params, i)?.type
    return type ? dropUndeclared([type], arg, verdicts) : arg
  })
}

/** A TypeScript value without the members that no declared type has. `types` are all that it may be. */
export function dropUndeclared(types: readonly WireType[], value: unknown, verdicts = createVerdicts()): unknown {
  const branches = acceptingBranches(types, value, verdicts)
  if (branches.some((type) => type.kind === 'any')) return value
  const element = (each: unknown, i: number) => dropUndeclared(elementTypes(branches, i), each, verdicts)
  if (Array.isArray(value)) return value.map(element)
  if (value instanceof Set) return new Set(Array.from(value, (each) => element(each, 0)))
  if (value instanceof Map) {
    return new Map(
      Array.from(value, ([name, each]) => [name, dropUndeclared(memberTypes(branches, name), each, verdicts)]),
    )
  }
  if (isStruct(value)) return declaredMembers(branches, value, verdicts)
  // A function of type void may return anything: nobody is to look at it.
  return branches.some((type) => type.kind === 'void') ? undefined : value
}

function declaredMembers(branches: readonly WireType[], value: Struct, verdicts: Verdicts): Struct {
  const declared: Struct = {}
  for (const name of Object.keys(value)) {
    const types = memberTypes(branches, name)
    if (types.length > 0) setMember(declared, name, dropUndeclared(types, value[name], verdicts))
  }
  return declared
}

/** Only what has parts is looked at, and only what is undeclared costs a path. */
function undeclaredIn(
  types: () => readonly WireType[],
  sent: unknown,
  meant: unknown,
  path: () => string,
  verdicts: Verdicts,
): Issue[] {
  if (typeof sent !== 'object' || sent === null) return []
  const branches = acceptingBranches(types(), meant, verdicts)
  if (branches.some((type) => type.kind === 'any')) return []
  if (Array.isArray(sent)) {
    const elements = elementsOf(meant, sent.length)
    return collectIssues(sent, (each, i) =>
      undeclaredIn(
        () => elementTypes(branches, i),
        each,
        elements[i],
        () => `${path()}[${i}]`,
        verdicts,
      ),
    )
  }
  if (!isStruct(sent)) return []
  return collectIssues(Object.keys(sent), (name) => {
    const declared = memberTypes(branches, name)
    const at = () => memberPath(path(), name)
    if (declared.length > 0) return undeclaredIn(() => declared, sent[name], memberOf(meant, name), at, verdicts)
    return branches.some((type) => type.kind === 'struct')
      ? [{ path: at(), expected: 'no such member', received: 'an undeclared member' }]
      : []
  })
}

/** A set holds equal elements once: then it is not known which is which. */
function elementsOf(list: unknown, length: number): readonly unknown[] {
  if (list instanceof Set) return list.size === length ? [...list] : []
  return Array.isArray(list) ? list : []
}

function memberOf(value: unknown, name: string): unknown {
  if (value instanceof Map) return value.get(name)
  return isStruct(value) ? member(value, name) : undefined
}

const none: WireType = { kind: 'union', branches: [] }

/** Those that accept a value; all of them where none does. Checked only where there is a choice, since it takes a walk. */
function acceptingBranches(types: readonly WireType[], value: unknown, verdicts: Verdicts): readonly WireType[] {
  const branches = branchesOf(types.map((type) => namedBranch(type, value) ?? none))
  const isList = Array.isArray(value) || value instanceof Set
  const fitting = branches.filter(({ kind }) =>
    isList ? kind === 'array' || kind === 'set' || kind === 'tuple' : kind === 'struct' || kind === 'map',
  )
  if (fitting.length < 2) return branches
  const accepting = branches.filter((branch) => accepts(branch, value, verdicts))
  return accepting.length > 0 ? accepting : branches
}
