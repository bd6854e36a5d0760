import { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { ConstraintTags } from '../../docs/index.js'
import type { ModelType } from '../../model/model.js'
import { literalsIn, unmetBy } from '../../model/unmet.js'
import { reportInComment } from '../comments/comments.js'
import type { Place, Problems } from '../problems.js'
import { bareValue } from '../text/type-nodes.js'
import type { Demand } from './demands.js'

type Unfit = ConstraintTags['found'][number]

/** What is judged by. */
export interface Known {
  readonly checker: ts.TypeChecker
  readonly problems: Problems
  readonly types: TypesByName
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/mum$/, 'it is for numbers'],
  [/^multiple/, 'it is for numbers, and not for bigint'],
  [/Length$|^pattern|^format/, 'it is for strings'],
  [/Items$/, 'it is for lists'],
]

export function refuseUnfit({ comment }: Demand, { name, line }: Unfit, problems: Problems): void {
  const hint = hints.find(([names]) => names.test(name))?.[1] ?? ''
  reportInComment(comment, { line, message: `@${name} does not fit the type` }, problems, 'RPC126', { hint })
}

/** Refuses what does not fit, unless the text says it of another type; of an intersection the place where that is written. */
export function refuseMisfit(demand: Demand, unfit: Unfit, type: ModelType, place: Place, known: Known): void {
  if (isNarrowed(demand, place, known.checker)) refuseNarrowed(demand, unfit, type, place, known)
  else if (!place.loose) refuseUnfit(demand, unfit, known.problems)
}

/** Whether one part of an intersection demands what another part leaves no room for: `Slug & ('a' | 'b')`. */
function isNarrowed({ node }: Demand, { typeNode, declared }: Place, checker: ts.TypeChecker): boolean {
  return typeNode !== undefined && !declared?.includes(node) && ts.isIntersectionTypeNode(bareValue(typeNode, checker))
}

/** Literals have no constraints: those that meet what is demanded need none, and the others would be let in. */
function refuseNarrowed(
  { constraints }: Demand,
  { name }: Unfit,
  type: ModelType,
  { node, path }: Place,
  { problems, types }: Known,
): void {
  const literals = literalsIn(type, types)
  if (literals.length === 0 || constraints.format !== undefined) {
    const hint = 'what the other part of the intersection says has no constraints: write it alone'
    problems.at(node, 'RPC126', `@${name} does not fit the type`, { path, hint })
    return
  }
  for (const value of literals) {
    const unmet = unmetBy(value, constraints)
    if (!unmet) continue
    const hint = 'one part of the intersection demands it, and another one says the value: leave that value out'
    const message = `${JSON.stringify(value)} does not meet @${unmet} ${constraints[unmet]}`
    problems.at(node, 'RPC125', message, { path, hint })
  }
}
