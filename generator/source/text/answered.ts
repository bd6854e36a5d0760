import { ts } from 'ts-morph'
import { unaliased } from '../declarations.js'
import type { PlaceText } from '../problems.js'
import { answersOf } from './answers.js'
import { isDeclaredAs, isTyped, sayingOf, typingOf } from './properties.js'
import { containedNode } from './type-nodes.js'
import { typeNodeOf, writtenResult } from './written.js'

/** What a function that does not say its result answers as it stands: another one may say it. */
export function answeredBy(
  declaration: ts.Node | undefined,
  type: ts.Type,
  checker: ts.TypeChecker,
  open: readonly ts.Node[] = [],
): PlaceText | undefined {
  if (!declaration || open.includes(declaration)) return undefined
  const { body } = declaration as { readonly body?: ts.ConciseBody }
  const answers = body ? answersOf(body) : []
  return fitting(
    agreed(answers, checker, (each) => saidOf(each, checker, [...open, declaration])),
    type,
    checker,
  )
}

/** The same of a member of an object literal. */
export function saidOfMember(property: ts.Symbol, type: ts.Type, checker: ts.TypeChecker): PlaceText | undefined {
  const { valueDeclaration: declared } = property
  if (!declared) return undefined
  if (ts.isPropertyAssignment(declared)) return fitting(saidOf(declared.initializer, checker, []), type, checker)
  const value = ts.isShorthandPropertyAssignment(declared) && checker.getShorthandAssignmentValueSymbol(declared)
  return value ? fitting(saidOfName(value, checker, []), type, checker) : undefined
}

/** What is said of another type, as of what a condition narrowed, is about other values. */
function fitting(said: PlaceText | undefined, type: ts.Type, checker: ts.TypeChecker): PlaceText | undefined {
  const { typeNode, declared = [] } = said ?? {}
  if (!said || !declared.every((each) => isDeclaredAs(each, type, checker))) return undefined
  if (!typeNode) return said
  const written = checker.getTypeFromTypeNode(typeNode)
  return checker.getNonNullableType(written) === checker.getNonNullableType(type) ? said : undefined
}

type Saying = (node: ts.Expression) => PlaceText | undefined

function saidOf(node: ts.Expression, checker: ts.TypeChecker, open: readonly ts.Node[]): PlaceText | undefined {
  const again: Saying = (each) => saidOf(each, checker, open)
  const isAround = ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node)
  if (isAround || ts.isAwaitExpression(node)) return again(node.expression)
  if (ts.isAsExpression(node)) return ts.isConstTypeReference(node.type) ? undefined : awaited(node.type, checker)
  if (ts.isConditionalExpression(node)) return agreed([node.whenTrue, node.whenFalse], checker, again)
  if (ts.isCallExpression(node)) return saidOfCall(node, checker, open)
  const symbol = checker.getSymbolAtLocation(nameIn(node))
  if (symbol) return saidOfName(unaliased(symbol, checker), checker, open)
  return ts.isElementAccessExpression(node) ? element(again(node.expression), checker) : undefined
}

/** What says which value an expression is: `order`, `order.n`, `order['n']`. */
function nameIn(node: ts.Expression): ts.Node {
  if (ts.isPropertyAccessExpression(node)) return node.name
  const key = ts.isElementAccessExpression(node) ? node.argumentExpression : undefined
  return key && ts.isStringLiteralLike(key) ? key : node
}

/** `lines[0]` */
function element(list: PlaceText | undefined, checker: ts.TypeChecker): PlaceText | undefined {
  const typeNode = containedNode(list?.typeNode, checker)
  return typeNode && { typeNode }
}

function saidOfCall(node: ts.CallExpression, checker: ts.TypeChecker, open: readonly ts.Node[]): PlaceText | undefined {
  const signature = checker.getResolvedSignature(node)
  const declaration = signature?.getDeclaration()
  const written = writtenResult(declaration)
  const type = signature?.getReturnType()
  if (!type) return undefined
  if (written) return checker.getTypeFromTypeNode(written) === type ? awaited(written, checker) : undefined
  return answeredBy(declaration, checker.getAwaitedType(type) ?? type, checker, open)
}

function saidOfName(symbol: ts.Symbol, checker: ts.TypeChecker, open: readonly ts.Node[]): PlaceText | undefined {
  const { valueDeclaration: declared } = symbol
  if (!declared) return undefined
  if (ts.isBindingElement(declared)) return saidOfPart(declared, checker)
  if (ts.isVariableDeclaration(declared) && !typeNodeOf(declared)) {
    const isConstant = ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const
    return isConstant && declared.initializer ? saidOf(declared.initializer, checker, open) : undefined
  }
  // What a comment demands of a parameter is about what callers send: it may be another value by now.
  if (ts.isParameter(declared) || ts.isVariableDeclaration(declared)) return awaited(typeNodeOf(declared), checker)
  return saidOfProperty(symbol, checker)
}

/** `const { n } = order()` */
function saidOfPart(node: ts.BindingElement, checker: ts.TypeChecker): PlaceText | undefined {
  const { parent, name, propertyName = name } = node
  const isPlain = ts.isObjectBindingPattern(parent) && !node.initializer && !node.dotDotDotToken
  if (!isPlain || !ts.isIdentifier(name) || !ts.isIdentifier(propertyName)) return undefined
  const root = ts.walkUpBindingElementsAndPatterns(node)
  const isConstant = ts.getCombinedNodeFlags(root) & ts.NodeFlags.Const
  const property = checker.getTypeAtLocation(parent).getProperty(propertyName.text)
  if (!property || !(isConstant || ts.isParameter(root))) return undefined
  const said = saidOfProperty(property, checker)
  return isConstant ? said : said && { typeNode: said.typeNode }
}

function saidOfProperty(property: ts.Symbol, checker: ts.TypeChecker): PlaceText | undefined {
  const saying = sayingOf(property, checker).filter(isTyped)
  const declaration = typingOf(saying)
  if (!declaration) return saidOfMember(property, checker.getTypeOfSymbol(property), checker)
  const said = awaited(typeNodeOf(declaration), checker)
  return { ...said, declared: saying }
}

function awaited(typeNode: ts.TypeNode | undefined, checker: ts.TypeChecker): PlaceText | undefined {
  if (!typeNode) return undefined
  const isPromise = checker.getTypeFromTypeNode(typeNode).getSymbol()?.name === 'Promise'
  return isPromise ? awaited(containedNode(typeNode, checker), checker) : { typeNode }
}

/** Of several values only what is said of each of them in the same words; null and undefined are values of nothing. */
function agreed(values: readonly ts.Expression[], checker: ts.TypeChecker, saying: Saying): PlaceText | undefined {
  const isNothing = (node: ts.Expression) => checker.getTypeAtLocation(node).flags & nothing
  const [first, ...others] = values.filter((each) => !isNothing(each)).map(saying)
  const isSame = (each: PlaceText | undefined) =>
    each?.typeNode?.getText() === first?.typeNode?.getText() &&
    each?.typeNode?.getSourceFile() === first?.typeNode?.getSourceFile() &&
    each?.declared?.length === first?.declared?.length &&
    (each?.declared ?? []).every((node, i) => node === first?.declared?.[i])
  return first && others.every((each) => each && isSame(each)) ? first : undefined
}

const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined
