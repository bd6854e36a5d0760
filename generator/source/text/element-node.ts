import { ts } from 'ts-morph'
import type { Place } from '../problems.js'
import { labelAt } from './accessed.js'
import { isDeclaredAs } from './properties.js'
import { bareValue, containedNode } from './type-nodes.js'

/** How the type of an element of a tuple is written. */
export function elementNode(
  node: ts.TypeNode | undefined,
  index: number,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const tuple = node && bareValue(node, checker)
  const element = tuple && ts.isTupleTypeNode(tuple) ? elementsOf(tuple, checker)[index] : undefined
  if (!element) return undefined
  const type =
    ts.isNamedTupleMember(element) || ts.isRestTypeNode(element) || ts.isOptionalTypeNode(element)
      ? element.type
      : element
  return isRest(element) ? containedNode(type, checker) : type
}

/** The elements of a tuple, with those of the tuples in it; of one that the text does not write out, as many as it has. */
function elementsOf({ elements }: ts.TupleTypeNode, checker: ts.TypeChecker): (ts.TypeNode | undefined)[] {
  return elements.flatMap((each) => {
    if (!isRest(each)) return [each]
    const type = checker.getTypeFromTypeNode(each.type)
    if (!checker.isTupleType(type)) return [each]
    const inner = bareValue(each.type, checker)
    if (ts.isTupleTypeNode(inner)) return elementsOf(inner, checker)
    return checker.getTypeArguments(type as ts.TypeReference).map(() => undefined)
  })
}

function isRest(node: ts.TypeNode): node is ts.RestTypeNode | ts.NamedTupleMember {
  return ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken !== undefined)
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
