import { ts } from 'ts-morph'
import type { ModelType, ParamModel } from '../model/model.js'
import type { Declaration, DeclaredNode } from './declarations.js'
import type { Problems } from './problems.js'
import { isInt } from './types/tagged.js'

/** Reports, for `--strict-docs`, what a caller would miss: parameters without a word, and an Int that became a number. */
export function checkStrictDocs(
  { comment, node }: Declaration,
  name: string,
  params: readonly ParamModel[],
  returns: ModelType,
  checker: ts.TypeChecker,
  problems: Problems,
): void {
  for (const param of params) {
    if (comment.doc.params.some((each) => each.name === param.name && each.text !== '')) continue
    problems.at(parameterNode(node, param.name), 'RPC133', `the parameter ${param.name} of ${name} is not documented`, {
      hint: `say what it is: :param ${param.name}: …`,
    })
  }
  const lost = returns.kind === 'number' ? lostInt(node, checker) : undefined
  if (!lost) return
  problems.at(lost, 'RPC134', `${name} counts with Ints, and its inferred result is a number`, {
    hint: 'annotate the result: Int, or number where it is meant',
  })
}

/** The parameter itself, where the function has one of that name. */
function parameterNode(node: DeclaredNode, name: string): ts.Node {
  const parameters = functionOf(node)?.parameters ?? []
  return parameters.find((each) => ts.isIdentifier(each.name) && each.name.text === name) ?? node
}

function functionOf(node: DeclaredNode): ts.FunctionLikeDeclaration | undefined {
  if (!ts.isVariableDeclaration(node)) return node
  const { initializer } = node
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  return isFunction ? initializer : undefined
}

/** An answer of a function without a declared result that is arithmetic of Ints. */
function lostInt(node: DeclaredNode, checker: ts.TypeChecker): ts.Expression | undefined {
  const fn = functionOf(node)
  if (!fn?.body || fn.type || (ts.isVariableDeclaration(node) && node.type)) return undefined
  return answersOf(fn.body).find((each) => isArithmetic(each) && isWhole(each, checker))
}

function answersOf(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return branchesOf(body)
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(...branchesOf(node.expression))
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(body, visit)
  return found
}

/** Both sides of `test ? one : other`. */
function branchesOf(expression: ts.Expression): ts.Expression[] {
  const own = bare(expression)
  return ts.isConditionalExpression(own) ? [...branchesOf(own.whenTrue), ...branchesOf(own.whenFalse)] : [own]
}

function bare(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? bare(expression.expression) : expression
}

/** Operators that make a whole number of whole numbers. */
const whole = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.AmpersandToken,
  ts.SyntaxKind.BarToken,
  ts.SyntaxKind.CaretToken,
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.GreaterThanGreaterThanToken,
])

function isArithmetic(expression: ts.Expression): expression is ts.BinaryExpression | ts.PrefixUnaryExpression {
  if (ts.isPrefixUnaryExpression(expression)) return expression.operator === ts.SyntaxKind.MinusToken
  return ts.isBinaryExpression(expression) && whole.has(expression.operatorToken.kind)
}

/** Whether Ints and whole literals, and at least one Int, are all that an expression is made of. */
function isWhole(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  const parts = partsOf(expression)
  return (
    parts.some((each) => isIntValue(each, checker)) &&
    parts.every((each) => isIntValue(each, checker) || isLiteral(each))
  )
}

function partsOf(expression: ts.Expression): ts.Expression[] {
  const own = bare(expression)
  if (!isArithmetic(own)) return [own]
  return ts.isBinaryExpression(own) ? [...partsOf(own.left), ...partsOf(own.right)] : partsOf(own.operand)
}

function isLiteral(node: ts.Expression): boolean {
  return ts.isNumericLiteral(node) && Number.isInteger(Number(node.text))
}

function isIntValue(node: ts.Expression, checker: ts.TypeChecker): boolean {
  return isInt(checker.getTypeAtLocation(node), checker)
}
