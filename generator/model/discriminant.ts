import { mapParts } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import type { MemberOf, StructType } from '../../runtime/values/types.js'
import { inOrder } from './ambiguity.js'
import { flatten } from './forms.js'
import type { ModelType, NameRef } from './model.js'

type Struct = StructType<NameRef>

/** The member by whose literal the structs of a union are told apart, whatever else is in it; undefined where there is none. */
export function discriminantOf(branches: readonly ModelType[], types: TypesByName): string | undefined {
  const structs = branches.filter((branch) => mayHaveMembers(branch, types)).map((branch) => structOf(branch, types))
  if (structs.length < 2 || structs.includes(undefined)) return undefined
  const [first, ...others] = structs as Struct[]
  return first?.members.find(({ name }) => tellsApart(name, [first, ...others], types))?.name
}

/**
 * Whether a value of a type may be an object with members; no other could be taken for one that has the discriminant. A value of a
 * custom scalar may be one in the process.
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

/** The literals that a struct's member may have; none where it is no required member of literals. */
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

/** The same type, every union in it with its discriminant, or with its branches in the order in which they have to be tried. */
export function withDiscriminants(type: ModelType, types: TypesByName): ModelType {
  const deep = mapParts(type, (each) => withDiscriminants(each, types))
  if (type.kind !== 'union' || deep.kind !== 'union') return deep
  const discriminant = discriminantOf(type.branches, types)
  if (discriminant !== undefined) return { ...deep, discriminant }
  const order = inOrder(type.branches, types)
  return order === type.branches ? deep : { ...deep, branches: order.map((each) => withDiscriminants(each, types)) }
}
