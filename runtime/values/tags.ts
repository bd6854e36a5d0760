// The members that may be tags of the branches of a union that rejected a value: those with literal types, also in structs inside of the branches.
// To look at all members of all branches would take as long as to explain what is wrong.
//
//   { kind: 'a', at: Point, … } | { kind: 'b', … }, { kind: 'x' }  →  the member `kind`: its types "a" and "b", of which none fits
import { memoize } from './cache.js'
import { describeType, type Path } from './describe.js'
import { flattenUnion, structBranches } from './inner-types.js'
import { isStruct, member } from './predicates.js'
import type { LazyType, StructType, UnionType, WireType } from './types.js'

/** A branch of a union that rejects a value, and the paths at which it does. */
export interface Rejecting {
  readonly branch: WireType
  readonly paths: ReadonlySet<Path>
}

/** A member of a value, or of a struct inside of it: its types in all branches that declare it, and the branches that accept it. */
interface TriedMember<Branch> {
  readonly at: Path
  readonly inner: unknown
  readonly types: WireType[]
  readonly fitting: Branch[]
}

/** How deep members are compared between branches. */
const MAX_MEMBER_DEPTH = 4

/** Returns the members that may be tags of several branches of a union, each path once; none for a single branch. */
export function triedMembers<Branch extends Rejecting>(
  type: UnionType<LazyType>,
  rejecting: readonly Branch[],
  value: unknown,
  path: Path,
): readonly TriedMember<Branch>[] {
  const names = tagNamesOf(type)
  if (rejecting.length < 2 || names.size === 0) return []
  const members = new Map<Path, TriedMember<Branch>>()
  const add = (branch: Branch, struct: StructType<LazyType> | null, whole: unknown, outer: Path, depth: number) => {
    if (!struct || !isStruct(whole) || depth === 0) return
    for (const { name, type } of struct.members) {
      if (!names.has(name)) continue
      const at = outer.inner(name)
      const inner = member(whole, name)
      const tried = members.get(at) ?? { at, inner, types: [], fitting: [] }
      members.set(at, tried)
      tried.types.push(type)
      if (!branch.paths.has(at)) tried.fitting.push(branch)
      add(branch, onlyStruct(type), inner, at, depth - 1)
    }
  }
  for (const each of rejecting) add(each, onlyStruct(each.branch), value, path, MAX_MEMBER_DEPTH)
  return [...members.values()]
}

/** Returns the names of the members that may be tags of a union's branches, and of those that contain such members. */
const tagNamesOf = /* @__PURE__ */ memoize((type: UnionType<LazyType>): ReadonlySet<string> => {
  const names = new Set<string>()
  let structs = new Set(type.branches.map(onlyStruct))
  for (let depth = 0; depth < MAX_MEMBER_DEPTH; depth += 1) {
    const members = [...structs].flatMap((each) => each?.members ?? [])
    for (const { name, type } of members) if (onlyStruct(type) || hasLiterals(type)) names.add(name)
    structs = new Set(members.map(({ type }) => onlyStruct(type)))
  }
  return names
})

/** Returns the struct of a type that has no other; null for another type. */
const onlyStruct = /* @__PURE__ */ memoize((type: WireType): StructType<LazyType> | null => {
  const [struct = null, other] = structBranches(type)
  return other ? null : struct
})

/** True if the types of a member differ between the branches, and include literals. */
export function areTags(types: readonly WireType[]): boolean {
  return types.some(hasLiterals) && new Set(types.map(wholeTextOf)).size > 1
}

const hasLiterals = /* @__PURE__ */ memoize((type: WireType): boolean =>
  flattenUnion([type]).some(({ kind }) => kind === 'literal'),
)

/** Returns the whole text of a type, however long. */
const wholeTextOf = /* @__PURE__ */ memoize((type: WireType): string => describeType(type, Infinity))
