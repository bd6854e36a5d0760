import { explain } from './explain.js'
import type { Param } from './param.js'
import { replaceArguments } from './widen.js'
import type { WireType } from './wire-type.js'

/**
 * Replaces empty lists by empty structs where a struct or a record without required members is declared, and no list: PHP has
 * one type for both, and sends an empty one as a list. Returns `args` itself where there is nothing to replace.
 */
export function emptyListsToStructs(params: readonly Param[], args: readonly unknown[]): readonly unknown[] {
  return replaceArguments(params, args, (value, branches) =>
    typeof value === 'object' && !branches.some(acceptsList) && branches.some(acceptsEmptyStruct) ? {} : value,
  )
}

function acceptsList({ kind }: WireType): boolean {
  return kind === 'array' || kind === 'set' || kind === 'tuple' || kind === 'any'
}

function acceptsEmptyStruct(type: WireType): boolean {
  return type.kind === 'map' || (type.kind === 'struct' && explain(type, {}, '').length === 0)
}
