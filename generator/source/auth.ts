import { ts } from 'ts-morph'
import type { RpcContext } from '../../runtime/call/types.js'
import type { AuthModel, Declared } from '../model/model.js'
import { primitive } from './annotations.js'
import { reportInComment } from './comments/comments.js'
import type { PlacedTag } from './comments/module-tags.js'
import { type Declaration, ownFunction, symbolInScope } from './declarations.js'
import { createImporter, type ImportOf } from './imported.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project/project.js'
import type { Analysis } from './resolver.js'
import { parametersOf } from './signature.js'

/** Returns the predicates in the procedure's own comment, else in its module's. */
export function authOf(declaration: Declaration, name: string, analysis: Analysis): AuthModel | undefined {
  const { comment, node, served, guarded } = declaration
  const { options, problems, project, tagsOf } = analysis
  const tag = comment.doc.tags.find((each) => each.name === 'auth')
  const placed = tag ? { tag, comment } : tagsOf(node.getSourceFile()).auth
  if (placed) return resolveAuth(placed, project, createImporter(declaration, analysis), problems)
  if (!guarded && options.requireAuth) {
    problems.at(node, 'RPC141', `${name} has no auth of its own, and its module has none`, {
      hint: `write @auth isStaff in its doc comment, or @auth public if everyone may call it${served ? '' : '; or pass { auth } where it is registered'}`,
    })
  }
  return undefined
}

/** Why a name in `@auth` cannot be used. */
interface Rejected {
  readonly message: string
  readonly hint: string
}

/**
 * Resolves `@auth isStaff, {@link isAdmin}` to the modules that export the predicates, in the scope of the comment's
 * file. `@auth public` allows everyone: the word is reserved in modules, so a predicate cannot have this name. Reports a name
 * that does not resolve to a predicate.
 */
function resolveAuth(
  { tag, comment }: PlacedTag,
  project: OpenProject,
  importOf: ImportOf,
  problems: Problems,
): AuthModel | undefined {
  const names = tag.text.split(/[\s,]+(?![^{]*\})/).map((name) => name.replace(/^\{@link\s+([^\s|}]+)[^}]*\}$/, '$1'))
  if (names.length === 1 && names[0] === 'public') return 'public'
  const found = names.map((name) => predicateOf(name, comment.source, project, importOf))
  const predicates = found.flatMap((each) => ('message' in each ? [] : [each]))
  for (const each of found) {
    if (!('message' in each)) continue
    reportInComment(comment, { line: tag.line, ...each }, problems, 'RPC140')
  }
  return predicates.length < found.length ? undefined : predicates
}

function missingPredicate(name: string): Rejected {
  if (name === 'false')
    return { message: '@auth false is not supported', hint: 'write @auth public to let everyone call' }
  if (name === 'public') {
    return { message: '@auth public is combined with a predicate', hint: 'write either @auth public or the predicates' }
  }
  if (name === '')
    return { message: '@auth has no predicate', hint: 'name an exported function: @auth isStaff, or @auth public' }
  const message = `there is no exported predicate ${name} in this file’s scope`
  return { message, hint: 'import it here, and export it where it is declared' }
}

function predicateOf(
  name: string,
  source: ts.SourceFile,
  project: OpenProject,
  importOf: ImportOf,
): Declared | Rejected {
  const { checker } = project
  const symbol = symbolInScope(name, source, ts.SymbolFlags.Value, checker)
  const node = symbol?.valueDeclaration
  const type = node && checker.getTypeOfSymbolAtLocation(symbol, node)
  const signatures = type?.getCallSignatures() ?? []
  if (!type || signatures.length === 0) return missingPredicate(name)
  const exported = importOf(symbol, name, source)
  if (!exported)
    return project.program.isSourceFileFromExternalLibrary(source) ? notImportable(name) : missingPredicate(name)
  const hidden = [node, ...signatures.map((each) => each.getDeclaration())].map(hiddenParameter).find(Boolean)
  if (hidden) {
    const message = `the parameter ${hidden.name.getText()} of the predicate ${name} gets no context: ${hiding}`
    return { message, hint: 'declare it without a default: context: RpcContext, or context?: RpcContext' }
  }
  if (signatures.some((signature) => isPredicate(signature, node, project))) return exported
  const message = `the predicate ${name} is ${checker.typeToString(type)}, expected ${expected}`
  return { message, hint: 'declare only the parameters that a server passes: the request, and the context of the call' }
}

function notImportable(name: string): Rejected {
  const message = `the generated module cannot import the predicate ${name} of this package`
  return { message, hint: 'export it where the package exports the function' }
}

const hiding = 'a parameter with a default, or a rest parameter, does not count in the length of a function'

/** Returns what follows the request if a server cannot see it: it passes the context to functions whose length is not 1. */
function hiddenParameter(node: ts.Node | undefined): ts.ParameterDeclaration | undefined {
  const value = node && ts.isVariableDeclaration(node) ? ownFunction(node) : node
  if (!value || !ts.isFunctionLike(value)) return undefined
  const parameters = value.parameters.filter(({ name }) => name.getText() !== 'this')
  const length = parameters.findIndex(({ initializer, dotDotDotToken }) => initializer ?? dotDotDotToken)
  return length === 1 ? parameters[1] : undefined
}

const expected = '(request: Request, context: RpcContext) => unknown'

/** True if a server can call a function as an `AuthPredicate`. The module cannot be relied on for this: it is not type-checked. */
function isPredicate(signature: ts.Signature, node: ts.Node, project: OpenProject): boolean {
  const { checker } = project
  return parametersOf(signature, node, checker).every(({ type: declared, kind, isElement }, i) => {
    const element =
      kind === 'rest' && !isElement ? checker.getIndexTypeOfType(declared, ts.IndexKind.Number) : undefined
    const type = element ?? declared
    if (i === 0) return acceptsRequest(type, project)
    return i === 1 ? acceptsContext(type, checker) : kind !== 'required'
  })
}

/** True if a type accepts the platform's Request; without that type in the program, or if it is generic, true for all but primitive types. */
function acceptsRequest(type: ts.Type, { checker, config }: OpenProject): boolean {
  const symbol = checker.resolveName('Request', undefined, ts.SymbolFlags.Type, false)
  const request = symbol && checker.getDeclaredTypeOfSymbol(symbol)
  // That of Workers has type parameters.
  if (!request || (request.isClassOrInterface() && request.typeParameters)) return !(type.flags & primitive)
  // A type parameter accepts what its constraint accepts.
  if (checker.isTypeAssignableTo(request, checker.getApparentType(type))) return true
  const { strict = true, strictFunctionTypes = strict } = config.compilerOptions
  return !strictFunctionTypes && checker.isTypeAssignableTo(type, request)
}

/** True if a context has every member that a type requires. Compared by name: a program need not contain RpcContext. */
function acceptsContext(type: ts.Type, checker: ts.TypeChecker): boolean {
  const members = checker.getPropertiesOfType(checker.getNonNullableType(type))
  return members.every(({ name, flags }) => flags & ts.SymbolFlags.Optional || Object.hasOwn(contextMembers, name))
}

const contextMembers: { readonly [Name in keyof RpcContext]: true } = {
  ...{ method: true, id: true, params: true, request: true, honoContext: true, env: true, executionContext: true },
  ...{ transport: true, server: true, protocol: true, procedure: true, authResult: true, signal: true, notify: true },
}
