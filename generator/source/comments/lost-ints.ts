import { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { ModelType } from '../../model/model.js'
import { memberPath } from '../../model/path.js'
import { answersOf } from '../text/answers.js'
import { isInt } from '../types/tagged.js'

/** Arithmetic of Ints in an answer, where the result has a number. */
export interface LostInt {
  readonly node: ts.Expression
  /** From the result: empty for all of it, else such as `.lines[].total`. */
  readonly path: string
}

/** Finds arithmetic of Ints in what an expression answers, also in members and elements, where `type` says `number`. */
export function lostIntsIn(
  expression: ts.Expression,
  type: ModelType,
  types: TypesByName,
  checker: ts.TypeChecker,
  path = '',
): LostInt[] {
  const own = bare(expression)
  const inside = (each: ts.Expression, part: ModelType, step: string) =>
    lostIntsIn(each, part, types, checker, path + step)
  if (ts.isConditionalExpression(own)) {
    return [own.whenTrue, own.whenFalse].flatMap((each) => inside(each, type, ''))
  }
  const branches = flat(type, types)
  if (isArithmetic(own)) {
    return branches.some(({ kind }) => kind === 'number') && isWhole(own, checker) ? [{ node: own, path }] : []
  }
  if (ts.isArrayLiteralExpression(own)) {
    return own.elements.flatMap((each, i) =>
      branches.flatMap((branch) => elementsAt(branch, i).flatMap(([part, step]) => inside(each, part, step))),
    )
  }
  if (ts.isObjectLiteralExpression(own)) {
    return membersOf(own).flatMap(([name, each]) =>
      branches.flatMap((branch) => memberOf(branch, name).flatMap((part) => inside(each, part, memberPath('', name)))),
    )
  }
  const each = mappingOf(own, checker)
  return each ? branches.flatMap((branch) => lostInAnswers(each, branch, inside)) : []
}

type Inside = (each: ts.Expression, part: ModelType, step: string) => LostInt[]

function lostInAnswers({ body }: Mapping, branch: ModelType, inside: Inside): LostInt[] {
  if (branch.kind !== 'array') return []
  return answersOf(body).flatMap((answer) => inside(answer, branch.element, '[]'))
}

/** The branches of a union, with what is behind names. */
function flat(type: ModelType, types: TypesByName): ModelType[] {
  if (type.kind === 'union') return type.branches.flatMap((branch) => flat(branch, types))
  const named = type.kind === 'ref' ? types.get(type.name) : undefined
  return named ? flat(named.type, types) : [type]
}

function elementsAt(type: ModelType, i: number): (readonly [ModelType, string])[] {
  if (type.kind === 'array') return [[type.element, '[]']]
  const element = type.kind === 'tuple' ? type.elements[i] : undefined
  return element ? [[element, `[${i}]`]] : []
}

function membersOf({ properties }: ts.ObjectLiteralExpression): [string, ts.Expression][] {
  return properties.flatMap((each): [string, ts.Expression][] => {
    if (!ts.isPropertyAssignment(each) || ts.isComputedPropertyName(each.name)) return []
    return [[each.name.text, each.initializer]]
  })
}

function memberOf(type: ModelType, name: string): ModelType[] {
  if (type.kind !== 'struct') return []
  const member = type.members.find((each) => each.name === name)
  return member ? [member.type] : []
}

type Mapping = (ts.ArrowFunction | ts.FunctionExpression) & { readonly body: ts.ConciseBody }

/** What `lines.map((line) => …)` makes of an element, where its type is inferred. */
function mappingOf(expression: ts.Expression, checker: ts.TypeChecker): Mapping | undefined {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return undefined
  const { expression: list, name } = expression.expression
  const [mapping] = expression.arguments
  if (name.text !== 'map' || expression.typeArguments || !mapping) return undefined
  const isFunction = ts.isArrowFunction(mapping) || ts.isFunctionExpression(mapping)
  return isFunction && !mapping.type && checker.isArrayType(checker.getTypeAtLocation(list)) ? mapping : undefined
}

/** Without brackets, and without what leaves a number the number that it is. */
function bare(expression: ts.Expression): ts.Expression {
  const isConst = ts.isAsExpression(expression) && ts.isConstTypeReference(expression.type)
  const isAround = isConst || ts.isParenthesizedExpression(expression) || ts.isSatisfiesExpression(expression)
  return isAround ? bare(expression.expression) : expression
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
