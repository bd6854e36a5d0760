import { ts } from 'ts-morph'
import type { ThrowsModel } from '../model/model.js'
import type { PlacedComment } from './comments/comments.js'
import { unaliased } from './declarations.js'
import { isOwn } from './project/own.js'
import type { OpenProject } from './project/project.js'

/** The codes of the errors that this package exports. */
const ownCodes: Readonly<Record<string, number>> = {
  RpcParseError: -32700,
  RpcInsecureRequest: -32700,
  RpcInvalidRequest: -32600,
  RpcMethodNotFound: -32601,
  RpcInvalidParams: -32602,
  RpcInternalError: -32603,
  AuthenticationError: -32098,
  RpcResponseTooLarge: -32097,
  RpcTimeout: -32096,
}

/**
 * What the `@throws` tags of a comment announce, with the code that a caller will see: that of the class, where it is in the
 * file's scope and says one, else the number that the text begins with.
 */
export function resolveThrows({ doc, source }: PlacedComment, { checker }: OpenProject): ThrowsModel[] {
  return doc.throws.map(({ name, text }) => {
    const symbol = /^[\p{ID_Start}_$]/u.test(name) ? inScope(name, source, checker) : undefined
    const code = (symbol && codeOf(symbol, checker)) ?? leadingNumber(name) ?? leadingNumber(text)
    return { name, ...(code === undefined ? {} : { code }), text }
  })
}

function leadingNumber(text: string): number | undefined {
  const [digits] = /^-?\d{1,9}(?=[\s.,:;]|$)/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

function inScope(name: string, source: ts.SourceFile, checker: ts.TypeChecker): ts.Symbol | undefined {
  const found = checker.getSymbolsInScope(source, ts.SymbolFlags.Class | ts.SymbolFlags.Alias)
  const symbol = found.find((each) => each.name === name)
  // An exported class has a symbol of its own in its file.
  return symbol && checker.getExportSymbolOfSymbol(unaliased(symbol, checker))
}

/** `override readonly code = 410`, or `super(410, …)`, or what the class above says. */
function codeOf(symbol: ts.Symbol, checker: ts.TypeChecker): number | undefined {
  if (isOwn(symbol)) return ownCodes[symbol.name]
  const declaration = symbol.valueDeclaration
  if (!declaration || !ts.isClassDeclaration(declaration)) return undefined
  const member = checker.getDeclaredTypeOfSymbol(symbol).getProperty('code')
  const own = member && literal(checker.getTypeOfSymbol(member))
  if (own !== undefined) return own
  const above = baseOf(declaration, checker)
  if (!above) return undefined
  const given = above.name === 'RpcError' && isOwn(above) ? firstOfSuper(declaration) : undefined
  return given ? literal(checker.getTypeAtLocation(given)) : codeOf(above, checker)
}

function literal(type: ts.Type): number | undefined {
  return type.isNumberLiteral() ? type.value : undefined
}

function baseOf({ heritageClauses }: ts.ClassDeclaration, checker: ts.TypeChecker): ts.Symbol | undefined {
  const [base] = heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? []
  const symbol = base && checker.getSymbolAtLocation(base.expression)
  return symbol && unaliased(symbol, checker)
}

function firstOfSuper({ members }: ts.ClassDeclaration): ts.Expression | undefined {
  const calls = (members.find(ts.isConstructorDeclaration)?.body?.statements ?? []).flatMap((statement) => {
    const call = ts.isExpressionStatement(statement) ? statement.expression : undefined
    return call && ts.isCallExpression(call) && call.expression.kind === ts.SyntaxKind.SuperKeyword ? [call] : []
  })
  return calls[0]?.arguments[0]
}
