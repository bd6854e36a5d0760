import { ts } from 'ts-morph'
import type { ModelType } from '../../model/model.js'
import { isOwn } from '../own.js'
import type { ResolveKind, Resolver } from '../resolver.js'

/**
 * Int and Double by their tag, which only this package declares, and brands of the user's over them or over a primitive: on
 * the wire what they are over, to TypeScript types of their own.
 */
export const resolveTagged: ResolveKind = (type, place, resolver) => {
  if (!type.isIntersection()) return undefined
  const primitive = type.types.find((part) => part.flags & carried)
  if (!primitive) return undefined
  const tag = resolver.checker.getPropertiesOfType(type).map(ownTag).find(Boolean)
  if (!tag) return resolver.named(type, place, (at) => resolver.resolve(primitive, at))
  return hasBrand(type, primitive, resolver) ? resolver.named(type, place, () => tag) : tag
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

/** Whether there is more to a tagged number than its tag. */
function hasBrand({ types }: ts.IntersectionType, primitive: ts.Type, { checker }: Resolver): boolean {
  const others = types.filter((part) => part !== primitive)
  return others.some((part) => checker.getPropertiesOfType(part).some((property) => !ownTag(property)))
}
