import type { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/** Whether the parts of an intersection contradict each other, as `{ k: 'a' } & { k: 'b' }`: TypeScript takes it for never. */
export function isContradictory(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isIntersection() || checker.getPropertiesOfType(type).length > 0) return false
  return checker.typeToString(type) === 'never'
}

export function refuseContradictory(type: ts.Type, place: Place, { checker, refuse }: Resolver): ModelType {
  const found = type.isIntersection() ? contradiction(type.types, checker) : undefined
  const why = found ? `: its member ${found.name} would be ${found.types.join(' and ')}` : ''
  const hint =
    'an intersection has to meet all of its parts: write a union (|), or Omit the member of all parts but one'
  return refuse(place, 'RPC121', `no value is of this type${why}`, hint)
}

interface Contradiction {
  readonly name: string
  readonly types: readonly string[]
}

/** The member of two parts that has no value in common. */
function contradiction(parts: readonly ts.Type[], checker: ts.TypeChecker): Contradiction | undefined {
  for (const [i, one] of parts.entries()) {
    for (const a of checker.getPropertiesOfType(one)) {
      const here = checker.getTypeOfSymbol(a)
      const others = parts.slice(i + 1).flatMap((part) => checker.getPropertyOfType(part, a.name) ?? [])
      const other = others.map((b) => checker.getTypeOfSymbol(b)).find((there) => !haveCommon(here, there, checker))
      if (other) return { name: a.name, types: [here, other].map((each) => checker.typeToString(each)) }
    }
  }
  return undefined
}

function haveCommon(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [some, others] = [one, other].map((each) => (each.isUnion() ? each.types : [each])) as [ts.Type[], ts.Type[]]
  return some.some((a) => others.some((b) => checker.isTypeAssignableTo(a, b) || checker.isTypeAssignableTo(b, a)))
}
