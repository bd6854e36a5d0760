// The errors that @throws documents: whether their classes exist, their codes, and the types of their data:
//
//   @throws OutOfStock, with `code = 410` in the class  →  { code: 410, name: 'OutOfStock', … }
import { ts } from 'ts-morph'
import type { ModelType, ThrowsModel } from '../../model/model.js'
import { isDottedName, type PlacedComment, reportInComment } from '../comments/comments.js'
import { anyMeaning, memberTypeOf, nameInScope, symbolAt, symbolNamed } from '../program/checker.js'
import { missingModuleOf, reportMissing } from '../program/missing.js'
import type { Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isDeclaredByRpcGen } from '../program/sources.js'
import type { Resolver } from '../types/resolver-interface.js'
import { resolveOptional } from '../types/union.js'

/**
 * Reports the errors of a comment whose class does not exist in the file's scope, or whose type does not name classes: no client would
 * know them. A text that begins with a code declares the error by itself.
 */
export function checkThrown(comment: PlacedComment, { checker, problems }: OpenProject): void {
  const { doc, source } = comment
  for (const { name: type, text, line } of doc.throws) {
    if (type === '' || (leadingNumber(type) ?? leadingNumber(text)) !== undefined) continue
    const report = (message: string, hint: string) => reportInComment(comment, { line, message, hint }, problems)
    const names = errorNames(type)
    if (!names) report(`@throws {${type}}: this type does not name the classes of errors`, hintForNames)
    for (const name of names ?? []) {
      if (ts.identifierToKeywordKind(ts.factory.createIdentifier(name)) !== undefined) continue
      const [first = ''] = name.split('.')
      const missing = missingModuleOf(nameInScope(first, source, anyMeaning, checker), checker)
      const symbol = symbolAt(name, source, checker)
      if (missing) reportMissing(missing, problems)
      else if (!symbol || checker.isUnknownSymbol(symbol))
        report(
          `@throws {${name}}: there is no ${name} in this file’s scope`,
          `import the class here, or write its code: @throws {${name}} 404 …; or name no class, for readers only: @throws …`,
        )
    }
  }
}

const hintForNames = 'import the classes and write their names: @throws {A}, or @throws {A | B}'

/** Returns the names of a type that is a name or a union: `A`, `a.B | C`, also in parentheses; undefined for another type. */
function errorNames(type: string): string[] | undefined {
  const [, inner = type] = /^\((.*)\)$/s.exec(type) ?? []
  const names = inner.split(/[|,]/).map((each) => each.trim().replace(/^[!?]/, ''))
  return names.every((each) => isDottedName(each)) ? names : undefined
}

/** Returns the code that a text begins with. */
function leadingNumber(text: string): number | undefined {
  const [digits] = /^-?\d{1,9}(?=[\s.,:;]|$)/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Returns the errors that the `@throws` tags of a comment declare, one for each class. The code is that of the class if it declares one,
 * else the number that the text begins with; two codes that differ are reported. The data type is that of the class; absent if it is
 * unknown.
 */
export function resolveThrows(comment: PlacedComment, place: Place, resolver: Resolver): ThrowsModel[] {
  const { checker, project } = resolver
  return comment.doc.throws.flatMap(({ name: type, text, line }) => {
    const found = (errorNames(type) ?? [type]).flatMap((name) => errorsNamed(name, comment, checker))
    return found.map(({ name, symbol }) => {
      const declared = symbol && errorCode(symbol, checker)
      const written = leadingNumber(name) ?? leadingNumber(text)
      const code = declared ?? written
      if (written !== undefined && written !== code) {
        const message = `@throws {${name}}: the code of the class is ${code}, the text has ${written}`
        reportInComment(
          comment,
          { line, message, hint: 'remove the number, or begin the text with a word' },
          project.problems,
        )
      }
      const data =
        symbol && code !== undefined && isRpcErrorClass(symbol, checker) ? dataOf(symbol, place, resolver) : undefined
      return { name, ...(code === undefined ? {} : { code }), text, ...(data ? { data } : {}) }
    })
  })
}

/** A name in `@throws`. */
interface NamedError {
  readonly name: string
  /** That of the class; absent if there is none. */
  readonly symbol?: ts.Symbol
}

/** Returns the class of a name, which may be dotted, or the classes of an alias; else the name alone. */
function errorsNamed(name: string, { source }: PlacedComment, checker: ts.TypeChecker): readonly NamedError[] {
  const symbol = symbolAt(name, source, checker)
  if (symbol && isClass(symbol)) return [{ name: name.slice(name.lastIndexOf('.') + 1), symbol }]
  if (!symbol || !(symbol.flags & ts.SymbolFlags.TypeAlias)) return [{ name }]
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const classes = (type.isUnion() ? type.types : [type]).flatMap((each) => each.getSymbol() ?? []).filter(isClass)
  return classes.length === 0 ? [{ name }] : classes.map((each) => ({ name: each.name, symbol: each }))
}

function isClass({ flags }: ts.Symbol): boolean {
  return (flags & ts.SymbolFlags.Class) !== 0
}

/** Types that do not describe the data, and those of a generic class. */
const openTypes = ts.TypeFlags.Unknown | ts.TypeFlags.Any | ts.TypeFlags.Instantiable

/**
 * Returns the type of `data` that an RpcError's class declares, resolved like a result, so that it can be serialised. An object without
 * a name has that of the class that declares it: `OutOfStockData`.
 */
function dataOf(symbol: ts.Symbol, place: Place, resolver: Resolver): ModelType | undefined {
  const { checker } = resolver
  const type = dataTypeOf(symbol, checker)
  const parts = type?.isUnion() ? type.types : [type]
  if (!type || parts.some((each) => each && each.flags & openTypes)) return undefined
  const at = { ...place, path: `${place.path} @throws ${symbol.name}` }
  const resolved = resolveOptional(type, at, resolver)
  const unnamed = (resolved.kind === 'union' ? resolved.branches : [resolved]).filter(
    (each) => each.kind === 'ref' && resolver.table.byKey.get(each.name)?.anonymous,
  )
  const [only] = unnamed
  if (only?.kind === 'ref' && unnamed.length === 1) {
    const owner = declaringClass(symbol, type, checker)
    resolver.table.rename(only.name, `${owner.name}Data`, owner)
  }
  return resolved
}

function dataTypeOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Type | undefined {
  return memberTypeOf(checker.getDeclaredTypeOfSymbol(symbol), 'data', checker)
}

/** The first of a class and its base classes that has this type of data. */
function declaringClass(symbol: ts.Symbol, type: ts.Type, checker: ts.TypeChecker): ts.Symbol {
  const above = baseClassOf(symbol, checker)
  return above && dataTypeOf(above, checker) === type ? declaringClass(above, type, checker) : symbol
}

/** True for RpcError and its subclasses: the data of other errors is not sent. */
function isRpcErrorClass(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (isDeclaredByRpcGen(symbol) && symbol.name === 'RpcError') return true
  const above = baseClassOf(symbol, checker)
  return above !== undefined && isRpcErrorClass(above, checker)
}

/** Returns the code of `override readonly code = 410`, of `super(410, …)`, or of the base class. */
function errorCode(symbol: ts.Symbol, checker: ts.TypeChecker): number | undefined {
  const declaration = declarationOf(symbol)
  const type = declaration && memberTypeOf(checker.getDeclaredTypeOfSymbol(symbol), 'code', checker)
  const own = type && numberLiteral(type)
  if (own !== undefined) return own
  const above = baseClassOf(symbol, checker)
  if (!declaration || !above) return undefined
  const given = above.name === 'RpcError' && isDeclaredByRpcGen(above) ? firstOfSuper(declaration) : undefined
  return given ? numberLiteral(checker.getTypeAtLocation(given)) : errorCode(above, checker)
}

function numberLiteral(type: ts.Type): number | undefined {
  return type.isNumberLiteral() ? type.value : undefined
}

function declarationOf({ valueDeclaration: own }: ts.Symbol): ts.ClassDeclaration | undefined {
  return own && ts.isClassDeclaration(own) ? own : undefined
}

function baseClassOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol | undefined {
  const [base] =
    declarationOf(symbol)?.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? []
  return base && symbolNamed(base.expression, checker)
}

function firstOfSuper({ members }: ts.ClassDeclaration): ts.Expression | undefined {
  const calls = (members.find(ts.isConstructorDeclaration)?.body?.statements ?? []).flatMap((statement) => {
    const call = ts.isExpressionStatement(statement) ? statement.expression : undefined
    return call && ts.isCallExpression(call) && call.expression.kind === ts.SyntaxKind.SuperKeyword ? [call] : []
  })
  return calls[0]?.arguments[0]
}
