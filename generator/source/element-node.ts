import { ts } from 'ts-morph'
import { bareValue, containedNode } from './type-nodes.js'

/** How the type of an element of a tuple is written. */
export function elementNode(
  node: ts.TypeNode | undefined,
  index: number,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const tuple = node && bareValue(node, checker)
  const element = tuple && ts.isTupleTypeNode(tuple) ? tuple.elements[index] : undefined
  if (!element) return undefined
  const isRest = ts.isRestTypeNode(element) || (ts.isNamedTupleMember(element) && element.dotDotDotToken)
  const type =
    ts.isNamedTupleMember(element) || ts.isRestTypeNode(element) || ts.isOptionalTypeNode(element)
      ? element.type
      : element
  return isRest ? containedNode(type, checker) : type
}
