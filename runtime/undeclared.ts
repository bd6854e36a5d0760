import { hasName, memberPath } from './explain.js'
import type { Issue } from './issue.js'
import type { Param, WireType } from './manifest.js'
import { isStruct } from './predicates.js'

/** Finds members that no declared type has, for servers that refuse them (`unknownMembers: 'refuse'`). */
export function findUndeclared(params: readonly Param[], args: readonly unknown[]): Issue[] {
  const last = params.at(-1)
  return args.flatMap((arg, i) => {
    const param = params[i] ?? (last?.rest ? last : undefined)
    return param
      ? undeclaredIn([param.type], arg, param.rest ? `${param.name}[${i - params.length + 1}]` : param.name)
      : []
  })
}

/** `types` are all that the value may be: a member is declared when one of them declares it. */
function undeclaredIn(types: readonly WireType[], value: unknown, path: string): Issue[] {
  // Each once, or they would double at every level of a type that contains itself in two branches.
  const flat = [...new Set(types.flatMap(branches))]
  if (Array.isArray(value)) {
    return value.flatMap((each, i) =>
      undeclaredIn(
        flat.flatMap((type) => elementsOf(type, i)),
        each,
        `${path}[${i}]`,
      ),
    )
  }
  if (!isStruct(value) || flat.some((type) => type.kind === 'any')) return []
  return Object.keys(value).flatMap((name) => {
    const declared = flat.flatMap((type) => memberTypes(type, name))
    const at = memberPath(path, name)
    if (declared.length > 0) return undeclaredIn(declared, value[name], at)
    return flat.some((type) => type.kind === 'struct')
      ? [{ path: at, expected: 'no such member', received: 'an undeclared member' }]
      : []
  })
}

function branches(type: WireType): WireType[] {
  if (type.kind === 'ref') return branches(type.type())
  return type.kind === 'union' ? type.branches.flatMap(branches) : [type]
}

function elementsOf(type: WireType, index: number): WireType[] {
  if (type.kind === 'array' || type.kind === 'set') return [type.element]
  if (type.kind === 'tuple') return [type.elements[index] ?? type.rest].filter((element) => element !== undefined)
  return type.kind === 'any' ? [type] : []
}

function memberTypes(type: WireType, name: string): WireType[] {
  if (type.kind === 'map') return [type.value]
  if (type.kind !== 'struct') return []
  const member = type.members.find((each) => each.name === name)
  return member ? [member.type] : type.rest && hasName(type, name) ? [type.rest] : []
}
