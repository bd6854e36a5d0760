// The predicates that @auth of a procedure or its module names, which the generated module imports: whether they exist, and whether a server can
// call them. One tag is one rule: a predicate, or several of which one has to authorise; several tags all have to authorise.
//
//   @auth isAdmin, hasRole('editor')  →  [[{ name: 'isAdmin', … }, { name: 'hasRole', args: ['editor'], … }]]
import { ts } from 'ts-morph'
import type { RpcContext } from '../../../runtime/call/types.js'
import type { AuthArgument, AuthModel, AuthScheme, Declared, PredicateModel } from '../../model/model.js'
import { reportInComment } from '../comments/comments.js'
import { inheritTags, type PlacedTag } from '../comments/module-tags.js'
import { nameInScope, ownFunction, primitiveFlags, symbolInScope } from '../program/checker.js'
import { missingModuleOf, reportMissing, type Unresolved, unresolvedModule } from '../program/missing.js'
import type { OpenProject } from '../program/project.js'
import { enumTypeOf } from '../types/enum.js'
import type { Analysis } from '../types/resolver-interface.js'
import { type Caller, checkAuthResult } from './auth-result.js'
import { type AuthCall, parseAuthTag } from './auth-tag.js'
import type { Declaration } from './declarations.js'
import { generatedImportOf } from './generated-imports.js'
import { argumentTypeOf, parametersOf } from './signature.js'

/** Returns the rules in the procedure's own comment, else in its module's; those of the module too if the first one is `inherited`. */
export function authOf(declaration: Declaration, name: string, analysis: Analysis): AuthModel | undefined {
  const { comment, node, served, guarded } = declaration
  const { options, problems, tagsOf } = analysis
  const tags = comment.doc.tags.flatMap((tag) => (tag.name === 'auth' ? [{ tag, comment }] : []))
  const placed = inheritTags(tags, tagsOf(node.getSourceFile()).auth)
  if (placed.length > 0) return resolveRules(placed, { project: analysis, declaration })
  if (!guarded && options.requireAuth) {
    problems.at(node, 'RPC141', `${name} has no auth of its own, and its module has none`, {
      hint: `write @auth isStaff in its doc comment, or @auth public if everyone may call it${served ? '' : '; or pass { auth } where it is registered'}`,
    })
  }
  return undefined
}

function isRejected(found: object): found is Unresolved {
  return 'message' in found
}

/** A predicate, and the type that it has in the sources. */
interface FoundPredicate {
  readonly predicate: PredicateModel
  readonly type: ts.Type
}

interface AuthContext {
  readonly project: OpenProject
  /** The declaration that the rules guard. */
  readonly declaration: Declaration
}

/**
 * Resolves each tag to a rule, in the scope of its comment's file. Alone, `@auth public` allows everyone; as the first tag,
 * `@auth inherited` represents the auth around the procedure. The words cannot name predicates. Reports what does not resolve to a predicate.
 */
function resolveRules(tags: readonly PlacedTag[], context: AuthContext): AuthModel | undefined {
  const { project, declaration } = context
  const { problems } = project
  const [only] = tags
  if (tags.length === 1 && only?.tag.text === 'public') {
    checkAuthResult(declaration, 'public', project)
    return 'public'
  }
  const callers: Caller[] = []
  const rules = tags.flatMap(({ tag, comment }, i): ('inherited' | readonly PredicateModel[])[] => {
    if (i === 0 && tag.text === 'inherited') return ['inherited']
    const found = parseAuthTag(tag.text).map((call) => predicateOf(call, comment.source, i === 0, context))
    for (const each of found.filter(isRejected)) {
      if (each.import) reportMissing(each.import, problems)
      else reportInComment(comment, { line: tag.line, ...each }, problems, 'RPC140')
    }
    if (found.some(isRejected)) return []
    const predicates = found as FoundPredicate[]
    if (i === 0) callers.push(...predicates.map(({ predicate, type }) => ({ ...predicate, type })))
    return [predicates.map(({ predicate }) => predicate)]
  })
  if (rules.length < tags.length) return undefined
  checkAuthResult(declaration, callers, project)
  return rules
}

function predicateOf(
  call: AuthCall,
  source: ts.SourceFile,
  isFirst: boolean,
  context: AuthContext,
): FoundPredicate | Unresolved {
  const { name, wrong } = call
  const reserved = reservedWords.get(name)
  if (reserved && !call.args) return reserved
  if (wrong) return wrong
  const found = findPredicate(name, source, context)
  if (isRejected(found)) return found
  if (!call.args) return checkPredicate(found, isFirst, context) ?? withScheme(found.exported, found.type, context)
  const made = predicateOfFactory(call, call.args, found, isFirst, context)
  // The argument of a predicate is the request, which the server passes.
  if (!isRejected(made) || checkPredicate(found, false, context)) return made
  const message = `${name} is a predicate, and @auth calls it`
  return { message, hint: `name it without parentheses, the server calls it: @auth ${name}` }
}

/** Returns the predicate that a factory makes of the arguments. */
function predicateOfFactory(
  call: AuthCall,
  args: NonNullable<AuthCall['args']>,
  { exported, signatures, node }: FoundFunction,
  isFirst: boolean,
  context: AuthContext,
): FoundPredicate | Unresolved {
  const reasons = signatures.map((signature) => argumentError(call, args, signature, node, context))
  const fitting = signatures[reasons.indexOf(undefined)]
  if (!fitting) return reasons.at(-1) as Unresolved
  const type = context.project.checker.getReturnTypeOfSignature(fitting)
  const made = { name: `${call.name}(…)`, type, signatures: type.getCallSignatures(), node: undefined }
  const predicate = { ...exported, args: args.map(({ value }) => value) }
  return checkPredicate(made, isFirst, context) ?? withScheme(predicate, type, context)
}

const reservedWords: ReadonlyMap<string, Unresolved> = new Map([
  ['', { message: '@auth has no predicate', hint: 'name an exported function: @auth isStaff, or @auth public' }],
  ['false', { message: '@auth false is not supported', hint: 'write @auth public to let everyone call' }],
  [
    'public',
    {
      message: '@auth public is combined with a predicate',
      hint: 'write either @auth public or the predicates',
    },
  ],
  [
    'inherited',
    {
      message: '@auth inherited is not the first rule',
      hint: 'write it as a tag of its own, before the other @auth tags',
    },
  ],
])

/** A predicate, or a factory of predicates. */
interface Callable {
  /** As it is shown: `hasRole(…)` is what a factory returns, which has no declaration. */
  readonly name: string
  readonly type: ts.Type
  readonly node: ts.Node | undefined
  readonly signatures: readonly ts.Signature[]
}

/** A function that a name in a comment refers to. */
interface FoundFunction extends Callable {
  readonly exported: Declared
  readonly node: ts.Node
}

function findPredicate(
  name: string,
  source: ts.SourceFile,
  { project, declaration }: AuthContext,
): FoundFunction | Unresolved {
  const { checker } = project
  const symbol = symbolInScope(name, source, ts.SymbolFlags.Value, checker)
  const node = symbol?.valueDeclaration
  if (!node) {
    const missing = missingModuleOf(nameInScope(name, source, ts.SymbolFlags.Value, checker), checker)
    if (missing) return unresolvedModule(missing)
    const message = `there is no exported predicate ${name} in this file’s scope`
    const [first = '', ...members] = name.split('.')
    const member = members.at(-1)
    if (member === undefined) return { message, hint: 'import it here, and export it where it is declared' }
    const owner = symbolInScope(first, source, ts.SymbolFlags.Value, checker)?.valueDeclaration
    const way =
      owner && !ts.isSourceFile(owner)
        ? `export a function that calls it: export const ${member}: typeof ${name} = (...args) => ${name}(...args)`
        : `import the function by its name: import { ${member} } from '…'`
    return { message, hint: `${way}, and @auth ${member}` }
  }
  const type = checker.getTypeOfSymbolAtLocation(symbol, node)
  const signatures = type.getCallSignatures()
  if (signatures.length === 0) {
    const message = `${name} is ${checker.typeToString(type)}, expected a predicate`
    return { message, hint: `name a function: ${predicateSignature}` }
  }
  const exported = generatedImportOf(symbol, name, source, declaration, project)
  if (exported) return { name, exported, type, node, signatures }
  if (!project.program.isSourceFileFromExternalLibrary(source))
    return { message: `the predicate ${name} is not exported`, hint: 'export it where it is declared' }
  const message = `the generated module cannot import the predicate ${name} of this package`
  return { message, hint: 'export it where the package exports the function' }
}

/** Adds the scheme of `defineAuth`, which is in the type of the predicate. */
function withScheme(
  predicate: PredicateModel,
  type: ts.Type,
  { project: { checker } }: AuthContext,
): FoundPredicate | Unresolved {
  const symbol = checker.getPropertiesOfType(type).find(({ name }) => name.startsWith('__@schemeOf@'))
  if (!symbol) return { predicate, type }
  const scheme: Record<string, string> = {}
  for (const member of checker.getPropertiesOfType(checker.getNonNullableType(checker.getTypeOfSymbol(symbol)))) {
    const literal = checker.getTypeOfSymbol(member)
    if (!literal.isStringLiteral()) {
      const message = `the scheme of ${predicate.name} is not known: ${member.name} is ${checker.typeToString(literal)}`
      return { message, hint: 'pass literals to defineAuth' }
    }
    scheme[member.name] = literal.value
  }
  return { predicate: { ...predicate, scheme: scheme as unknown as AuthScheme }, type }
}

/** Returns why a server cannot call a function as an `AuthPredicate` of a rule, perhaps the first one; undefined if it can. */
function checkPredicate(callable: Callable, isFirst: boolean, { project }: AuthContext): Unresolved | undefined {
  const { name, type, node, signatures } = callable
  const { checker } = project
  const factory = node && signatures.find((each) => returnsFunction(each, checker))
  if (factory) {
    const message = `${name} returns a function, which does not authorise`
    const argument = factory.getParameters().length > 0 ? "'…'" : ''
    return { message, hint: `call it if it makes predicates: @auth ${name}(${argument})` }
  }
  const hidden = [node, ...signatures.map((each) => each.getDeclaration())].map(hiddenParameter).find(Boolean)
  if (hidden) {
    const message = `the parameter ${hidden.name.getText()} of the predicate ${name} gets no context: ${whyHidden}`
    return { message, hint: 'declare it without a default: context: RpcContext, or context?: RpcContext' }
  }
  if (signatures.some((signature) => isPredicate(signature, node ?? signature.getDeclaration(), project)))
    return isFirst ? checkFirst(callable, checker) : undefined
  const message = `the predicate ${name} is ${checker.typeToString(type)}, expected ${predicateSignature}`
  return { message, hint: 'declare only the parameters that a server passes: the request, and the context of the call' }
}

/** Returns why a predicate cannot be in the first rule: its context has the caller, whom only a rule before it can return. */
function checkFirst({ name, node, signatures }: Callable, checker: ts.TypeChecker): Unresolved | undefined {
  const needsCaller = signatures.some((signature) => {
    const declaration = node ?? signature.getDeclaration()
    const context = declaration && parametersOf(signature, declaration, checker)[1]?.type
    const member = context && checker.getPropertyOfType(checker.getNonNullableType(context), 'authResult')
    return member && !checker.isTypeAssignableTo(checker.getUndefinedType(), checker.getTypeOfSymbol(member))
  })
  if (!needsCaller) return undefined
  const message = `${name} uses the result of an earlier rule, context.authResult, and is in the first one`
  return { message, hint: 'write the predicate that decides who calls as a tag before it, or @auth inherited' }
}

function returnsFunction(signature: ts.Signature, checker: ts.TypeChecker): boolean {
  return checker.getReturnTypeOfSignature(signature).getCallSignatures().length > 0
}

/** Returns why a factory does not accept the arguments; undefined if it does. */
function argumentError(
  { name }: AuthCall,
  args: NonNullable<AuthCall['args']>,
  signature: ts.Signature,
  node: ts.Node,
  { project: { checker } }: AuthContext,
): Unresolved | undefined {
  const hint = `its declaration is ${name}${checker.signatureToString(signature)}`
  const params = parametersOf(signature, node, checker)
  const required = params.filter(({ kind }) => kind === 'required').length
  const hasRest = params.at(-1)?.kind === 'rest'
  if (args.length < required || (args.length > params.length && !hasRest)) {
    const count = required === params.length && !hasRest ? `${required}` : `${required} or more`
    const words = `${count} argument${count === '1' ? '' : 's'}`
    return { message: `${name} expects ${words}, got ${args.length}`, hint }
  }
  for (const [i, { text, value }] of args.entries()) {
    const param = params[i] ?? params[params.length - 1]
    if (!param) continue
    const type = argumentTypeOf(param, checker)
    if (acceptsArgument(type, value, checker)) continue
    const message = `the argument ${text} of ${name} is not assignable to ${param.name.startsWith('__') ? `parameter ${i + 1}` : param.name}: ${checker.typeToString(type)}`
    return { message, hint: hintForEnum(name, type, checker) ?? hint }
  }
  return undefined
}

/** No literal is assignable to an enum of strings. */
function hintForEnum(name: string, type: ts.Type, checker: ts.TypeChecker): string | undefined {
  const [found] = (type.isUnion() ? type.types : [type]).flatMap((each) => enumTypeOf(each, checker) ?? [])
  const own = found && checker.typeToString(found)
  return (
    own &&
    `${own} is an enum: declare a union of literals instead, or export a predicate, const isAllowed = ${name}(${own}.…), and name that`
  )
}

/** True if a literal is assignable to a type; of a type parameter to its constraint. */
function acceptsArgument(type: ts.Type, value: AuthArgument, checker: ts.TypeChecker): boolean {
  const bound =
    type.flags & ts.TypeFlags.TypeParameter ? (checker.getBaseConstraintOfType(type) ?? checker.getUnknownType()) : type
  if (bound.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true
  if (typeof value !== 'object') return checker.isTypeAssignableTo(literalType(value, checker), bound)
  return (bound.isUnion() ? bound.types : [bound]).some((each) => acceptsList(each, value, checker))
}

function acceptsList(type: ts.Type, value: readonly AuthArgument[], checker: ts.TypeChecker): boolean {
  if (!checker.isTupleType(type)) {
    const element = checker.isArrayType(type) ? checker.getIndexTypeOfType(type, ts.IndexKind.Number) : undefined
    return element !== undefined && value.every((each) => acceptsArgument(element, each, checker))
  }
  const elements = checker.getTypeArguments(type as ts.TypeReference)
  const { elementFlags, minLength } = (type as ts.TupleTypeReference).target
  const rest = elementFlags.findIndex((flags) => flags & ts.ElementFlags.Variable)
  // What follows a rest element has no position of its own.
  if (rest !== -1 && rest < elements.length - 1) return false
  if (value.length < minLength || (rest === -1 && value.length > elements.length)) return false
  return value.every((each, i) => acceptsArgument((elements[i] ?? elements.at(-1)) as ts.Type, each, checker))
}

function literalType(value: string | number | boolean, checker: ts.TypeChecker): ts.Type {
  if (typeof value === 'string') return checker.getStringLiteralType(value)
  if (typeof value === 'number') return checker.getNumberLiteralType(value)
  return value ? checker.getTrueType() : checker.getFalseType()
}

const whyHidden = 'a parameter with a default, or a rest parameter, does not count in the length of a function'

/** Returns what follows the request if a server cannot see it: it passes the context to functions whose length is not 1. */
function hiddenParameter(node: ts.Node | undefined): ts.ParameterDeclaration | undefined {
  const value = node && ts.isVariableDeclaration(node) ? ownFunction(node) : node
  if (!value || !ts.isFunctionLike(value)) return undefined
  const parameters = value.parameters.filter(({ name }) => name.getText() !== 'this')
  const length = parameters.findIndex(({ initializer, dotDotDotToken }) => initializer ?? dotDotDotToken)
  return length === 1 ? parameters[1] : undefined
}

const predicateSignature = '(request: Request, context: RpcContext) => unknown'

/** True if a server can call a function as an `AuthPredicate`. The module cannot be relied on for this: it is not type-checked. */
function isPredicate(signature: ts.Signature, node: ts.Node, project: OpenProject): boolean {
  const { checker } = project
  return parametersOf(signature, node, checker).every((parameter, i) => {
    const type = argumentTypeOf(parameter, checker)
    if (i === 0) return acceptsRequest(type, project)
    return i === 1 ? acceptsContext(type, checker) : parameter.kind !== 'required'
  })
}

/** True if a type accepts the platform's Request; without that type in the program, or if it is generic, true for all but primitive types. */
function acceptsRequest(type: ts.Type, { checker, config }: OpenProject): boolean {
  const symbol = checker.resolveName('Request', undefined, ts.SymbolFlags.Type, false)
  const request = symbol && checker.getDeclaredTypeOfSymbol(symbol)
  // That of Workers has type parameters.
  if (!request || (request.isClassOrInterface() && request.typeParameters)) return !(type.flags & primitiveFlags)
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
  ...{ transport: true, server: true, protocol: true, procedure: true, authResult: true, state: true, signal: true },
  ...{ lastEventId: true, notify: true },
}
