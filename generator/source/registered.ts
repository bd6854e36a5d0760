import { ts } from 'ts-morph'
import { docCommentOf } from './comments.js'
import { type Declaration, type DeclaredNode, exportsOf, unaliased } from './declarations.js'
import { isOwn } from './own.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'

/** A call or a decorator that hands a function to a server, a namespace or the older generation. */
interface Registration {
  /** The function, or the decorated method. */
  readonly target: ts.Node
  readonly options: ts.ObjectLiteralExpression | undefined
}

/**
 * Finds the functions that the sources register by hand. They are compiled as if they were marked, and served only where
 * they were registered; those that are marked too are found already.
 */
export function findRegistered(
  project: OpenProject,
  marked: readonly Declaration[],
  problems: Problems,
): Declaration[] {
  const known = new Map(marked.map((declaration): [ts.Node, Declaration] => [declaration.node, declaration]))
  const registrations = project.sources.flatMap((source) => registrationsIn(source, project.checker))
  for (const registration of registrations) {
    if (booleanOption(registration.options, 'untyped')) continue
    const found = declarationOf(registration, project, problems)
    if (found && !known.has(found.node)) known.set(found.node, found)
  }
  return [...known.values()].slice(marked.length)
}

function registrationsIn(source: ts.SourceFile, checker: ts.TypeChecker): Registration[] {
  if (!/registerProcedure|rpcMethod/.test(source.text)) return []
  const found: Registration[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && !ts.isDecorator(node.parent) && isRegistering(node.expression, checker)) {
      const [target, options] = node.arguments
      if (target) found.push({ target, options: objectLiteral(options) })
    }
    if (ts.isDecorator(node)) found.push(...decoratorRegistration(node, checker))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function decoratorRegistration({ expression, parent }: ts.Decorator, checker: ts.TypeChecker): Registration[] {
  const callee = ts.isCallExpression(expression) ? expression.expression : expression
  if (!isRegistering(callee, checker)) return []
  const options = ts.isCallExpression(expression) ? objectLiteral(expression.arguments[0]) : undefined
  return [{ target: parent, options }]
}

/** `server.registerProcedure`, `namespace.registerProcedure` or `rpcMethod`, of this package. */
function isRegistering(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isPropertyAccessExpression(callee)) {
    const receiver = checker.getTypeAtLocation(callee.expression).getSymbol()
    return callee.name.text === 'registerProcedure' && receiver !== undefined && isOwn(receiver)
  }
  const symbol = ts.isIdentifier(callee) ? checker.getSymbolAtLocation(callee) : undefined
  const target = symbol && unaliased(symbol, checker)
  return target?.name === 'rpcMethod' && isOwn(target)
}

function objectLiteral(node: ts.Node | undefined): ts.ObjectLiteralExpression | undefined {
  return node && ts.isObjectLiteralExpression(node) ? node : undefined
}

function optionOf(options: ts.ObjectLiteralExpression | undefined, name: string): ts.Expression | undefined {
  const property = options?.properties.find((each) => each.name?.getText() === name)
  return property && ts.isPropertyAssignment(property) ? property.initializer : undefined
}

function booleanOption(options: ts.ObjectLiteralExpression | undefined, name: string): boolean {
  return optionOf(options, name)?.kind === ts.SyntaxKind.TrueKeyword
}

function stringOption(options: ts.ObjectLiteralExpression | undefined, name: string): string | undefined {
  const value = optionOf(options, name)
  return value && ts.isStringLiteralLike(value) ? value.text : undefined
}

function declarationOf(
  { target, options }: Registration,
  project: OpenProject,
  problems: Problems,
): Declaration | undefined {
  const node = functionOf(target, project.checker)
  const exported = node && exportOf(node, project.checker)
  if (!node || !exported || project.program.isSourceFileFromExternalLibrary(node.getSourceFile())) {
    problems.at(target, 'RPC119', 'what is registered here cannot be compiled: it is no exported function', {
      hint: 'export a named function and register that, or pass { untyped: true }',
    })
    return undefined
  }
  const contextTarget = stringOption(options, 'contextTarget')
  return {
    node,
    comment: docCommentOf(node),
    ...exported,
    served: false,
    ...(contextTarget === undefined ? {} : { contextTarget }),
  }
}

/** The declaration behind `add`, `math.add` or `Words.join`; a decorated method is its own. */
function functionOf(target: ts.Node, checker: ts.TypeChecker): DeclaredNode | undefined {
  if (ts.isMethodDeclaration(target)) return isStatic(target) ? target : undefined
  const symbol = checker.getSymbolAtLocation(target)
  const node = symbol && unaliased(symbol, checker).valueDeclaration
  if (!node) return undefined
  if (ts.isMethodDeclaration(node)) return isStatic(node) ? node : undefined
  return ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) ? node : undefined
}

function isStatic(method: ts.MethodDeclaration): boolean {
  return Boolean(ts.getCombinedModifierFlags(method) & ts.ModifierFlags.Static)
}

/** Where its own module exports a function, or the class of a static method. */
function exportOf(
  node: DeclaredNode,
  checker: ts.TypeChecker,
): Pick<Declaration, 'module' | 'exportName' | 'member'> | undefined {
  const owner: ts.Node = ts.isMethodDeclaration(node) ? node.parent : node
  const module = node.getSourceFile()
  const found = exportsOf(module, checker).find(([, symbol]) => symbol.declarations?.some((each) => each === owner))
  if (!found) return undefined
  return { module, exportName: found[0], ...(ts.isMethodDeclaration(node) ? { member: node.name.getText() } : {}) }
}
