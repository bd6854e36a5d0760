import { holds } from './expand.js'
import { keyOf } from './groups.js'
import { numbersWithin, stringsWithin } from './limits.js'
import { isConstant } from './meet.js'
import type { Side } from './side.js'
import type { Branch, Type } from './type.js'
import { isCarriedAs } from './wire-type.js'
import { arraysWithin, objectsWithin } from './within-parts.js'

/** Whether one type takes no value that the other does not. */
export interface Within {
  (a: Type, b: Type): boolean
  /** The same of a branch and some others. */
  branch(a: Branch, union: readonly Branch[]): boolean
}

/** Deeper than any type that people write; whatever lies below is said not to be within. */
const deepest = 300

/**
 * Makes a `Within` over grouped types. Undeclared members are not there: nobody sends them, and whoever gets them ignores
 * them. `true` is always right; `false` may be said of unions that take the same values in parts of another cut. With a
 * side, values have to be of the same type in XML-RPC too.
 */
export function createWithin(xmlSide?: Side): Within {
  const known = new Map<string, boolean>()
  /** What was found true since; holds as long as what was assumed for it does. */
  const trail: string[] = []
  const constants = new Map<string, Type>()
  const key = knownKeys()
  let depth = 0

  /** What contains itself is within while nothing says otherwise. */
  const within = (a: Type, b: Type): boolean => {
    if (a.group === b.group) return true
    const pair = `${a.group} ${b.group}`
    const before = known.get(pair)
    if (before !== undefined) return before
    if (depth > deepest) return false
    const mark = trail.push(pair) - 1
    known.set(pair, true)
    depth += 1
    const is = a.branches().every((branch) => inUnion(branch, b.branches()))
    depth -= 1
    if (!is) {
      for (const each of trail.splice(mark)) known.delete(each)
      known.set(pair, false)
    }
    return is
  }

  const inUnion = (a: Branch, union: readonly Branch[]): boolean =>
    union.some((b) => isWithin(a, b)) ||
    split(a, constants)?.every((each) => union.some((b) => isWithin(each, b))) === true

  const isWithin = (a: Branch, b: Branch): boolean => {
    if (key(a) === key(b)) return true
    if (b.opaque?.some((each) => !a.opaque?.includes(each))) return false
    if (b.kind === 'any') return true
    // Equal ones were found by their keys.
    if (a.kind === 'constant' || b.kind === 'constant') return false
    if (xmlSide && !isCarriedAs(a, b, xmlSide)) return false
    if (isConstant(a)) return holds(b, a)
    if (a.kind === 'number') return b.kind === 'number' && numbersWithin(a, b)
    if (a.kind === 'string') return b.kind === 'string' && stringsWithin(a, b)
    if (a.kind === 'array') return b.kind === 'array' && arraysWithin(a, b, within)
    return a.kind === 'object' && b.kind === 'object' && objectsWithin(a, b, within)
  }

  return Object.assign(within, { branch: inUnion })
}

/** Keys as they are once all is grouped. */
function knownKeys(): (branch: Branch) => string {
  const keys = new WeakMap<Branch, string>()
  return (branch) => {
    const key = keys.get(branch) ?? keyOf(branch)
    keys.set(branch, key)
    return key
  }
}

/** One branch for each value of a member that has few: `{ kind: 'a' | 'b' }` is `{ kind: 'a' } | { kind: 'b' }`. */
function split(branch: Branch, constants: Map<string, Type>): Branch[] | undefined {
  if (branch.kind !== 'object') return undefined
  for (const [name, { type, required }] of branch.members) {
    const values = type.branches()
    if (!required || values.length < 2 || values.length > 64 || !values.every(isConstant)) continue
    return values.map((value) => ({
      ...branch,
      members: new Map(branch.members).set(name, { required, type: constantType(value, constants) }),
    }))
  }
  return undefined
}

/** A type of one value; its group is of no document's. */
function constantType(value: Branch, constants: Map<string, Type>): Type {
  const key = keyOf(value)
  const group = -2 - constants.size
  const type = constants.get(key) ?? { id: group, group, branches: () => [value] }
  constants.set(key, type)
  return type
}
