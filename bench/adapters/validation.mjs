// Whether a value is of a type: valid values, alternating between eight objects, so that none is checked twice in a row.
// All types are checked in the process before: a server has many, and optimisations for one may slow down another.
import { values } from '../work/values.mjs'

const types = ['point', 'order', 'shape']
const warmUp = 20_000

export function prepare({ accepts }, name) {
  const check = accepts(name)
  if (!check) return undefined
  if (check(withoutOneMember(values[name]))) throw new Error('a value that lacks a member is accepted')
  checkAll(accepts)
  const all = Array.from({ length: 8 }, () => structuredClone(values[name]))
  return (i) => check(all[i & 7])
}

function checkAll(accepts) {
  const checks = types.map((name) => [accepts(name), structuredClone(values[name])])
  for (let i = 0; i < warmUp; i += 1) {
    for (const [check, value] of checks) check?.(value)
  }
}

/** The last member that a checker reaches. */
function withoutOneMember(value) {
  const copy = structuredClone(value)
  const list = copy.items ?? copy.shapes
  const [name] = Object.keys(list?.at(-1) ?? copy).slice(-1)
  delete (list?.at(-1) ?? copy)[name]
  return copy
}
