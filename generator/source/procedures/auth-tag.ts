import { ts } from 'ts-morph'
import type { AuthArgument } from '../../model/model.js'

/** A name in `@auth`, or a call with literals: `isStaff`, `hasRole('clerk')`. */
export interface AuthCall {
  readonly name: string
  /** The arguments with their texts; absent without parentheses. */
  readonly args?: readonly { readonly text: string; readonly value: AuthArgument }[]
  /** Why the arguments cannot be read. */
  readonly wrong?: { readonly message: string; readonly hint: string }
}

/**
 * Parses the text of `@auth`: names and calls, with commas between them. A name may be a link, so that editors count its import as used:
 * `{@link hasRole}('clerk'), isRobot`.
 */
export function parseAuthTag(text: string): AuthCall[] {
  const found: AuthCall[] = []
  let rest = text.replace(/\{@link\s+([^\s|}]+)[^}]*\}/g, '$1')
  do {
    const [head = '', name = ''] = /^[\s,]*([^\s,(]*)\s*/.exec(rest) ?? []
    rest = rest.slice(head.length)
    const end = rest.startsWith('(') ? endOf(rest) : 0
    const call = readCall(name, rest.slice(0, end), head === '' ? found.at(-1) : undefined)
    rest = rest.slice(end).replace(/^[\s,]+$/, '')
    const next = /^\s*,|^$/.test(rest) || rest.startsWith('(') ? undefined : rest.trim()
    found.push(next === undefined ? call : { ...call, ...noComma(name, next) })
    if (next !== undefined) break
  } while (rest !== '')
  return found
}

/** One of the two, or both: what stands beside a predicate without a comma has no meaning. */
function noComma(name: string, next: string): Pick<AuthCall, 'wrong'> {
  const message = `@auth has no comma between ${name} and ${next.split(/\s/, 1)}`
  return {
    wrong: {
      message,
      hint: 'write a comma if one of them has to authorise the caller, or a tag for each if all of them have to',
    },
  }
}

/** @param called the call whose result is called, of `hasRole('clerk')()` */
function readCall(name: string, text: string, called: AuthCall | undefined): AuthCall {
  if (called) {
    const message = `@auth calls what ${called.name}(…) returns`
    const hint = `write it without the last parentheses ${text}: the server calls the predicate`
    return { name: called.name, args: [], wrong: { message, hint } }
  }
  return text === '' || name === '' ? { name } : { name, ...parseArguments(name, text) }
}

/** Returns the position after the parenthesis that closes the first one; that of the end if none does. */
function endOf(text: string): number {
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[()]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth === 0) return index + 1
  }
  return text.length
}

const literals = 'strings, numbers, booleans and lists of them'

/** Parses `('clerk', [1, 2])` with TypeScript's own parser. */
function parseArguments(name: string, text: string): Omit<AuthCall, 'name'> {
  const source = ts.createSourceFile('auth.ts', `f${text}`, ts.ScriptTarget.Latest, true)
  const { parseDiagnostics } = source as ts.SourceFile & { readonly parseDiagnostics: readonly ts.Diagnostic[] }
  const [statement, more] = source.statements
  const call = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined
  const [syntaxError] = parseDiagnostics
  if (syntaxError || more || !call || !ts.isCallExpression(call)) {
    const reason = syntaxError ? ts.flattenDiagnosticMessageText(syntaxError.messageText, ' ') : 'it is not a call'
    const message = `@auth ${name}${text}: ${reason}`
    return { args: [], wrong: { message, hint: "write the call as in TypeScript: @auth hasRole('clerk')" } }
  }
  const args: { text: string; value: AuthArgument }[] = []
  for (const node of call.arguments) {
    const value = literalOf(node)
    if (value === undefined) {
      const message = `the argument ${node.getText()} of ${name} is not a literal: @auth supports ${literals}`
      const hint = `export a predicate that is made with it, const isAllowed = ${name}(…), and name that`
      return { args: [], wrong: { message, hint } }
    }
    args.push({ text: node.getText(), value })
  }
  return { args }
}

function literalOf(node: ts.Expression): AuthArgument | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return finite(Number(node.text))
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    return ts.isNumericLiteral(node.operand) ? finite(-Number(node.operand.text)) : undefined
  }
  if (!ts.isArrayLiteralExpression(node)) return undefined
  const elements = node.elements.map(literalOf)
  return elements.includes(undefined) ? undefined : (elements as AuthArgument[])
}

/** JSON has no other numbers: `1e400` is Infinity. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined
}
