import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from '../model/model.js'

type StructType = Extract<ModelType, { kind: 'struct' }>

/**
 * Returns the members that may tell a struct inside of a branch from another one: literals and templates, also in structs that are up
 * to `levels` deep in it, and what is required where there are none.
 */
export function tagsOf(struct: StructType, types: TypesByName, levels: number): ReadonlySet<string> {
  const tags = struct.members.filter(({ type }) => isTag(type, types, levels))
  const hasTag = tags.some(({ optional }) => !optional)
  return namesOf(hasTag || levels === 0 ? tags : decidingMembers(struct, types, levels))
}

/** Returns the members that may tell a branch from another one: those that it must have, and tags that it may have. */
export function decidingNames(struct: StructType, types: TypesByName, levels: number): ReadonlySet<string> {
  return namesOf(decidingMembers(struct, types, levels))
}

function decidingMembers({ members }: StructType, types: TypesByName, levels: number): StructType['members'] {
  return members.filter(({ type, optional }) => !optional || isTag(type, types, levels))
}

function namesOf(members: StructType['members']): ReadonlySet<string> {
  return new Set(members.map(({ name }) => name))
}

function isTag(type: ModelType, types: TypesByName, levels: number): boolean {
  if (type.kind === 'union') return type.branches.every(isText)
  const target = type.kind === 'ref' ? types.get(type.name)?.type : type
  if (target?.kind !== 'struct') return target !== undefined && isText(target)
  return levels > 0 && target.members.some((each) => !each.optional && isTag(each.type, types, levels - 1))
}

/** True if a list has an element that may tell it from other lists. */
export function hasTag({ elements, required }: Extract<ModelType, { kind: 'tuple' }>, types: TypesByName): boolean {
  return elements.slice(0, required).some((each) => isTag(each, types, 0))
}

function isText({ kind }: ModelType): boolean {
  return kind === 'literal' || kind === 'template'
}
