import { ts } from 'ts-morph'
import type { Place } from './problems.js'
import { isDeclaredAs } from './properties.js'
import { bareValue, containedNode, labelAt } from './type-nodes.js'

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

/** What the text says of a parameter that is an element of a tuple: of `Parameters<…>`, and of a function in another one. */
export function labelled(
  tuple: ts.Type,
  index: number,
  part: ts.Type,
  checker: ts.TypeChecker,
): Pick<Place, 'declared' | 'typeNode' | 'loose'> {
  const label = labelAt(tuple, index)
  if (!label || !ts.isParameter(label)) return {}
  if (label.dotDotDotToken) return { declared: [label], typeNode: containedNode(label.type, checker) }
  const loose = !isDeclaredAs(label, part, checker)
  return { declared: [label], typeNode: loose ? undefined : label.type, loose }
}
