import { ts } from 'ts-morph'
import { type Made, madeOf } from './made.js'
import { outcomesOf } from './outcomes.js'

/** Whether the constraints of a member are about what a mapped type makes of it: kept, lost on the way, or about nothing there. */
export type Carried = 'kept' | 'lost' | 'dropped'

/** What a mapped type made of a member; undefined for one that no mapped type made. */
export interface Mapped {
  readonly carried: Carried
  readonly origin: ts.Symbol | undefined
}

export function mappedOf(property: ts.Symbol, checker: ts.TypeChecker): Mapped | undefined {
  const { mappedType, syntheticOrigin, propertyType }: Made = madeOf(property)
  const declaration = mappedType?.declaration
  if (!declaration) return undefined
  const before = syntheticOrigin ? checker.getTypeOfSymbol(syntheticOrigin) : propertyType
  if (!before) return { carried: 'kept', origin: syntheticOrigin }
  const outcomes = outcomesOf(declaration, checker.getNonNullableType(before), checker)
  const same = outcomes.has('own') && isAlike(checker.getTypeOfSymbol(property), before, checker)
  const carried = same ? 'kept' : outcomes.has('own') || outcomes.has('made') ? 'lost' : 'dropped'
  return { carried, origin: syntheticOrigin }
}

/** One type, null, undefined and `readonly` aside; a list of what is mapped is still as long. */
function isAlike(one: ts.Type, other: ts.Type, checker: ts.TypeChecker): boolean {
  const [now, before] = [checker.getNonNullableType(one), checker.getNonNullableType(other)]
  if (now === before) return true
  // `T[K] & {}` is another type to the checker where the member has a brand.
  const both = () => checker.isTypeAssignableTo(now, before) && checker.isTypeAssignableTo(before, now)
  if (now.isUnionOrIntersection() && !(before.flags & ts.TypeFlags.Any) && both()) return true
  if (!checker.isArrayType(now) || !checker.isArrayType(before)) return false
  const [element] = checker.getTypeArguments(now as ts.TypeReference)
  const [elementBefore] = checker.getTypeArguments(before as ts.TypeReference)
  if (!element || !elementBefore) return false
  return isAlike(element, elementBefore, checker) || isMappedFrom(element, elementBefore, checker)
}

function isMappedFrom(type: ts.Type, before: ts.Type, checker: ts.TypeChecker): boolean {
  const properties = checker.getPropertiesOfType(checker.getNonNullableType(type))
  const isKept = (each: ts.Symbol) => {
    const { syntheticOrigin } = madeOf(each)
    return syntheticOrigin !== undefined && syntheticOrigin === before.getProperty(syntheticOrigin.name)
  }
  return properties.length > 0 && properties.every(isKept)
}
