import { matches } from './limits.js'
import type { ArrayBranch, ObjectBranch, Type } from './type.js'
import { elementAt } from './type.js'

type Within = (a: Type, b: Type) => boolean

export function lengthsWithin(a: ArrayBranch, b: ArrayBranch): boolean {
  return a.least >= b.least && a.most <= b.most && (a.unique || !b.unique || a.most <= 1)
}

/** Whether every list of one branch is one of the other. */
export function arraysWithin(a: ArrayBranch, b: ArrayBranch, within: Within): boolean {
  if (!lengthsWithin(a, b)) return false
  const places = Math.min(a.most, Math.max(a.prefix.length, b.prefix.length) + 1)
  return Array.from({ length: places }).every((_, i) => {
    const own = elementAt(a, i)
    const other = elementAt(b, i)
    return !own || (other !== undefined && within(own, other))
  })
}

/** Whether every object of one branch is one of the other. */
export function objectsWithin(a: ObjectBranch, b: ObjectBranch, within: Within): boolean {
  const isSent = ([name, { required }]: [string, { readonly required: boolean }]) =>
    !required || a.members.get(name)?.required === true
  if (![...b.members].every(isSent)) return false
  const named = [...a.members].every(([name, { type }]) => takesMember(b, name, type, a, within))
  if (!named || ![...a.patterns].every(([pattern, type]) => takesPattern(b, pattern, type, a, within))) return false
  return typeof a.others === 'string' || takesOthers(b, a.others, a, within)
}

function takesMember(b: ObjectBranch, name: string, type: Type, a: ObjectBranch, within: Within): boolean {
  const own = b.members.get(name)
  const matching = [...b.patterns].filter(([pattern]) => matches(pattern, name))
  // What both say of names of a pattern is looked at there.
  if (!matching.every(([pattern, each]) => a.patterns.has(pattern) || within(type, each))) return false
  if (own) return within(type, own.type)
  return matching.length > 0 || takenByOthers(b, type, within)
}

function takenByOthers({ others }: ObjectBranch, type: Type, within: Within): boolean {
  if (others === 'dropped') return true
  return others === 'refused' ? type.branches().length === 0 : within(type, others)
}

function takesPattern(b: ObjectBranch, pattern: string, type: Type, a: ObjectBranch, within: Within): boolean {
  const same = b.patterns.get(pattern)
  const isTaken = same ? within(type, same) : takenByOthers(b, type, within)
  return isTaken && takesUnnamed(b, type, a, within, (name) => matches(pattern, name))
}

function takesOthers(b: ObjectBranch, type: Type, a: ObjectBranch, within: Within): boolean {
  const isOther = (name: string) => ![...a.patterns.keys()].some((pattern) => matches(pattern, name))
  return takenByOthers(b, type, within) && takesUnnamed(b, type, a, within, isOther)
}

/** Members of names that one side does not declare: the other may, and may have patterns for them. */
function takesUnnamed(
  b: ObjectBranch,
  type: Type,
  a: ObjectBranch,
  within: Within,
  has: (name: string) => boolean,
): boolean {
  const declared = [...b.members].filter(([name]) => !a.members.has(name) && has(name))
  const further = [...b.patterns].filter(([pattern]) => !a.patterns.has(pattern))
  return [...declared, ...further.map(([, each]) => ['', { type: each }] as const)].every(([, each]) =>
    within(type, each.type),
  )
}
