import { branchesOf, elementTypes, memberTypes } from './branches.js'
import { setMember } from './convert.js'
import { explain, namedStructs } from './explain.js'
import type { Issue } from './issue.js'
import type { Param } from './param.js'
import { argumentName, paramAt } from './param.js'
import { memberPath } from './path.js'
import { isStruct, member, type Struct } from './predicates.js'
import type { WireType } from './wire-type.js'

/**
 * Finds members that no declared type has, for servers that refuse them (`unknownMembers: 'refuse'`). `sent` is as it
 * came; `meant` is the same in TypeScript values, by which the branches of a union are told apart.
 */
export function findUndeclared(
  params: readonly Param[],
  sent: readonly unknown[],
  meant: readonly unknown[],
): readonly Issue[] {
  return sent.flatMap((arg, i) => {
    const param = paramAt(params, i)
    return param ? undeclaredIn([param.type], arg, meant[i], argumentName(params, i) ?? '') : []
  })
}

/** Arguments without the members that no declared type has: what `revive` drops of what comes by wire. */
export function dropUndeclaredArguments(params: readonly Param[], args: readonly unknown[]): readonly unknown[] {
  return args.map((arg, i) => {
    const type = paramAt(params, i)?.type
    return type ? dropUndeclared([type], arg) : arg
  })
}

/** A TypeScript value without the members that no declared type has. `types` are all that it may be. */
export function dropUndeclared(types: readonly WireType[], value: unknown): unknown {
  const branches = acceptingBranches(types, value)
  if (branches.some((type) => type.kind === 'any')) return value
  if (Array.isArray(value)) return value.map((each, i) => dropUndeclared(elementTypes(branches, i), each))
  if (value instanceof Set) return new Set(Array.from(value, (each) => dropUndeclared(elementTypes(branches, 0), each)))
  if (value instanceof Map) {
    return new Map(Array.from(value, ([name, each]) => [name, dropUndeclared(memberTypes(branches, name), each)]))
  }
  if (isStruct(value)) return declaredMembers(branches, value)
  // A function of type void may return anything: nobody is to look at it.
  return branches.some((type) => type.kind === 'void') ? undefined : value
}

function declaredMembers(branches: readonly WireType[], value: Struct): Struct {
  const declared: Struct = {}
  for (const name of Object.keys(value)) {
    const types = memberTypes(branches, name)
    if (types.length > 0) setMember(declared, name, dropUndeclared(types, value[name]))
  }
  return declared
}

function undeclaredIn(types: readonly WireType[], sent: unknown, meant: unknown, path: string): Issue[] {
  const branches = acceptingBranches(types, meant)
  if (branches.some((type) => type.kind === 'any')) return []
  if (Array.isArray(sent)) {
    const elements = elementsOf(meant, sent.length)
    return sent.flatMap((each, i) => undeclaredIn(elementTypes(branches, i), each, elements[i], `${path}[${i}]`))
  }
  if (!isStruct(sent)) return []
  return Object.keys(sent).flatMap((name) => {
    const declared = memberTypes(branches, name)
    const at = memberPath(path, name)
    if (declared.length > 0) return undeclaredIn(declared, sent[name], memberOf(meant, name), at)
    return branches.some((type) => type.kind === 'struct')
      ? [{ path: at, expected: 'no such member', received: 'an undeclared member' }]
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

/** Those that accept a value; all of them where none does. Asked only where there is a choice, since it costs a walk. */
function acceptingBranches(types: readonly WireType[], value: unknown): WireType[] {
  const branches = branchesOf(types.flatMap((type) => namedBranches(type, value)))
  const isList = Array.isArray(value) || value instanceof Set
  const fitting = branches.filter(({ kind }) =>
    isList ? kind === 'array' || kind === 'set' || kind === 'tuple' : kind === 'struct' || kind === 'map',
  )
  if (fitting.length < 2) return branches
  const accepting = branches.filter((branch) => explain(branch, value, '').length === 0)
  return accepting.length > 0 ? accepting : branches
}

/** Of a tagged union only the structs that the tag names. */
function namedBranches(type: WireType, value: unknown): readonly WireType[] {
  if (type.kind === 'ref') return namedBranches(type.type(), value)
  if (type.kind !== 'union' || type.discriminant === undefined || !isStruct(value)) return [type]
  return namedStructs(type, type.discriminant, value)
}
