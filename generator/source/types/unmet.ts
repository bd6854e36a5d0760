import type { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { literalsIn, unmetBy } from '../../model/unmet.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'
import { declarationsOf } from '../text/properties.js'

/**
 * Refuses a literal of one part of an intersection that misses what another part demands, as in `{ age: Age } & { age: 1 }`:
 * a literal has no constraints, and would be let in.
 */
export function refuseUnmet(
  property: ts.Symbol,
  type: ts.Type,
  resolved: ModelType,
  place: Place,
  resolver: Resolver,
): void {
  if (declarationsOf(property).length < 2) return
  for (const value of literalsIn(resolved, resolver.typesByName)) {
    const base: ModelType = { kind: typeof value === 'string' ? 'string' : 'number' }
    const { constraints } = resolver.constrainer.apply(base, type, { ...place, loose: true })
    const name = constraints && unmetBy(value, constraints)
    if (!name) continue
    const hint = 'one part of the intersection demands it, and another one says the value: Omit the member of one'
    resolver.refuse(place, 'RPC125', `${JSON.stringify(value)} does not meet @${name} ${constraints[name]}`, hint)
  }
}
