import { ts } from 'ts-morph'
import { isPlatformSource } from '../project/platform.js'
import type { OpenProject } from '../project/project.js'
import { type Made, madeOf } from './made.js'
import { mappedOf } from './mapped.js'
import { hasParameter } from './outcomes.js'
import { bareValue, containedNode } from './type-nodes.js'

/**
 * How the type of a member is written that nothing declares: one of `{ [K in 'a' | 'b']: Age }`, or of `Record<'a' | 'b', Age>` by
 * the text of the whole type. Undefined where the text says another type.
 */
export function listedNode(
  property: ts.Symbol,
  whole: ts.TypeNode | undefined,
  { checker, program }: OpenProject,
): ts.TypeNode | undefined {
  const made = keptOrigin(property, checker)
  const { declaration } = made?.mappedType ?? {}
  if (!declaration?.type) return undefined
  const node = isPlatformSource(declaration.getSourceFile(), program)
    ? recordedNode(whole, property.name, checker)
    : hasParameter(declaration.type, checker)
      ? undefined
      : declaration.type
  if (!node) return undefined
  const said = checker.getNonNullableType(checker.getTypeFromTypeNode(node))
  return said === checker.getNonNullableType(checker.getTypeOfSymbol(property)) ? node : undefined
}

/** What made a member by its key alone, through whatever kept it since. */
function keptOrigin(property: ts.Symbol, checker: ts.TypeChecker): Made | undefined {
  const made = madeOf(property)
  if (!made.syntheticOrigin) return made
  return mappedOf(property, checker)?.carried === 'kept' ? keptOrigin(made.syntheticOrigin, checker) : undefined
}

/** The Age of `Record<'a' | 'b', Age>`, which may be a part of an intersection. */
function recordedNode(whole: ts.TypeNode | undefined, name: string, checker: ts.TypeChecker): ts.TypeNode | undefined {
  const node = whole && bareValue(whole, checker)
  if (!node || !ts.isIntersectionTypeNode(node)) return containedNode(node, checker)
  const part = node.types.find((each) => checker.getTypeFromTypeNode(each).getProperty(name))
  return recordedNode(part, name, checker)
}

/** The texts of the values of every record that a type is written with. */
export function recordedNodes(node: ts.TypeNode, checker: ts.TypeChecker): ts.TypeNode[] {
  const inner = bareValue(node, checker)
  if (ts.isIntersectionTypeNode(inner)) return inner.types.flatMap((each) => recordedNodes(each, checker))
  const found = ts.isTypeReferenceNode(inner) ? containedNode(inner, checker) : undefined
  return found ? [found] : []
}
