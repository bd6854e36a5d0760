// Whether a value is of a type: true for one that is, by turns of eight objects, so that none is looked at twice in a row.
import { values } from '../work/values.mjs'

export function prepare({ accepts }, name) {
  const check = accepts(name)
  if (!check) return undefined
  if (check(withoutOneMember(values[name]))) throw new Error('a value that lacks a member is accepted')
  const all = Array.from({ length: 8 }, () => structuredClone(values[name]))
  return (i) => check(all[i & 7])
}

/** The last thing in it that a checker comes to. */
function withoutOneMember(value) {
  const copy = structuredClone(value)
  const list = copy.items ?? copy.shapes
  const [name] = Object.keys(list?.at(-1) ?? copy).slice(-1)
  delete (list?.at(-1) ?? copy)[name]
  return copy
}
