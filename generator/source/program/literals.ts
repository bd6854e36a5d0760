// Literals as values of JSON, in code and in comments:
//
//   { at: new Date('2026-01-01'), tags: ['a'] }  →  { at: '2026-01-01T00:00:00.000Z', tags: ['a'] }
import { ts } from 'ts-morph'
import { syntaxErrorsIn } from './sources.js'

/** More brackets than in any text for people. */
const MAX_BRACKETS = 500

/** True for a text that is not parsed: parsers use one stack level for each bracket. */
export function isDeeplyNested(text: string): boolean {
  return text.split(/[[{(]/).length > MAX_BRACKETS
}

/** True if a text is well-formed: prose after a comment's slashes is not. */
export function isWellFormed(source: ts.SourceFile): boolean {
  return syntaxErrorsIn(source).length === 0
}

/** Returns the JSON form of a text that is one literal; `noValue` for another text. */
export function literalIn(text: string): unknown {
  if (isDeeplyNested(text)) return noValue
  const source = ts.createSourceFile('result.ts', `(${text})`, ts.ScriptTarget.Latest)
  const [statement, ...others] = source.statements
  const isOne = statement && others.length === 0 && ts.isExpressionStatement(statement)
  return isOne && isWellFormed(source) ? literalOf(statement.expression) : noValue
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
  if (keywordValues.has(node.kind)) return keywordValues.get(node.kind)
  return ts.isIdentifier(node) && node.text === 'undefined' ? null : noValue
}

const keywordValues: ReadonlyMap<ts.SyntaxKind, unknown> = new Map([
  [ts.SyntaxKind.TrueKeyword, true],
  [ts.SyntaxKind.FalseKeyword, false],
  [ts.SyntaxKind.NullKeyword, null],
])

function negative(operand: ts.Expression): unknown {
  const value = literalOf(operand)
  if (typeof value === 'number') return -value
  return ts.isBigIntLiteral(operand) ? `-${value}` : noValue
}

function listValue(values: readonly unknown[]): unknown {
  return values.includes(noValue) ? noValue : values
}

/** Returns a property of an object literal by its name, which may be quoted. */
export function propertyNamed(
  name: string,
  { properties }: ts.ObjectLiteralExpression,
): ts.ObjectLiteralElementLike | undefined {
  return properties.find(
    ({ name: key }) => key && (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) && key.text === name,
  )
}

/** Returns the value of a property of an object literal, if it is written as `name: value`. */
export function valueNamed(name: string, object: ts.ObjectLiteralExpression): ts.Expression | undefined {
  const property = propertyNamed(name, object)
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined
}

function objectValue({ properties }: ts.ObjectLiteralExpression): unknown {
  const entries = properties.map((each): [string, unknown] => {
    if (!ts.isPropertyAssignment(each) || ts.isComputedPropertyName(each.name)) return ['', noValue]
    return [each.name.text, literalOf(each.initializer)]
  })
  return entries.some(([, value]) => value === noValue) ? noValue : Object.fromEntries(entries)
}

/** What the classes of the platform make of a literal: `new Date('…')`, `new Map([[…, …]])`. */
const constructed: Readonly<Record<string, (value: unknown) => unknown>> = {
  Date: dateValue,
  URL: (value) => (typeof value === 'string' && URL.canParse(value) ? new URL(value).href : noValue),
  Set: (value) => (Array.isArray(value) ? [...new Set(value)] : noValue),
  Map: (value) => (Array.isArray(value) && value.every(isPair) ? Object.fromEntries(value) : noValue),
  Uint8Array: (value) => (Array.isArray(value) ? Buffer.from(value as number[]).toString('base64') : noValue),
}

function constructedValue({ expression, arguments: args }: ts.NewExpression): unknown {
  const [value, ...others] = (args ?? []).map(literalOf)
  if (!ts.isIdentifier(expression) || value === noValue || others.length > 0) return noValue
  return Object.hasOwn(constructed, expression.text) ? constructed[expression.text]?.(value) : noValue
}

/** Without a zone, a time is that of the machine: the generated text would depend on it. */
function dateValue(value: unknown): unknown {
  const isText = typeof value === 'string' && /^\d{4}(?:-\d\d){0,2}(?:T.+(?:Z|[+-]\d\d:\d\d))?$/.test(value)
  if (typeof value !== 'number' && !isText) return noValue
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? noValue : date.toISOString()
}

function isPair(value: unknown): value is [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string'
}
