import type { ChangeCode } from './change.js'

/** Params: what callers may send may only grow. Results: what they get may only shrink. */
export type Side = 'param' | 'result'

/** What happened to what a type takes. `changed`: it takes something new, and something old no longer. */
export type Direction = 'narrower' | 'wider' | 'changed'

const typeCodes = {
  narrower: 'type-narrowed',
  wider: 'type-widened',
  changed: 'type-changed',
} as const satisfies Record<Direction, string>

export function typeCode(side: Side, direction: Direction): ChangeCode {
  return `${side}-${typeCodes[direction]}`
}

/** A constraint that is neither closer nor wider breaks, as the one that breaks does. */
export function constraintCode(side: Side, direction: Direction): ChangeCode {
  const closer = direction === 'narrower' || (direction === 'changed' && side === 'param')
  return closer ? `${side}-constraint-tightened` : `${side}-constraint-loosened`
}

export function directionOf(newWithinOld: boolean, oldWithinNew: boolean): Direction {
  if (newWithinOld) return 'narrower'
  return oldWithinNew ? 'wider' : 'changed'
}
