import type { TypesByName } from '../../runtime/schema/description.js'
import type { ModelType } from '../model/model.js'

type StructType = Extract<ModelType, { kind: 'struct' }>

/** The members that may tell a struct from another one: literals and templates, also in structs that lie up to `levels` deep in it. */
export function tagsOf({ members }: StructType, types: TypesByName, levels: number): ReadonlySet<string> {
  const tags = members.filter(({ type, optional }) => !optional && isTag(type, types, levels))
  return new Set(tags.map(({ name }) => name))
}

function isTag(type: ModelType, types: TypesByName, levels: number): boolean {
  if (type.kind === 'union') return type.branches.every(isText)
  const target = type.kind === 'ref' ? types.get(type.name)?.type : type
  if (target?.kind !== 'struct') return target !== undefined && isText(target)
  return levels > 0 && tagsOf(target, types, levels - 1).size > 0
}

function isText({ kind }: ModelType): boolean {
  return kind === 'literal' || kind === 'template'
}
