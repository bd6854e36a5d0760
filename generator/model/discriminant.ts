import { mapInnerTypes } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { MemberOf, StructType } from '../../runtime/values/types.js'
import { inOrder } from './ambiguity.js'
import { flatten } from './forms.js'
import type { ModelType, NameRef } from './model.js'

type Struct = StructType<NameRef>

/** Returns the member whose literal decides the struct of a union, whatever other branches there are; undefined if there is none. */
export function discriminantOf(branches: readonly ModelType[], types: TypesByName): string | undefined {
  const structs = branches.filter((branch) => mayHaveMembers(branch, types)).map((branch) => structOf(branch, types))
  if (structs.length < 2 || structs.includes(undefined)) return undefined
  const [first, ...others] = structs as Struct[]
  return first?.members.find(({ name }) => tellsApart(name, [first, ...others], types))?.name
}

/**
 * True if a value of a type may be an object with members. Values of other types cannot have the discriminant. In the process a value
 * of a custom scalar may be an object.
 */
export function mayHaveMembers(type: ModelType, types: Pick<TypesByName, 'get'>): boolean {
  return flatten(type, types).some(({ kind }) => ['struct', 'map', 'any', 'custom'].includes(kind))
}

function structOf(type: ModelType, types: TypesByName): Struct | undefined {
  if (type.kind === 'struct') return type
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined
  return named && structOf(named, types)
}

function tellsApart(name: string, structs: readonly Struct[], types: TypesByName): boolean {
  const values = structs.map((struct) => tagsOf(struct, name, types))
  const all = values.flat()
  return values.every((each) => each.length > 0) && new Set(all).size === all.length
}

/** Returns the literals that a struct's member may have; none if it is optional or has other values. */
export function tagsOf(
  struct: Struct,
  name: string,
  types: Pick<TypesByName, 'get'>,
): readonly (string | number | boolean)[] {
  const member = struct.members.find((each): each is MemberOf<NameRef> => each.name === name && !each.optional)
  return member ? literalsOf(member.type, types) : []
}

function literalsOf(type: ModelType, types: Pick<TypesByName, 'get'>): readonly (string | number | boolean)[] {
  if (type.kind === 'literal') return [type.value]
  const named = type.kind === 'ref' ? types.get(type.name)?.type : undefined
  if (named) return literalsOf(named, types)
  if (type.kind !== 'union') return []
  const values = type.branches.map((branch) => literalsOf(branch, types))
  return values.every((each) => each.length > 0) ? values.flat() : []
}

/** Returns the type with the discriminant of every union in it, or with its branches in the order in which they have to be tried. */
export function withDiscriminants(type: ModelType, types: TypesByName): ModelType {
  const deep = mapInnerTypes(type, (each) => withDiscriminants(each, types))
  if (type.kind !== 'union' || deep.kind !== 'union') return deep
  const discriminant = discriminantOf(type.branches, types)
  if (discriminant !== undefined) return { ...deep, discriminant }
  const order = inOrder(type.branches, types)
  return order === type.branches ? deep : { ...deep, branches: order.map((each) => withDiscriminants(each, types)) }
}
