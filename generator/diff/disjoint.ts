import type { Steps } from './steps.js'
import { type Branch, isConstant, itself } from './type.js'

/**
 * True if no value is of two types, by their kinds, by their constants, or by those of a member that each object has. `false` may be wrong: that
 * is the result for types that are not `known`, and members whose types are not. One of them may be the type that is being made.
 */
export function areDisjoint(types: readonly (readonly Branch[] | undefined)[], steps: Steps): boolean {
  const all = types.flatMap((branches) => branches ?? itself)
  steps.take(types.length + all.length)
  const kinds = new Set(all.map(({ kind }) => kind))
  if (kinds.has('any') || kinds.has('opaque')) return false
  return [...kinds].every((kind) => {
    const lists = types.map((branches = []) => branches.filter((each) => each.kind === kind)).filter((list) => list[0])
    if (lists.length < 2 || haveOtherValues(lists, ({ value }) => [value])) return true
    const [first] = lists[0] ?? []
    const tags = [...(first?.members.keys() ?? [])].filter((name) => first && valuesOfTag(first, name)[0] !== undefined)
    return tags.some((name) => {
      return kind === 'object' && haveOtherValues(lists, (each) => valuesOfTag(each, name, steps))
    })
  })
}

type Values = readonly Branch['value'][]

/** True if no value is in two lists; what has an undefined value has any. */
function haveOtherValues(lists: readonly (readonly Branch[])[], valuesOf: (branch: Branch) => Values): boolean {
  const seen = new Set<Branch['value']>()
  return lists.every((list) => {
    const values = new Set(list.flatMap(valuesOf))
    return [...values].every((value) => value !== undefined && seen.size < seen.add(value).size)
  })
}

/** The constants that a member of an object has in each value. */
function valuesOfTag({ members }: Branch, name: string, steps?: Steps): Values {
  const { type, optional } = members.get(name) ?? {}
  steps?.take(1 + (type?.known?.length ?? 0))
  return !optional && type?.known?.every(isConstant) ? type.known.map(({ value }) => value) : [undefined]
}
