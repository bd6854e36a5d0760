// Names and modules that are not found. To the checker their types are `any`, which accepts every value:
//
//   import type { Order } from './odrers.js'  →  RPC120 at the import: Cannot find module './odrers.js' …
import { existsSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import { isConstraintName } from '../../doc-comments/index.js'
import { isTaggedScalar } from '../../model/tagged-scalars.js'
import { foldersFrom } from '../../paths.js'
import { lowerFirst, nearName, upperFirst } from '../../text.js'
import { bareExpression, isErrorType, symbolNamed, unaliased } from './checker.js'
import { isRelative, packageName as packageOfModule, specifierOf, specifiersIn } from './imports.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'
import { isInstalled, packageOf } from './sources.js'
import { configFileOf } from './tsconfig.js'

/** A name that refers to nothing. */
interface Missing {
  readonly name: string
  /** The module that it is imported from, if there is no such module. */
  readonly module?: ts.StringLiteral | undefined
  /** The installed package whose declarations have the name. */
  readonly packageName?: string | undefined
  /** The export of the imported module whose name is nearly the same. */
  readonly near?: string | undefined
}

/** Why a type is not resolved, and the node to point at if it is not that of the type. */
export interface Unresolved {
  /** Default: `RPC120`. */
  readonly code?: DiagnosticCode
  readonly message: string
  readonly hint: string
  readonly import?: ts.StringLiteralLike
}

/** Returns why a type is not resolved. If a source of the user imports it from a module that is missing, the import is reported once. */
export function whyUnresolved({ name, module, packageName, near }: Partial<Missing>): Unresolved {
  if (module && packageName === undefined) return unresolvedModule(module)
  if (name === 'Buffer') return missingBuffer
  const message = name === undefined ? 'the type is not resolved' : `the type ${name} is not resolved`
  if (near !== undefined) return { message, hint: `write ${near} in the import` }
  if (name !== undefined && packageName === undefined && isOwnType(name))
    return { message, hint: `import it: import type { ${name} } from 'rpc-gen'` }
  return {
    message,
    hint: hintForModule(module?.text, packageName === undefined ? '' : `, which ${packageName} imports`),
  }
}

/** True if procedures use a type of this name from `rpc-gen`: `Int`, `MinLength`. */
function isOwnType(name: string): boolean {
  const own = lowerFirst(name)
  const isRow = isTaggedScalar(own) || isConstraintName(own)
  return name === 'RpcContext' || (isRow && name === upperFirst(own))
}

const missingBuffer: Unresolved = {
  code: 'RPC108',
  message: 'the type Buffer is not resolved: @types/node declares it',
  hint: 'install @types/node, and name "node" in the "types" of the tsconfig',
}

/** Returns TypeScript's error for an import of a module that is missing. */
export function unresolvedModule(module: ts.StringLiteralLike): Unresolved {
  const message = `Cannot find module '${module.text}' or its corresponding type declarations`
  const isOwn = isRelative(module.text)
  return {
    message,
    hint: isOwn ? 'correct the import, or add the file' : hintForModule(module.text, ''),
    import: module,
  }
}

function hintForModule(module: string | undefined, needed: string): string {
  if (module === undefined) return 'check its import, and that its package (or @types package) is installed'
  if (isBuiltin(module)) return `install @types/node for ${module}${needed}`
  // No package has such a name.
  if (/^[@~]\//.test(module)) return `name ${module.slice(0, 2)}* in the "paths" of the tsconfig, or correct the import`
  return isRelative(module) || module.startsWith('#')
    ? `correct the import: there is no module ${module}${needed}, or it has no types`
    : `install ${packageOfModule(module)}${needed}, or its @types package${module === packageOfModule(module) ? '' : `; if it is installed, its exports have no ${module}`}`
}

/** Returns the name that refers to nothing in a node of a written type, not in the nodes inside of it. */
export function missingAt(node: ts.Node, checker: ts.TypeChecker): Missing | undefined {
  if (ts.isTypeQueryNode(node)) {
    const found = missingNamed(node.exprName, checker)
    return found.module && found
  }
  const name = nameIn(node)
  // A class that extends null has no base.
  if (name ? bareExpression(name).kind === ts.SyntaxKind.NullKeyword : !ts.isImportTypeNode(node)) return undefined
  // An unknown name has no declarations, and neither has a type that exists in JavaScript without one.
  if ((name && symbolNamed(name, checker)?.declarations) || !isErrorType(checker.getTypeAtLocation(node)))
    return undefined
  return name ? missingNamed(name, checker) : missingImport(node as ts.ImportTypeNode, checker)
}

function missingNamed(name: ts.Node, checker: ts.TypeChecker): Missing {
  const symbol = checker.getSymbolAtLocation(leftmost(name))
  const near = symbol?.declarations?.map((each) => nearExport(each, checker)).find(Boolean)
  return { name: name.getText(), module: missingModuleOf(symbol, checker), packageName: packageOf(name), near }
}

/** Returns the export that an import means whose name its module does not export: `Int` for `Intt`. */
function nearExport(node: ts.Declaration, checker: ts.TypeChecker): string | undefined {
  const module = ts.isImportSpecifier(node) && checker.getSymbolAtLocation(node.parent.parent.parent.moduleSpecifier)
  if (!module) return undefined
  const names = checker.getExportsOfModule(module).map((each) => each.name)
  return nearName((node.propertyName ?? node.name).text, names, 3)
}

/** Returns the missing module that a name is imported from, perhaps through other modules of the user. */
export function missingModuleOf(
  symbol: ts.Symbol | undefined,
  checker: ts.TypeChecker,
  seen: ReadonlySet<ts.Symbol> = new Set(),
): ts.StringLiteral | undefined {
  if (!symbol || seen.has(symbol)) return undefined
  const specifier = symbol.declarations?.map(specifierAbove).find((each) => each !== undefined)
  if (!specifier || (seen.size > 0 && isInstalled(specifier.getSourceFile()))) return undefined
  if (!checker.getSymbolAtLocation(specifier)) return specifier
  const isAlias = symbol.flags & ts.SymbolFlags.Alias
  const next = isAlias ? checker.getImmediateAliasedSymbol(symbol) : undefined
  return missingModuleOf(next, checker, new Set([...seen, symbol]))
}

/** Reports an import of a module that is missing, at itself: much may depend on it. */
export function reportMissing(module: ts.StringLiteralLike, problems: Problems): void {
  const { message, hint } = unresolvedModule(module)
  problems.at(module, 'RPC120', message, { hint })
}

/**
 * Reports the values that a source exports again and that do not exist: they could be procedures. What a source imports for its bodies
 * only is not read.
 */
export function checkExportedAgain(source: ts.SourceFile, project: OpenProject): void {
  const { checker, generated, problems } = project
  for (const statement of source.statements) {
    const specifier = ts.isExportDeclaration(statement) && !statement.isTypeOnly ? specifierOf(statement) : undefined
    if (!specifier || !ts.isExportDeclaration(statement)) continue
    const module = checker.getSymbolAtLocation(specifier)
    // A package without types exists when the program runs.
    if (!module && project.resolveModule(specifier.text, source.fileName) === undefined)
      reportMissing(specifier, problems)
    const file = module?.valueDeclaration
    const { exportClause } = statement
    if (!file || !ts.isSourceFile(file) || file === generated || !exportClause || !ts.isNamedExports(exportClause))
      continue
    const names = new Set(checker.getExportsOfModule(module).map(({ name }) => name))
    for (const each of exportClause.elements) {
      const symbol = checker.getSymbolAtLocation(each.name)
      const name = (each.propertyName ?? each.name).text
      if (each.isTypeOnly || names.has(name) || !symbol || !checker.isUnknownSymbol(unaliased(symbol, checker)))
        continue
      const message = `Module '${specifier.text}' has no exported member '${name}'`
      problems.at(each, 'RPC120', message, { hint: 'correct the name, or export it there' })
    }
  }
}

function missingImport(node: ts.ImportTypeNode, checker: ts.TypeChecker): Missing | undefined {
  if (!ts.isLiteralTypeNode(node.argument)) return undefined
  const specifier = node.argument.literal
  const isMissing = ts.isStringLiteral(specifier) && !checker.getSymbolAtLocation(specifier)
  const name = node.qualifier?.getText() ?? node.getText()
  return { name, module: isMissing ? specifier : undefined, packageName: packageOf(node) }
}

/** `a` of `a.b.c`. */
export function leftmost(node: ts.Node): ts.Node {
  if (ts.isQualifiedName(node)) return leftmost(node.left)
  return ts.isPropertyAccessExpression(node) ? leftmost(node.expression) : node
}

/** The module of the import or the re-export that a name is declared in. */
function specifierAbove(node: ts.Node): ts.StringLiteral | undefined {
  const statement = ts.findAncestor(node, isImporting)
  if (!statement) return undefined
  const specifier = !ts.isImportEqualsDeclaration(statement)
    ? statement.moduleSpecifier
    : ts.isExternalModuleReference(statement.moduleReference)
      ? statement.moduleReference.expression
      : undefined
  return specifier && ts.isStringLiteral(specifier) ? specifier : undefined
}

function isImporting(node: ts.Node): node is ts.ImportDeclaration | ts.ImportEqualsDeclaration | ts.ExportDeclaration {
  return ts.isImportDeclaration(node) || ts.isImportEqualsDeclaration(node) || ts.isExportDeclaration(node)
}

/** Returns the name in a type reference. */
export function nameIn(node: ts.Node): ts.EntityName | ts.Expression | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

/** Reports why a module is missing if its import shows it: it refers to a project that is not built, or to a package without types. */
export function explainUnresolved(project: OpenProject): void {
  const { program, checker, problems } = project
  if (!problems.list.some(({ code }) => code === 'RPC120')) return
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || isInstalled(source)) continue
    for (const specifier of specifiersIn(source))
      if (!checker.getSymbolAtLocation(specifier)) explainImport(specifier, project)
  }
}

/** True if the `paths` of the tsconfig have a pattern for a module, other than one for all. */
function isAlias(module: string, { paths = {} }: ts.CompilerOptions): boolean {
  return Object.keys(paths).some((pattern) => {
    const [start = '', end] = pattern.split('*')
    return end === undefined ? pattern === module : start !== '' && module.startsWith(start) && module.endsWith(end)
  })
}

function explainImport(specifier: ts.StringLiteralLike, project: OpenProject): void {
  const { config, problems } = project
  const { text } = specifier
  const name = packageOfModule(text)
  const { fileName } = specifier.getSourceFile()
  const folder = dirname(fileName)
  const reference = config.references.find(({ path }) => isOfProject(text, folder, dirname(configFileOf(path))))
  if (reference) {
    const shown = problems.relative(reference.path)
    const hint = `build it first: tsc --build ${shown}`
    problems.explain(specifier, 'RPC107', `${text} is the project ${shown}, which is not built`, { hint })
  } else if (isAlias(text, config.compilerOptions)) {
    const hint = 'correct the import, or the "paths" of the tsconfig: they lead to no such file'
    problems.explain(specifier, 'RPC120', unresolvedModule(specifier).message, { hint })
  } else if (
    !isRelative(text) &&
    isPackageAt(name, folder) &&
    (text === name || project.resolveModule(text, fileName) !== undefined)
  ) {
    const hint = `npm install --save-dev ${typesPackage(name)}`
    problems.explain(specifier, 'RPC108', `the package ${name} has no types`, { hint })
  }
}

/** True if an import refers to a project: by the name of its package, or by a path into its folder. */
function isOfProject(specifier: string, from: string, folder: string): boolean {
  if (isRelative(specifier)) return `${resolve(from, specifier)}/`.startsWith(`${resolve(folder)}/`)
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return false
  // Accepts a byte order mark; npm reports what cannot be read.
  const { name } = ts.readConfigFile(file, ts.sys.readFile).config ?? {}
  return name === packageOfModule(specifier)
}

function isPackageAt(name: string, folder: string): boolean {
  return foldersFrom(folder).some((each) => existsSync(join(each, 'node_modules', name, 'package.json')))
}

/** `@types/scope__name` of `@scope/name`. */
export function typesPackage(name: string): string {
  return name.startsWith('@types/') ? name : `@types/${name.replace(/^@(.*?)\//, '$1__')}`
}
