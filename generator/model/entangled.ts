import type { TypesByName } from '../../runtime/schema/description.js'
import { namesIn } from '../../runtime/schema/parts.js'
import { discriminantOf } from './discriminant.js'
import type { ModelType } from './model.js'

/**
 * Finds two structs of a union that both contain themselves while no member tells them apart. Whether a value is one or
 * the other would have to be tried at every level again: twice the work for each level that a caller nests.
 */
export function findEntangled(branches: readonly ModelType[], types: TypesByName): readonly string[] {
  if (discriminantOf(branches, types) !== undefined) return []
  const names = branches.flatMap((branch) => (branch.kind === 'ref' ? structsBehind(branch.name, types) : []))
  const recursive = [...new Set(names)].filter((name) => reaches(name, name, types))
  return recursive.length > 1 ? recursive.slice(0, 2) : []
}

function structsBehind(name: string, types: TypesByName): string[] {
  const type = types.get(name)?.type
  if (type?.kind === 'union' && discriminantOf(type.branches, types) === undefined) {
    return type.branches.flatMap((branch) =>
      branch.kind === 'ref' && branch.name !== name ? structsBehind(branch.name, types) : [],
    )
  }
  return type?.kind === 'struct' ? [name] : []
}

function reaches(from: string, target: string, types: TypesByName, seen = new Set<string>()): boolean {
  const type = types.get(from)?.type
  return (type ? namesIn(type) : []).some((name) => {
    if (name === target) return true
    if (seen.has(name)) return false
    seen.add(name)
    return reaches(name, target, types, seen)
  })
}
