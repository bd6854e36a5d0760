import { holds } from './expand.js'
import { isConstant } from './meet.js'
import { type ArrayBranch, type Branch, elementAt, type ObjectBranch, type Type } from './type.js'

/** Parts further inside than this are not looked at. */
const deepest = 4

/** Whether no value is of both branches. `true` is always right; `false` may be said of branches that have none in common. */
export function isDisjoint(a: Branch, b: Branch, depth = 0): boolean {
  if (a.kind === 'any' || b.kind === 'any') return false
  if (isConstant(a)) return !mayHold(b, a)
  if (isConstant(b)) return !mayHold(a, b)
  if (a.kind === 'number' && b.kind === 'number') return a.most < b.least || b.most < a.least
  if (a.kind === 'string' && b.kind === 'string') return a.most < b.least || b.most < a.least
  if (a.kind === 'array' && b.kind === 'array') return areListsApart(a, b, depth)
  if (a.kind === 'object' && b.kind === 'object') return areObjectsApart(a, b, depth)
  return true
}

/** Which formats a text has is not looked into, nor are lists and objects of one value. */
function mayHold(branch: Branch, constant: Branch): boolean {
  if (branch.kind === 'string' && branch.formats.length > 0) return constant.kind === 'literal'
  return constant.kind === 'constant' || holds(branch, constant)
}

function areTypesApart(a: Type | undefined, b: Type | undefined, depth: number): boolean {
  if (!a || !b || depth >= deepest) return false
  return a.branches().every((one) => b.branches().every((other) => isDisjoint(one, other, depth + 1)))
}

function areListsApart(a: ArrayBranch, b: ArrayBranch, depth: number): boolean {
  if (a.most < b.least || b.most < a.least) return true
  const places = Math.min(Math.max(a.least, b.least), Math.max(a.prefix.length, b.prefix.length) + 1)
  return Array.from({ length: places }).some((_, i) => areTypesApart(elementAt(a, i), elementAt(b, i), depth))
}

/** A member that both have always, as a discriminant is. */
function areObjectsApart(a: ObjectBranch, b: ObjectBranch, depth: number): boolean {
  return [...a.members].some(([name, { type, required }]) => {
    const other = b.members.get(name)
    return required && other?.required === true && areTypesApart(type, other.type, depth)
  })
}
