import { ts } from 'ts-morph'
import type { AuthArgument } from '../../model/model.js'
import { syntaxErrorsIn } from '../program/sources.js'

/** A name in `@auth`, or a call with literals: `isStaff`, `hasRole('clerk')`. */
export interface AuthCall {
  readonly name: string
  /** The arguments with their texts; absent without parentheses. */
  readonly args?: readonly { readonly text: string; readonly value: AuthArgument }[]
  /** Why the arguments cannot be read. */
  readonly wrong?: { readonly message: string; readonly hint: string }
}

/**
 * Parses the text of `@auth` with TypeScript's own parser: names and calls, with commas between them. A name may be a link, so that editors
 * count its import as used: `{@link hasRole}('clerk'), isRobot`.
 */
export function parseAuthTag(text: string): AuthCall[] {
  const plain = text.replace(/\{@link\s+([^\s|}]+)[^}]*\}/g, '$1')
  const source = ts.createSourceFile('auth.ts', `[${plain}\n]`, ts.ScriptTarget.Latest, true)
  const [statement] = source.statements
  const list = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined
  const written = list && ts.isArrayLiteralExpression(list) ? list.elements : []
  const nodes = written.filter((each) => !ts.isOmittedExpression(each))
  const [syntaxError] = syntaxErrorsIn(source)
  // Text beside them is in another statement, or in a comment.
  const isRead = withoutSeparators(nodes.map((each) => each.getText()).join('')) === withoutSeparators(plain)
  if (!syntaxError && isRead) return nodes.length === 0 ? [{ name: '' }] : nodes.map(readCall)
  const reason = syntaxError && ts.flattenDiagnosticMessageText(syntaxError.messageText, ' ')
  return [unreadableCall(`@auth ${plain}: ${reason ?? 'expected names and calls'}`)]
}

/** Removes what may be between names and calls. */
function withoutSeparators(text: string): string {
  return text.replace(/[\s,]/g, '')
}

function unreadableCall(message: string, hint = commaHint): AuthCall {
  return { name: '', args: [], wrong: { message, hint } }
}

const commaHint =
  "write a comma if one of several predicates has to authorise the caller, @auth isRobot, hasRole('clerk'), and a tag for each if all have to"

function readCall(node: ts.Expression): AuthCall {
  const call = ts.isCallExpression(node) ? node : undefined
  const callee = call?.expression ?? node
  const name = callee.getText()
  if (ts.isCallExpression(callee)) {
    const message = `@auth calls what ${callee.expression.getText()}(…) returns`
    const hint = `write it without the last parentheses ${node.getText().slice(name.length)}: the server calls the predicate`
    return { name, args: [], wrong: { message, hint } }
  }
  if (!/^[\p{ID_Continue}$.]+$/u.test(name)) {
    const hint = ts.isObjectLiteralExpression(node) ? 'write the name alone, or {@link isStaff}' : undefined
    return unreadableCall(`@auth: ${name} is not the name of a predicate`, hint)
  }
  return call ? { name, ...readArguments(name, call.arguments) } : { name }
}

const argumentKinds = 'strings, numbers, booleans and lists of them'

function readArguments(name: string, nodes: readonly ts.Expression[]): Omit<AuthCall, 'name'> {
  const args: { text: string; value: AuthArgument }[] = []
  for (const node of nodes) {
    const value = literalArgument(node)
    if (value === undefined) {
      const message = `the argument ${node.getText()} of ${name} is not a literal: @auth supports ${argumentKinds}`
      const hint = `export a predicate that is made with it, const isAllowed = ${name}(…), and name that`
      return { args: [], wrong: { message, hint } }
    }
    args.push({ text: node.getText(), value })
  }
  return { args }
}

function literalArgument(node: ts.Expression): AuthArgument | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return finite(Number(node.text))
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    return ts.isNumericLiteral(node.operand) ? finite(-Number(node.operand.text)) : undefined
  }
  if (!ts.isArrayLiteralExpression(node)) return undefined
  const elements = node.elements.map(literalArgument)
  return elements.includes(undefined) ? undefined : (elements as AuthArgument[])
}

/** JSON has no other numbers: `1e400` is Infinity. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
