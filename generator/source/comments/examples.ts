// Examples in comments as data, if their arguments are literals. Other examples are shown as text:
//
//   @example add(1, 2) // 3  →  { params: [1, 2], result: [3] }
import { ts } from 'ts-morph'
import { minArguments, parameterLists, type TypesByName } from '../../../runtime/description/description.js'
import { fits } from '../../../runtime/description/json-types.js'
import type { DocComment } from '../../doc-comments/index.js'
import type { ExampleModel, ParamModel, ProcedureModel } from '../../model/model.js'
import { syntaxErrorsIn } from '../program/sources.js'

/**
 * Returns the `@example` tags of a comment: the text, and for a call of literals the values too. `names` are those
 * of the function: calls of other functions have no values.
 */
export function resolveExamples({ tags }: DocComment, names: ReadonlySet<string>): ExampleModel[] {
  return tags
    .filter(({ name, text }) => name === 'example' && text !== '')
    .map(({ text }) => ({ text, ...callIn(withoutFence(text), names) }))
}

/** More brackets than in any example for people: parsers use one stack level for each. */
const MAX_BRACKETS = 500

/** Removes the fence around an example and the caption above it. */
function withoutFence(text: string): string {
  const fenced = /^```[^\n]*\n([\s\S]*?)\n```/m.exec(text)?.[1] ?? text
  return fenced.replace(/^\s*<caption>.*<\/caption>\s*$/m, '')
}

/** Returns the first call in the text if all its arguments are literals, and the result in the comment after it. */
function callIn(text: string, names: ReadonlySet<string>): Omit<ExampleModel, 'text'> {
  if (text.split(/[[{(]/).length > MAX_BRACKETS) return {}
  const source = ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true)
  const call = isWellFormed(source) ? firstCall(source, names) : undefined
  const params = call?.arguments.map(literalOf)
  if (!call || !params || params.includes(noValue)) return {}
  const result = resultAfter(call, text)
  return result === noValue ? { params } : { params, result: [result] }
}

function firstCall(source: ts.SourceFile, names: ReadonlySet<string>): ts.CallExpression | undefined {
  const find = (node: ts.Node): ts.CallExpression | undefined =>
    ts.isCallExpression(node) && names.has(calledName(node) ?? '') ? node : ts.forEachChild(node, find)
  return find(source)
}

/** `create` of `create(…)`, `user.create(…)`, `rpc['user.create'](…)`. */
function calledName({ expression }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text
  if (!ts.isElementAccessExpression(expression)) return undefined
  return ts.isStringLiteralLike(expression.argumentExpression) ? expression.argumentExpression.text : undefined
}

/** `add(1, 2) // 3`, `// => 3`, `// → 3`, `// returns 3`. */
function resultAfter(call: ts.CallExpression, text: string): unknown {
  const after = /^[;)\s]*\/\/\s*(?:(?:=>|→|->|returns?:?)\s*)?(.+)$/m.exec(text.slice(call.end))
  return after?.index === 0 ? literalIn(after[1]?.trim().replace(/[.;]$/, '') ?? '') : noValue
}

/** Returns the JSON form of a text that is one literal; `noValue` for another text. */
export function literalIn(text: string): unknown {
  if (text.split(/[[{(]/).length > MAX_BRACKETS) return noValue
  const source = ts.createSourceFile('result.ts', `(${text})`, ts.ScriptTarget.Latest)
  const [statement, ...others] = source.statements
  const isOne = statement && others.length === 0 && ts.isExpressionStatement(statement)
  return isOne && isWellFormed(source) ? literalOf(statement.expression) : noValue
}

/** True if a text is well-formed: prose after a comment's slashes is not. */
function isWellFormed(source: ts.SourceFile): boolean {
  return syntaxErrorsIn(source).length === 0
}

/** What `literalOf` returns for an expression that is not a literal. */
export const noValue: unique symbol = Symbol('no value')

/** Returns the JSON form of a literal; `noValue` for another expression. */
export function literalOf(node: ts.Expression): unknown {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return literalOf(node.expression)
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number.isFinite(Number(node.text)) ? Number(node.text) : noValue
  if (ts.isBigIntLiteral(node)) return node.text.slice(0, -1)
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) return negative(node.operand)
  if (ts.isArrayLiteralExpression(node)) return listValue(node.elements.map(literalOf))
  if (ts.isObjectLiteralExpression(node)) return objectValue(node)
  if (ts.isNewExpression(node)) return constructedValue(node)
  return keywordValue(node)
}

function keywordValue(node: ts.Expression): unknown {
  switch (node.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return true
    case ts.SyntaxKind.FalseKeyword:
      return false
    case ts.SyntaxKind.NullKeyword:
      return null
    default:
      return ts.isIdentifier(node) && node.text === 'undefined' ? null : noValue
  }
}

function negative(operand: ts.Expression): unknown {
  const value = literalOf(operand)
  if (typeof value === 'number') return -value
  return ts.isBigIntLiteral(operand) ? `-${value}` : noValue
}

function listValue(values: readonly unknown[]): unknown {
  return values.includes(noValue) ? noValue : values
}

function objectValue({ properties }: ts.ObjectLiteralExpression): unknown {
  const entries = properties.map((each): [string, unknown] => {
    if (!ts.isPropertyAssignment(each) || ts.isComputedPropertyName(each.name)) return ['', noValue]
    return [each.name.text, literalOf(each.initializer)]
  })
  return entries.some(([, value]) => value === noValue) ? noValue : Object.fromEntries(entries)
}

/** `new Date('…')`, `new URL('…')`, `new Set([…])`, `new Map([[…, …]])`, `new Uint8Array([…])`. */
function constructedValue({ expression, arguments: args }: ts.NewExpression): unknown {
  const [value] = (args ?? []).map(literalOf)
  if (!ts.isIdentifier(expression) || value === noValue) return noValue
  switch (expression.text) {
    case 'Date': {
      const date = new Date(value as string | number)
      return Number.isNaN(date.getTime()) ? noValue : date.toISOString()
    }
    case 'URL':
      return typeof value === 'string' && URL.canParse(value) ? new URL(value).href : noValue
    case 'Set':
      return Array.isArray(value) ? [...new Set(value)] : noValue
    case 'Map':
      return Array.isArray(value) && value.every(isPair) ? Object.fromEntries(value) : noValue
    case 'Uint8Array':
      return Array.isArray(value) ? Buffer.from(value as number[]).toString('base64') : noValue
    default:
      return noValue
  }
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}

type ProcedureTypes = Pick<ProcedureModel, 'params' | 'overloads' | 'returns'>

/** Returns the examples of a procedure. Values that do not match its types are left out; the text is kept. */
export function fittingExamples(
  examples: readonly ExampleModel[],
  signed: ProcedureTypes,
  types: TypesByName,
): ExampleModel[] {
  const lists = parameterLists(signed)
  return examples.map((example) => {
    const { text, params: values, result } = example
    const isCall = values !== undefined && lists.some((list) => acceptsArguments(list, values, types))
    const isResult = result === undefined || fits(result[0], signed.returns.type, types)
    return isCall && isResult ? example : { text }
  })
}

/** Null represents an omitted parameter. */
function acceptsArguments(params: readonly ParamModel[], values: readonly unknown[], types: TypesByName): boolean {
  const rest = params.find((param) => param.rest)
  if (values.length < minArguments(params) || (!rest && values.length > params.length)) return false
  return values.every((value, i) => {
    const param = params[i] ?? rest
    return param !== undefined && ((param.optional && value === null) || fits(value, param.type, types))
  })
}
