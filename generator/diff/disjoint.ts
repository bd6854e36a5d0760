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
    if (lists.length < 2 || haveOtherTexts(lists, ({ constant }) => [constant])) return true
    const [first] = lists[0] ?? []
    const tags = [...(first?.members.keys() ?? [])].filter((name) => first && textsOfTag(first, name)[0] !== undefined)
    return tags.some((name) => {
      return kind === 'object' && haveOtherTexts(lists, (each) => textsOfTag(each, name, steps))
    })
  })
}

/** True if no text is in two lists; what has an undefined text has any. */
function haveOtherTexts(
  lists: readonly (readonly Branch[])[],
  textsOf: (branch: Branch) => readonly (string | undefined)[],
): boolean {
  const seen = new Set<string>()
  return lists.every((list) => {
    const texts = new Set(list.flatMap(textsOf))
    return [...texts].every((text) => text !== undefined && seen.size < seen.add(text).size)
  })
}

/** The constants that a member of an object has in each value. */
function textsOfTag({ members }: Branch, name: string, steps?: Steps): readonly (string | undefined)[] {
  const { type, optional } = members.get(name) ?? {}
  steps?.take(1 + (type?.known?.length ?? 0))
  return !optional && type?.known?.every(isConstant) ? type.known.map(({ constant }) => constant) : [undefined]
}
