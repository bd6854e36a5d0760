// The types inside of types, as lists: the branches of a union, and the types that a member or an element has in some branches, each once.
//
//   string | (Int | null)  →  [string, Int, null]
import { memoize } from './cache.js'
import { isStruct, member, type Struct } from './predicates.js'
import type { Keys, LazyType, Member, StructType, UnionType, WireType } from './types.js'

/**
 * Returns the branches of types, with nested unions and references resolved. Without duplicates: they would double at every
 * level of a type that contains itself in two of its branches.
 */
export function flattenUnion(types: readonly WireType[]): readonly WireType[] {
  const [only] = types
  return types.length === 1 && only ? flatten(only) : distinct(types)
}

const flatten = /* @__PURE__ */ memoize((type: WireType): readonly WireType[] =>
  type.kind === 'ref' ? flatten(type.type()) : type.kind === 'union' ? distinct(type.branches) : [type],
)

/** Up to this length, searching a list is faster than a Set. */
export const SHORT = 16

function distinct(types: readonly WireType[]): readonly WireType[] {
  const branches: WireType[] = []
  for (const type of types) {
    for (const branch of flatten(type)) {
      if (branches.length > SHORT) return [...new Set(types.flatMap(flatten))]
      if (!branches.includes(branch)) branches.push(branch)
    }
  }
  return branches
}

/** Returns the only value of a type; undefined for one that has others, or constraints. */
export function literalOf(type: WireType): unknown {
  if (type.constraints) return undefined
  if (type.kind === 'literal') return type.value
  return type.kind === 'bigint' && type.value !== undefined ? BigInt(type.value) : undefined
}

/** Returns the branches of types by what is sent for their values: the wire types of custom scalars instead of these. */
export function flattenSent(types: readonly WireType[]): readonly WireType[] {
  const branches = flattenUnion(types)
  if (!branches.some(({ kind }) => kind === 'custom')) return branches
  return branches.flatMap((each) => (each.kind === 'custom' ? flattenSent([each.wire]) : [each]))
}

/** True if null is the only value of a type on the wire. */
export function isVoid(type: WireType): boolean {
  return flatten(type).every(({ kind }) => kind === 'void' || kind === 'undefined' || kind === 'null')
}

/** Returns the types of a list's element in all branches, each once; empty if no branch has an element at this index. */
export function elementTypes(branches: readonly WireType[], index: number): readonly WireType[] {
  const types: WireType[] = []
  for (const branch of branches) add(types, elementType(branch, index))
  return types
}

function elementType(branch: WireType, index: number): WireType | undefined {
  switch (branch.kind) {
    case 'array':
    case 'set':
      return branch.element
    case 'tuple':
      return branch.elements[index] ?? branch.rest
    case 'any':
      return branch
    default:
      return undefined
  }
}

/** Returns the types of a member in all branches, each once; empty if no branch declares it. */
export function memberTypes(branches: readonly WireType[], name: string): readonly WireType[] {
  const types: WireType[] = []
  for (const branch of branches) add(types, memberType(branch, name))
  return types
}

/** Returns the type of a member of a branch, undefined if it has none. */
export function memberType(branch: WireType, name: string): WireType | undefined {
  switch (branch.kind) {
    case 'map':
      return branch.value
    case 'any':
      return branch
    case 'struct':
      return membersByName(branch).get(name)?.type ?? indexedType(branch, name)
    default:
      return undefined
  }
}

function add(types: WireType[], type: WireType | undefined): void {
  if (type && !types.includes(type)) types.push(type)
}

/** Returns the declared members of a struct by their names. */
export const membersByName = /* @__PURE__ */ memoize(
  (type: StructType<LazyType>): ReadonlyMap<string, Member> =>
    new Map(type.members.map((member) => [member.name, member])),
)

/** Returns the type of an undeclared member: of the last index signature that its name matches, if any. */
export function indexedType({ indexes }: StructType<LazyType>, name: string): WireType | undefined {
  return indexes?.findLast(({ keys }) => matchesKeys(keys, name))?.type
}

/** True if a name is one of the keys of an index signature. */
export function matchesKeys(keys: Keys | undefined, name: string): boolean {
  return !keys || regExp(keys.pattern).test(name)
}

const regExps = /* @__PURE__ */ new Map<string, RegExp>()

/** Returns the regular expression of a type: each source is compiled once. */
export function regExp(source: string): RegExp {
  const known = regExps.get(source)
  if (known) return known
  const made = new RegExp(source)
  regExps.set(source, made)
  return made
}

/** True if null is a value of a type. */
export function hasNull(type: WireType): boolean {
  return flattenUnion([type]).some(({ kind }) => kind === 'null' || kind === 'any')
}

/** Returns the branches that are structs. */
export function structBranches(type: WireType): StructType<LazyType>[] {
  return flattenUnion([type]).filter((branch) => branch.kind === 'struct')
}

/** A union whose structs have a tag. */
export type TaggedUnion = UnionType<LazyType> & { readonly discriminant: string }

const structsByTag = /* @__PURE__ */ memoize((type: TaggedUnion) =>
  indexByTag(structBranches(type), type.discriminant, (struct) => struct),
)

/** True if a type is a union whose structs have a tag. */
export function isTaggedUnion(type: WireType): type is TaggedUnion {
  return type.kind === 'union' && type.discriminant !== undefined
}

/** Returns the struct of a tagged union that has the tag of a value, if there is one. */
export function structByTag(type: TaggedUnion, value: Struct): StructType<LazyType> | undefined {
  return structsByTag(type).get(member(value, type.discriminant))
}

/**
 * Returns the struct of a tagged union that has the tag of a value, undefined if there is none; any other type unchanged.
 */
export function branchByTag(type: WireType, value: unknown): WireType | undefined {
  if (type.kind === 'ref') return branchByTag(type.type(), value)
  return isTaggedUnion(type) && isStruct(value) ? structByTag(type, value) : type
}

/** Returns the branches of a tagged union by the values of their tags; `typeOf` returns the type of a branch. */
export function indexByTag<Branch>(
  branches: readonly Branch[],
  discriminant: string,
  typeOf: (branch: Branch) => WireType,
): ReadonlyMap<unknown, Branch> {
  const byTag = new Map<unknown, Branch>()
  for (const branch of branches) {
    for (const tag of flattenUnion(memberTypes(structBranches(typeOf(branch)), discriminant))) {
      if (tag.kind === 'literal') byTag.set(tag.value, branch)
    }
  }
  return byTag
}
