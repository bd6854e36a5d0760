import type { ChangeCode, Said } from './change.js'
import { baseOf, constraintsOf, describeBranch } from './describe.js'
import { constraintCode, directionOf, type Side, typeCode } from './side.js'
import type { Branch, Type } from './type.js'
import type { Within } from './within.js'

/** Compares two types, level by level: what has changed, and which parts are to be compared next, in order. */
export interface Walk {
  readonly side: Side
  readonly isWithin: Within['branch']
  /** Says what has changed; `path` starts from the types that are compared. */
  say(code: ChangeCode, path: string, said: Said): void
  /** Goes on with two types; null of one of them is no difference where it only says that the value may be left out. */
  types(old: Type, now: Type, path: string, optional?: boolean): void
  /** Goes on with two branches at the same place. */
  branches(old: Branch, now: Branch): void
}

/** Scalars of another base are another type; of the same base their constraints differ. */
export function walkLimits(old: Branch, now: Branch, path: string, walk: Walk): void {
  const direction = directionOf(walk.isWithin(now, [old]), walk.isWithin(old, [now]))
  const [one, other] = [baseOf(old), baseOf(now)]
  if (one !== other) {
    walk.say(typeCode(walk.side, direction), path, became(one, other))
    return
  }
  const [before, after] = [limited(old), limited(now)]
  walk.say(constraintCode(walk.side, direction), path, became(before, after))
}

/** `Int >= 1` */
function limited(branch: Branch): string {
  const limits = constraintsOf(branch)
  return `${describeBranch(branch)}${limits && ` ${limits}`}`
}

export function became(old: string, now: string): Said {
  return old === now
    ? { message: `${now} is not what it was`, old, new: now }
    : { message: `${old} became ${now}`, old, new: now }
}
