import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { narrowed } from '../../model/narrowed.js'
import { memberPath } from '../../model/path.js'
import type { Place } from '../problems.js'
import type { Resolver } from '../resolver.js'

/**
 * Refuses members that an index signature beside them contradicts, as in `{ id: number } & Record<string, string>`: nothing
 * can be assigned to such a type, and no object type can be written that says the same.
 */
export function refuseContradicted(
  type: ts.Type,
  properties: readonly ts.Symbol[],
  place: Place,
  { checker, refuse }: Resolver,
): void {
  for (const info of checker.getIndexInfosOfType(type)) {
    for (const property of properties) {
      if (!isMeant(property.name, info.keyType, checker) || isOneOf(property, info.type, checker)) continue
      const [own, index] = [checker.getTypeOfSymbol(property), info.type].map((each) => checker.typeToString(each))
      const message = `the member is ${own}, and the index signature says that it is ${index}`
      const hint = 'let the index signature say the types of all members, or put its members into one of their own'
      refuse({ ...place, path: memberPath(place.path, property.name) }, 'RPC121', message, hint)
    }
  }
}

/** A member's type together with what the index signature beside it says: `{ a: number } & Record<string, Int>` has an Int. */
export function besideIndex(
  resolved: ModelType,
  { type, model, covers }: Beside,
  place: Place,
  { checker, refuse, typesByName }: Resolver,
  property: ts.Symbol,
): ModelType {
  if (!covers(property.name)) return resolved
  const both = narrowed(resolved, model, typesByName)
  if (both) return both
  const [own, index] = [checker.getTypeOfSymbol(property), type].map((each) => checker.typeToString(each))
  const message = `the member is ${own}, the index signature says ${index} of it, and no type says both on the wire`
  return refuse(place, 'RPC121', message, 'give the member the type that the index signature says')
}

/** An index signature whose type is known. */
export interface Beside {
  readonly type: ts.Type
  readonly model: ModelType
  /** Whether it is about a name. */
  readonly covers: (name: string) => boolean
}

/** Which names the index signatures of a type are about. */
export function coverOf(type: ts.Type, checker: ts.TypeChecker): Beside['covers'] {
  const infos = checker.getIndexInfosOfType(type)
  return (name) => infos.some(({ keyType }) => isMeant(name, keyType, checker))
}

/** Whether an index signature is about a name. */
function isMeant(name: string, key: ts.Type, checker: ts.TypeChecker): boolean {
  if (name.startsWith('__@') || key.flags & ts.TypeFlags.ESSymbolLike) return false
  if (key.flags & ts.TypeFlags.String) return true
  if (key.flags & ts.TypeFlags.Number) return String(Number(name)) === name
  return checker.isTypeAssignableTo(checker.getStringLiteralType(name), key)
}

/** Whether a member's type is one that the index signature lets in; undefined is what leaving the member out means. */
function isOneOf(property: ts.Symbol, index: ts.Type, checker: ts.TypeChecker): boolean {
  const type = checker.getTypeOfSymbol(property)
  const isAbsence = ({ flags }: ts.Type) => property.flags & ts.SymbolFlags.Optional && flags & ts.TypeFlags.Undefined
  const types = type.isUnion() ? type.types : [type]
  return types.every((each) => isAbsence(each) || checker.isTypeAssignableTo(each, index))
}
