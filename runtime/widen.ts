import { setMember } from './convert.js'
import type { Param, WireType } from './manifest.js'
import { isStruct, type Struct } from './predicates.js'

/**
 * Integers beyond 2^53 leave the readers as bigint, so that none is rounded in silence. Where a number is declared they
 * become one when a double holds them exactly; else they stay, and are refused. Asked only when `accepts` said no.
 */
export function widenArguments(params: readonly Param[], args: readonly unknown[]): unknown[] {
  const rest = params.at(-1)?.rest ? params.at(-1) : undefined
  return args.map((arg, i) => {
    const type = (params[i] ?? rest)?.type
    return type ? widen(type, arg) : arg
  })
}

function widen(type: WireType, value: unknown): unknown {
  switch (type.kind) {
    case 'ref':
      return widen(type.type(), value)
    case 'double':
    case 'number':
      return typeof value === 'bigint' && BigInt(Number(value)) === value ? Number(value) : value
    case 'array':
      return Array.isArray(value) ? value.map((each) => widen(type.element, each)) : value
    case 'tuple':
      return Array.isArray(value) ? value.map((each, i) => widenWith(type.elements[i] ?? type.rest, each)) : value
    case 'struct':
      return isStruct(value) ? widenMembers(value, (name) => memberType(type.members, name) ?? type.rest) : value
    case 'union':
      return type.branches.reduce((widened, branch) => widen(branch, widened), value)
    default:
      return value
  }
}

function widenWith(type: WireType | undefined, value: unknown): unknown {
  return type ? widen(type, value) : value
}

function widenMembers(value: Struct, typeOf: (name: string) => WireType | undefined): Struct {
  const widened: Struct = {}
  for (const name of Object.keys(value)) setMember(widened, name, widenWith(typeOf(name), value[name]))
  return widened
}

function memberType(members: readonly { name: string; type: WireType }[], name: string): WireType | undefined {
  return members.find((member) => member.name === name)?.type
}
