import { hashOf } from '../cache/fresh.js'
import { keyOf } from './groups.js'
import { type Branch, byName, partsOf, type Type } from './type.js'

/** Types that differ only further inside than this keep the order in which they were declared. */
const deepest = 8

/**
 * Gives branches texts to sort by that know nothing of names or of the order of declarations, so that the same contract
 * is written in the same order.
 */
export function createDigests(): (branch: Branch) => string {
  const known = new Map<string, string>()

  const ofType = (type: Type, depth: number): string => {
    if (depth === 0) return ''
    const key = `${type.group} ${depth}`
    const before = known.get(key)
    if (before !== undefined) return before
    const text = shortened([...new Set(type.branches().map((each) => ofBranch(each, depth)))].sort().join('|'))
    known.set(key, text)
    return text
  }

  const ofBranch = (branch: Branch, depth: number): string => {
    const parts = inOrder(branch).map((part) => ofType(part, depth - 1))
    return `${branch.kind} ${localText(branch)} ${parts.join()}`
  }

  return (branch) => ofBranch(branch, deepest)
}

function inOrder(branch: Branch): Type[] {
  if (branch.kind !== 'object') return partsOf(branch)
  const members = byName(branch.members).map(([, { type }]) => type)
  const patterns = byName(branch.patterns).map(([, type]) => type)
  return [...members, ...patterns, ...(typeof branch.others === 'string' ? [] : [branch.others])]
}

/** What a branch says beside its parts. */
function localText(branch: Branch): string {
  if (branch.kind === 'array') {
    const { prefix, rest, least, most, unique } = branch
    return [prefix.length, rest !== undefined, least, most, unique].join()
  }
  // What has no parts is its own key.
  if (branch.kind !== 'object') return keyOf(branch)
  const members = Array.from(branch.members, ([name, { required }]) => `${name} ${required}`)
  return [...members.sort(), ...[...branch.patterns.keys()].sort(), typeof branch.others].join()
}

function shortened(text: string): string {
  return text.length < 64 ? text : hashOf(text)
}
