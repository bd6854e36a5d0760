// Names, modules and types that are missing: the checker represents them as `any`, or drops them, for which validators would accept everything:
//
//   note: Nots, and no type Nots  →  RPC120: the type Nots is not resolved
import { ts } from 'ts-morph'
import { type ModelType, placeholderType } from '../../model/model.js'
import type { Constrainer } from '../constraints/constrainer.js'
import { isAnyOrAnyArray, isErrorType, isUntypedValue, lacksType, referenced, typeNodeOf } from '../program/checker.js'
import {
  declarationsOfName,
  missingAt,
  missingImports,
  missingIn,
  missingModule,
  nameIn,
  type Unresolved,
  whyUnresolved,
} from '../program/missing.js'
import type { Mistake, Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isInstalled, visitNodes } from '../program/sources.js'
import { foreignRuleIn } from './foreign-rules.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/** Rejects unresolved types: a missing import, an uninstalled package. */
export const rejectUnresolved: ResolveKind = (type, place, resolver) => {
  if (!isErrorType(type)) return undefined
  const { project, checker, reject } = resolver
  const name = type.aliasSymbol?.name
  if (name === 'Buffer') return rejectBuffer(place, resolver)
  const written = writtenAt(place)
  const alias = written && referenced(written, checker)?.declarations?.find(ts.isTypeAliasDeclaration)
  // TypeScript gives up on more than 100,000 texts.
  if (ts.isTemplateLiteralTypeNode(alias?.type ?? written ?? place.node))
    return reject(place, 'RPC124', 'the template literal type has too many texts', hintForTexts)
  const missing = written && missingIn(written, project)
  const isCause = missing && (name === undefined || name === missing.name.split('.').at(-1))
  if (isCause && missing.module) return rejectAs(whyUnresolved(missing), place, resolver)
  const reason = written && name === undefined && reasonIn(alias?.type ?? written, resolver)
  if (reason) return reject(place, 'RPC120', `the type is not resolved: ${reason}`, 'correct the type')
  if (isCause) return rejectAs(whyUnresolved(missing), place, resolver)
  if (!alias) return rejectImported(name, place, resolver)
  const message = `the type ${alias.name.text} only refers to itself, or to no type`
  return reject(place, 'RPC120', message, 'write its type')
}

/** What to do instead of a type with too many texts. */
export const hintForTexts = 'declare string, and check the value in the procedure'

function rejectBuffer(place: Place, { reject, unresolved }: Resolver): ModelType {
  unresolved.add('Buffer')
  const hint = 'install @types/node, and name "node" in the "types" of the tsconfig'
  return reject(place, 'RPC108', 'the type Buffer is not resolved: @types/node declares it', hint)
}

/** Rejects a type that may come from one of the modules that are missing. */
function rejectImported(name: string | undefined, place: Place, resolver: Resolver): ModelType {
  const imports = missingImports(place.node.getSourceFile(), resolver.project).filter(({ parent }) => {
    return name === undefined || (ts.isImportDeclaration(parent) && importsName(parent, name))
  })
  if (imports.length === 0) return rejectAs(whyUnresolved(name === undefined ? {} : { name }), place, resolver)
  for (const each of imports) rejectAs(missingModule(each), place, resolver)
  return placeholderType
}

/** Returns the type that is written at a place. */
export function writtenAt({ node }: Place): ts.TypeNode | undefined {
  return ts.isTypeNode(node) ? node : typeNodeOf(node)
}

function importsName({ importClause }: ts.ImportDeclaration, name: string): boolean {
  const names = importClause?.namedBindings
  return names !== undefined && ts.isNamedImports(names) && names.elements.some((each) => each.name.text === name)
}

/** Reports an import at itself and without a path: many types may come from it. */
export function rejectAs(
  { subject, message, hint, import: node }: Unresolved,
  place: Place,
  { reject, unresolved: reported }: Pick<Resolver, 'reject' | 'unresolved'>,
): ModelType {
  reported.add(subject)
  return reject(node ? { ...place, node, owner: undefined } : place, 'RPC120', message, hint)
}

/** Returns TypeScript's error in a type, such as a wrong number of type arguments. It checks the whole source, which is slow. */
function reasonIn(node: ts.Node, { project }: Resolver): string | undefined {
  const found = project.program.getSemanticDiagnostics(node.getSourceFile())
  const inside = found.find(({ start = -1 }) => start >= node.pos && start < node.end)
  return inside && ts.flattenDiagnosticMessageText(inside.messageText, ' ').replace(/\.$/, '')
}

/**
 * Checks written types. An unresolved type is rejected if it has values. In other positions the checker ignores it silently: a missing
 * base type has no members, conditions on a missing type are true, and it has any keys. It also drops constraints where a type is split.
 */
export class WrittenTypes {
  readonly #project: OpenProject
  readonly #constrainer: Constrainer
  readonly #found: (Unresolved & { readonly place: Place })[] = []
  /** The members of declarations, whose types are checked at the end: most have values, and are checked before. */
  readonly #members: { readonly node: ts.Node; readonly place: Place }[] = []

  constructor(project: OpenProject, constrainer: Constrainer) {
    this.#project = project
    this.#constrainer = constrainer
  }

  /** Checks a written type, or the types in a declaration, and everything that these refer to. */
  check(node: ts.Node | undefined, place: Place): void {
    if (node && ts.isTypeNode(node)) this.#visit(node, place)
    else if (node) for (const type of typesBesideMembers(node)) this.#visit(type, place)
  }

  /** Reports the unknown names that were not reported elsewhere; called once, at the end. */
  report(resolver: Pick<Resolver, 'reject' | 'unresolved'>): void {
    // The type of a member can be part of another one, as in `Order['lines']`. The list grows while it is iterated.
    for (const { node, place } of this.#members) {
      const type = typeNodeOf(node)
      if (type) this.#visit(type, pointingAt(type, place), true)
    }
    for (const mistake of this.#found)
      if (!resolver.unresolved.has(mistake.subject)) rejectAs(mistake, mistake.place, resolver)
  }

  #visit(root: ts.Node, place: Place, isMember = false): void {
    visitNodes(root, (node, add) => this.#visitNode(node, place, isMember, add))
  }

  /** Checks a node, and adds the nodes that it leads to. */
  #visitNode(node: ts.Node, place: Place, isMember: boolean, add: (next: ts.Node) => void): void {
    const { checker, checkedTypes: seen } = this.#project
    // Tokens, such as `string` and names, contain no type.
    if (node.kind < ts.SyntaxKind.FirstNode || seen.has(node)) return
    seen.add(node)
    if (ts.isTypeElement(node) && !ts.isIndexSignatureDeclaration(node)) return void this.#members.push({ node, place })
    this.#constrainer.checkWritten(node, place)
    const name = nameIn(node)
    const declarations = name && declarationsOfName(name, checker)
    const foreign = foreignRuleIn(node, declarations, checker)
    if (foreign) this.#reportForeign(foreign, pointingAt(node, place))
    const mistake = mistakeIn(node, declarations, isMember, checker)
    if (mistake) this.#found.push({ ...mistake, place: pointingAt(node, place) })
    for (const each of declarations ?? []) this.#typesIn(each, place).forEach(add)
    ts.forEachChild(node, add)
  }

  /** Returns the types in a declaration that is not checked yet; its members are checked at the end. */
  #typesIn(declaration: ts.Declaration, place: Place): readonly ts.Node[] {
    const { checkedTypes: seen } = this.#project
    // A type parameter is visited where it is declared.
    if (ts.isTypeParameterDeclaration(declaration) || seen.has(declaration)) return []
    seen.add(declaration)
    for (const member of membersOfUser(declaration)) this.#members.push({ node: member, place })
    return typesBesideMembers(declaration)
  }

  #reportForeign({ message, hint }: Mistake, { node, path }: Place): void {
    this.#project.problems.at(node, 'RPC125', message, { path, hint })
  }
}

/** `declarations` are those of the name in a type reference. An unknown name in a member is reported with the value of the member. */
function mistakeIn(
  node: ts.Node,
  declarations: readonly ts.Declaration[] | undefined,
  isMember: boolean,
  checker: ts.TypeChecker,
): Unresolved | undefined {
  const name = nameIn(node)
  if (name && !declarations && !isMember && isErrorType(checker.getTypeAtLocation(node))) {
    return whyUnresolved(missingAt(name, checker))
  }
  if (!isMember && lacksArguments(node, checker)) {
    const text = node.typeName.getText()
    return {
      subject: text,
      message: `${text} has no type arguments`,
      hint: `write ${text}<…>, with * if any value is allowed`,
    }
  }
  return ts.isHeritageClause(node) ? mistakeInBases(node, checker) : undefined
}

/** Returns why the checker ignores a base, and so its members: it extends the declaration, or is not an object type with known members. */
function mistakeInBases({ parent, types, token }: ts.HeritageClause, checker: ts.TypeChecker): Unresolved | undefined {
  const ignored = token === ts.SyntaxKind.ExtendsKeyword && types.find((each) => isIgnored(each, parent, checker))
  const base = ignored && declarationsOfName(ignored.expression, checker)
  // One without a declaration is not resolved, which is reported at its name.
  if (!base) return undefined
  const subject = parent.name?.text ?? 'a class'
  if (base.some((each) => ts.isInterfaceDeclaration(each) || ts.isClassLike(each)))
    return { subject, message: `${subject} extends itself`, hint: 'remove one `extends` of the circle' }
  const message = `${subject} does not have the members of ${ignored.getText()}, which it cannot extend`
  return { subject, message, hint: 'extend an interface, a class or an object type, or declare an intersection: A & B' }
}

function isIgnored(
  base: ts.ExpressionWithTypeArguments,
  declaration: ts.HeritageClause['parent'],
  checker: ts.TypeChecker,
): boolean {
  const type = checker.getTypeAtLocation(base)
  if (!ts.isInterfaceDeclaration(declaration)) return isErrorType(type)
  return !checker.getBaseTypes(checker.getTypeAtLocation(declaration) as ts.InterfaceType).includes(type)
}

/** Returns the types in a declaration other than its members, including the defaults of type parameters. */
function typesBesideMembers(node: ts.Node): readonly ts.Node[] {
  if (ts.isTypeAliasDeclaration(node)) return [...(node.typeParameters ?? []), node.type]
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassLike(node)) return []
  const indexes = [...node.members].filter(ts.isIndexSignatureDeclaration)
  return [...(node.typeParameters ?? []), ...(node.heritageClauses ?? []), ...indexes]
}

/** Returns the members of a user's declaration. */
function membersOfUser(node: ts.Declaration): readonly ts.Node[] {
  const hasMembers = ts.isInterfaceDeclaration(node) || ts.isClassLike(node)
  return hasMembers && !isInstalled(node.getSourceFile()) ? node.members : []
}

/** True for `{Array}` in JavaScript, whose elements are `any` for the checker. */
function lacksArguments(node: ts.Node, checker: ts.TypeChecker): node is ts.TypeReferenceNode {
  if (!(node.flags & ts.NodeFlags.JavaScriptFile) || !ts.isTypeReferenceNode(node) || node.typeArguments) return false
  const symbol = referenced(node, checker)
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false
  const { typeParameters = [] } = checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType
  return typeParameters.some((each) => !checker.getDefaultFromTypeParameter(each))
}

/** Points at a node unless it is in a package, where users cannot correct it. */
function pointingAt(node: ts.Node, place: Place): Place {
  return isInstalled(node.getSourceFile()) ? place : { ...place, node }
}

/** Rejects a declaration without a type: the checker infers `any`, so its values would not be checked. */
export function rejectUntyped(what: string, place: Place, { reject }: Pick<Resolver, 'reject'>): ModelType {
  return reject(place, 'RPC120', `${what} has no type`, 'declare one: unknown if any value is allowed')
}

/** True if a member or an index signature is declared without a type that cannot be inferred either. */
export function isUntyped(declaration: ts.Node | undefined, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!declaration || !isAnyOrAnyArray(type, checker)) return false
  if (ts.isIndexSignatureDeclaration(declaration)) return !declaration.type
  if (ts.isBinaryExpression(declaration)) return isUntypedValue(declaration.right) && !ts.getJSDocType(declaration)
  return (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) && lacksType(declaration)
}

/** Returns the assignment `this.steps = []`, which declares a member in JavaScript with the type of the value. */
export function assignedIn({ valueDeclaration: node }: ts.Symbol): ts.BinaryExpression | undefined {
  return node && ts.isBinaryExpression(node) ? node : undefined
}
