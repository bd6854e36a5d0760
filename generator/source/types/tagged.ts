import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isOwn } from '../own.js'
import type { Place } from '../problems.js'
import type { ResolveKind, Resolver } from '../resolver.js'

/** Int and Double by their tag, which only this package declares; else a brand of the user's over a primitive. */
export const resolveTagged: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const primitive = type.types.find((part) => part.flags & carried)
  if (!primitive) return undefined
  return resolver.checker.getPropertiesOfType(type).map(ownTag).find(Boolean) ?? brand(type, primitive, place, resolver)
}

/** Whether a type is the Int of this package. */
export function isInt(type: ts.Type, checker: ts.TypeChecker): boolean {
  return type.isIntersection() && checker.getPropertiesOfType(type).some((each) => ownTag(each)?.kind === 'int')
}

const carried = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike | ts.TypeFlags.BooleanLike

function ownTag(property: ts.Symbol): ModelType | undefined {
  const declaration = property.valueDeclaration
  if (!declaration || !ts.isPropertySignature(declaration) || !isOwn(property)) return undefined
  const name = declaration.name.getText()
  if (name === '[intTag]') return { kind: 'int' }
  return name === '[doubleTag]' ? { kind: 'double' } : undefined
}

/** A branded primitive is the primitive on the wire, and a type of its own to TypeScript. */
function brand(type: ts.Type, primitive: ts.Type, place: Place, resolver: Resolver): ModelType {
  return resolver.named(type, place, (at) => resolver.resolve(primitive, at))
}
