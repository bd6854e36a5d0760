import { ts } from 'ts-morph'
import { madeOf } from './made.js'
import { mappedOf } from './mapped.js'

/** Where a member is declared; one that is renamed on the way (`as`) has its origin only there. */
export function declarationsOf(property: ts.Symbol): readonly ts.Declaration[] {
  return property.declarations ?? madeOf(property).syntheticOrigin?.declarations ?? []
}

/** The one that says the type of a member: of an accessor's two, what is read. */
export function typingOf(declarations: readonly ts.Declaration[]): ts.Declaration | undefined {
  return declarations.find(ts.isGetAccessor) ?? declarations[0]
}

/**
 * Those whose comments are about the values of a member: all of an intersection's and of an interface that is declared twice;
 * the comment of an accessor may stand before either of the two. What is picked of a union meets one of them, and each says of
 * values of its own. What a mapped type made another type of has none.
 */
export function sayingOf(property: ts.Symbol, checker: ts.TypeChecker): readonly ts.Declaration[] {
  const mapped = mappedOf(property, checker)
  if (mapped && mapped.carried !== 'kept') return []
  const { containingType, target } = madeOf(property)
  const before = mapped?.origin ?? (containingType ? undefined : target)
  if (before) return sayingOf(before, checker)
  if (!containingType) return declarationsOf(property)
  return [...new Set(partsOf(property, checker).flatMap((each) => sayingOf(each, checker)))]
}

/** The member that a mapped type made this one of, and whose constraints it does not keep. */
export function losingOf(property: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const mapped = mappedOf(property, checker)
  const { containingType, target } = madeOf(property)
  const before = mapped?.origin ?? (containingType ? undefined : target)
  if (mapped?.carried === 'dropped') return []
  if (mapped?.carried === 'lost') return before ? [before] : []
  if (before) return losingOf(before, checker)
  return partsOf(property, checker).flatMap((each) => losingOf(each, checker))
}

/** The members of the types that an intersection or a union has a member of. */
function partsOf(property: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const { types = [] } = madeOf(property).containingType ?? {}
  return types.flatMap((each) => checker.getPropertyOfType(each, property.name) ?? [])
}

/** The members of the branches that a member is taken of, through whatever mapped it; none where it is not of a union. */
export function alternativesOf(property: ts.Symbol, checker: ts.TypeChecker): ts.Symbol[] {
  const { containingType, syntheticOrigin, target } = madeOf(property)
  const origin = syntheticOrigin ?? target
  if (!containingType) return origin ? alternativesOf(origin, checker) : []
  return containingType.isUnion() ? partsOf(property, checker) : []
}

/** What says the type of a member: a parameter of a constructor may be one, and an accessor is read as one. */
export function isTyped(node: ts.Node): boolean {
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node) || ts.isAccessor(node)
}

/** Whether a declaration says this type, null and undefined aside: a mapped type keeps it and may make another of it. */
export function isDeclaredAs(declaration: ts.Node, type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.getNonNullableType(checker.getTypeAtLocation(declaration)) === checker.getNonNullableType(type)
}
