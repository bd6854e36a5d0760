// Finds functions that are registered by hand. Their types are compiled like those of marked ones:
//
//   server.registerProcedure(add)  →  the declaration of `add`
import { ts } from 'ts-morph'
import { checkReserved } from '../../model/public-names.js'
import { docCommentOf } from '../comments/comments.js'
import { callSignatures, type DeclaredNode, exportsOf, hasModifier, importOf, symbolNamed } from '../program/checker.js'
import { propertyNamed, valueNamed } from '../program/literals.js'
import { leftmost, missingModuleOf, reportMissing } from '../program/missing.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { forEachNode, isDeclaredByRpcGen, isInstalled, isOfPackage } from '../program/sources.js'
import type { Declaration } from './declarations.js'
import { packageSpecifier } from './generated-imports.js'

/** A call or a decorator that registers a function with a server, a namespace or the legacy entry points. */
interface Registration {
  /** The function, or the decorated method. */
  readonly target: ts.Node
  readonly options: ts.Expression | undefined
  /** The server or the namespace, if the call is a method of one. */
  readonly level: ts.Expression | undefined
}

/**
 * Finds the functions that the sources register by hand. They are compiled as if they were marked, and served only where
 * they are registered. Functions that are also marked are already found.
 */
export function findRegistered(project: OpenProject, marked: readonly Declaration[]): Declaration[] {
  const { problems } = project
  const known = new Map(marked.map((declaration): [ts.Node, Declaration] => [declaration.node, declaration]))
  const registrations = project.sources.flatMap((source) => registrationsIn(source, project.checker))
  for (const registration of registrations) {
    checkRegisteredName(registration, project.checker, problems)
    if (isUnchecked(registration)) continue
    const found = registeredDeclaration(registration, project)
    const other = found && known.get(found.node)
    if (!found || other?.served) continue
    known.set(found.node, { ...found, guarded: found.guarded === true && (other?.guarded ?? true) })
  }
  return [...known.values()].slice(marked.length)
}

function registrationsIn(source: ts.SourceFile, checker: ts.TypeChecker): Registration[] {
  if (!/registerProcedure|rpcMethod/.test(source.text)) return []
  const found: Registration[] = []
  forEachNode(source, (node) => {
    if (ts.isCallExpression(node) && !ts.isDecorator(node.parent) && isRegistering(node.expression, checker)) {
      const [target, options] = node.arguments
      if (target) found.push({ target, options, level: levelOf(node.expression) })
    }
    if (ts.isDecorator(node)) found.push(...decoratorRegistration(node, checker))
  })
  return found
}

function decoratorRegistration({ expression, parent }: ts.Decorator, checker: ts.TypeChecker): Registration[] {
  const callee = ts.isCallExpression(expression) ? expression.expression : expression
  if (!isRegistering(callee, checker)) return []
  const options = ts.isCallExpression(expression) ? expression.arguments[0] : undefined
  return [{ target: parent, options, level: levelOf(callee) }]
}

function levelOf(callee: ts.Expression): ts.Expression | undefined {
  return ts.isPropertyAccessExpression(callee) ? callee.expression : undefined
}

/** Recognises `registerProcedure` and `rpcMethod` of this package by type, regardless of the local name. */
function isRegistering(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  if (!ts.isPropertyAccessExpression(callee) && !ts.isIdentifier(callee)) return false
  const type = checker.getNonNullableType(checker.getTypeAtLocation(callee)).getSymbol()
  if (type?.name === 'RegisterProcedure') return isDeclaredByRpcGen(type)
  const target = symbolNamed(ts.isIdentifier(callee) ? callee : callee.name, checker)
  return target?.name === 'rpcMethod' && isDeclaredByRpcGen(target)
}

function propertyOf(options: ts.Expression | undefined, name: string): ts.ObjectLiteralElementLike | undefined {
  return options && ts.isObjectLiteralExpression(options) ? propertyNamed(name, options) : undefined
}

function isUnchecked({ options }: Registration): boolean {
  const isObject = options && ts.isObjectLiteralExpression(options)
  return isObject === true && valueNamed('unchecked', options)?.kind === ts.SyntaxKind.TrueKeyword
}

/** True if the call itself, or the level that it registers at, has auth. */
function isGuarded({ options, level }: Registration, checker: ts.TypeChecker): boolean {
  if (propertyOf(options, 'auth')) return true
  const declaration = level && checker.getSymbolAtLocation(level)?.valueDeclaration
  const made = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  return made !== undefined && ts.isNewExpression(made) && propertyOf(made.arguments?.[0], 'auth') !== undefined
}

/**
 * Returns the parameter that receives the context. If the name is not a literal in the call, the parameter would stay on the
 * wire, for the client to send.
 */
function contextTargetOf(
  { options }: Registration,
  node: DeclaredNode,
  { checker, problems }: OpenProject,
): string | undefined {
  if (!options || !checker.getTypeAtLocation(options).getProperty('contextTarget')) return undefined
  const property = propertyOf(options, 'contextTarget')
  const value = property && ts.isPropertyAssignment(property) ? property.initializer : undefined
  if (!value || !ts.isStringLiteralLike(value)) {
    problems.at(property ?? options, 'RPC119', 'contextTarget is not a literal here, so the parameter is unknown', {
      hint: "write the name of the parameter into the call: { contextTarget: 'context' }",
    })
    return undefined
  }
  const [signature] = callSignatures(node, checker)
  if (!signature?.parameters.some(({ name }) => name === value.text)) {
    problems.at(value, 'RPC119', `there is no parameter ${value.text}, which contextTarget names`)
  }
  return value.text
}

function registeredDeclaration(registration: Registration, project: OpenProject): Declaration | undefined {
  const { problems } = project
  const { target } = registration
  const node = registeredFunction(target, project.checker)
  const exported = node && exportedBy(node, target, project)
  if (exported && 'specifier' in exported) {
    const message = `the generated module cannot import the registered function from ${exported.specifier}`
    problems.at(target, 'RPC119', message, {
      hint: 'import it by the name of its package, which has to be installed for the generated module too; or pass { unchecked: true } to registerProcedure',
    })
    return undefined
  }
  const missing = node
    ? undefined
    : missingModuleOf(project.checker.getSymbolAtLocation(leftmost(target)), project.checker)
  if (missing) {
    reportMissing(missing, problems)
    return undefined
  }
  if (!node || !exported) {
    problems.at(target, 'RPC119', 'a registered function cannot be compiled: it is not an exported function', {
      hint: 'export a named function, or the class of a static method, and register that; or pass { unchecked: true } to registerProcedure',
    })
    return undefined
  }
  const contextTarget = contextTargetOf(registration, node, project)
  return {
    node,
    comment: docCommentOf(node),
    ...exported,
    served: false,
    guarded: isGuarded(registration, project.checker),
    ...(contextTarget === undefined ? {} : { contextTarget }),
  }
}

type Export = Pick<Declaration, 'module' | 'exportName' | 'member' | 'packageName'>

/** The specifier of a package by which the user imports a function, and the generated module cannot. */
interface Unimportable {
  readonly specifier: string
}

/** A function of a package of the workspace is imported as the user does it; one of an installed package is not compiled. */
function exportedBy(node: DeclaredNode, target: ts.Node, project: OpenProject): Export | Unimportable | undefined {
  const module = node.getSourceFile()
  if (!isOfPackage(module, project)) return exportOfFunction(node, project.checker)
  const [first, ...members] = namesInPath(target)
  if (isInstalled(module) || first === undefined) return undefined
  const found = importOf(first, target.getSourceFile(), project)
  if (!found) return undefined
  const { module: from, name } = found
  const [exportName, member, ...deeper] = name === '*' ? members : [name, ...members]
  if (exportName === undefined || deeper.length > 0) return undefined
  const exported = { exportName, ...(member === undefined ? {} : { member }) }
  if (typeof from !== 'string') return { module: from, ...exported }
  const packageName = packageSpecifier(from, target.getSourceFile(), project)
  return packageName === undefined ? { specifier: from } : { module, packageName, ...exported }
}

/** The names of `add`, `math.add` or `math.Words.join`; none for another expression. */
function namesInPath(target: ts.Node): readonly string[] {
  if (ts.isIdentifier(target)) return [target.text]
  const before = ts.isPropertyAccessExpression(target) ? namesInPath(target.expression) : []
  return before.length > 0 && ts.isPropertyAccessExpression(target) ? [...before, target.name.text] : []
}

/** A namespace prepends its name; procedures of a server or an entry point keep theirs. */
function checkRegisteredName({ options, level }: Registration, checker: ts.TypeChecker, problems: Problems): void {
  const property = propertyOf(options, 'name')
  if (!property || (level && checker.getTypeAtLocation(level).getSymbol()?.name === 'RpcNamespace')) return
  const expression = ts.isPropertyAssignment(property) ? property.initializer : property.name
  const symbol = ts.isShorthandPropertyAssignment(property) && checker.getShorthandAssignmentValueSymbol(property)
  const value = symbol ? checker.getTypeOfSymbol(symbol) : expression && checker.getTypeAtLocation(expression)
  // The server decides about names that begin with `system.`: `compatibility.ownSystemNames`.
  if (!value?.isStringLiteral() || value.value.startsWith('system.')) return
  const named = { name: value.value, position: problems.position(property) }
  for (const each of checkReserved(named, 'choose another name')) problems.add(each)
}

/** Returns the declaration of `add`, `math.add` or `Words.join`; a decorated method is a declaration itself. */
function registeredFunction(target: ts.Node, checker: ts.TypeChecker): DeclaredNode | undefined {
  const symbol = ts.isMethodDeclaration(target) ? undefined : symbolNamed(target, checker)
  const node = symbol ? symbol.valueDeclaration : target
  if (!node) return undefined
  if (ts.isMethodDeclaration(node)) return hasModifier(node, ts.SyntaxKind.StaticKeyword) ? node : undefined
  return ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isExportAssignment(node)
    ? node
    : undefined
}

/** Returns the export of a function, or of the class of a static method, in its own module. */
function exportOfFunction(node: DeclaredNode, checker: ts.TypeChecker): Export | undefined {
  const owner: ts.Node = ts.isMethodDeclaration(node) ? node.parent : node
  const module = node.getSourceFile()
  const found = exportsOf(module, checker).find(([, symbol]) => symbol.declarations?.some((each) => each === owner))
  if (!found) return undefined
  if (!ts.isMethodDeclaration(node)) return { module, exportName: found[0] }
  // The text of a name may be a string literal with its quotes.
  const member = checker.getSymbolAtLocation(node.name)?.name ?? node.name.getText()
  return { module, exportName: found[0], member }
}
