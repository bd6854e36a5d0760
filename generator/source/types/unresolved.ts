// Names, modules and types that are missing: the checker represents them as `any`, or drops them, for which validators would accept everything:
//
//   note: Nots, and no type Nots  →  RPC120: the type Nots is not resolved
import { ts } from 'ts-morph'
import { type ModelType, placeholderType } from '../../model/model.js'
import { allTypesIn } from '../../model/part.js'
import {
  contains,
  isAnyOrAnyArray,
  isErrorType,
  isUntypedValue,
  lacksType,
  referenced,
  symbolNamed,
  typeNodeOf,
} from '../program/checker.js'
import { type Dependencies, dependenciesOf } from '../program/dependencies.js'
import { missingAt, nameIn, type Unresolved, unresolvedModule, whyUnresolved } from '../program/missing.js'
import type { Place } from '../program/problems.js'
import { errorsIn, isInstalled, isOfPlatform, reportSyntax, visitNodes } from '../program/sources.js'
import { foreignRuleIn } from './foreign-rules.js'
import type { ResolveKind, Resolver } from './resolver-interface.js'

/** Rejects unresolved types. Names that refer to nothing are reported where they are written, all others in the words of TypeScript. */
export const rejectUnresolved: ResolveKind = (type, place, resolver) => {
  if (!isErrorType(type)) return undefined
  const { project, checker, checked, reject } = resolver
  const name = type.aliasSymbol?.name
  const written = writtenAt(place)
  const alias = written && referenced(written, checker)?.declarations?.find(ts.isTypeAliasDeclaration)
  const isReported = (each: ts.Node) => contains(each, (node) => checked.unresolved.has(node))
  if ((written && isReported(written)) || (alias && isReported(alias.type))) return placeholderType
  // TypeScript gives up on more than 100,000 texts.
  if (ts.isTemplateLiteralTypeNode(alias?.type ?? written ?? place.node))
    return reject(place, 'RPC124', tooManyTexts, hintForTexts)
  // Such as a wrong number of type arguments, which is an error where the alias is used.
  const causes = [alias, alias || name === undefined ? written : undefined]
  const [error] = causes.flatMap((each) => (each ? errorsIn(each, project) : []))
  const reason = error && ts.flattenDiagnosticMessageText(error.messageText, ' ').replace(/\.$/, '')
  if (reason) return reject(place, 'RPC120', `the type is not resolved: ${reason}`, 'correct the type')
  const [module] = written ? [] : dependenciesOf(place.node, checker).missing
  if (module) return rejectAs(unresolvedModule(module), place, resolver)
  if (mayFollowFromUnresolved(place, resolver)) return placeholderType
  return rejectAs(whyUnresolved(name === undefined ? {} : { name }), place, resolver)
}

/** True if what is wrong with a type at a place may follow from a name that refers to nothing and is reported where it is written. */
export function mayFollowFromUnresolved(place: Place, resolver: Resolver): boolean {
  const { checked, checker } = resolver
  const written = writtenAt(place)
  if (checked.unresolved.size === 0) return false
  if (!written) return true
  // The argument of a type parameter is written elsewhere.
  const isParameter = (node: ts.Node) =>
    ts.isTypeReferenceNode(node) &&
    symbolNamed(node.typeName, checker)?.declarations?.some(ts.isTypeParameterDeclaration) === true
  return contains(written, isParameter) || leadsToUnresolved([written], resolver)
}

/** True if one of the types that were reported is in written types, or in a declaration that they refer to. */
function leadsToUnresolved(
  written: readonly ts.TypeNode[],
  { checked, project }: Pick<Resolver, 'checked' | 'project'>,
): boolean {
  const { checker } = project
  if (checked.unresolved.size === 0) return false
  const seen = new Set<ts.Node>()
  let isFound = false
  const visit = (node: ts.Node, add: (next: ts.Node) => void) => {
    isFound ||= checked.unresolved.has(node)
    if (isFound || seen.has(node) || isOfPlatform(node, project)) return
    seen.add(node)
    const name = nameIn(node)
    const named = ts.isTypeNode(node) ? referenced(node, checker)?.declarations : undefined
    for (const each of named ?? (name && symbolNamed(name, checker)?.declarations) ?? []) add(each)
    ts.forEachChild(node, add)
  }
  for (const each of written) visitNodes(each, visit)
  return isFound
}

/**
 * Reports an inferred result that depends on itself, or on something without a type: the checker infers `any` for it, or for a part.
 * `reported` are the declarations that are reported already, if they have no type.
 */
export function checkInferred(
  type: ModelType,
  { nodes, isCircular, untyped, missing }: Dependencies,
  reported: ReadonlySet<ts.Node>,
  place: Place,
  resolver: Pick<Resolver, 'reject' | 'table' | 'checked' | 'project'>,
): void {
  const inferred = allTypesIn(type, resolver.table.byKey, ({ declared }) => !declared)
  if (inferred.every(({ kind }) => kind !== 'any')) return
  const reject = (node: ts.Node, message: string, hint: string) =>
    resolver.reject({ ...place, node }, 'RPC120', message, hint)
  const [[module], [nameless]] = [missing, untyped]
  if (module) rejectAs(unresolvedModule(module), place, resolver)
  else if (leadsToUnresolved(nodes, resolver)) return
  else if (nameless && reported.has(nameless)) return
  else if (nameless) reject(nameless, 'the result depends on this, which has no type', `give it one, or ${remedy}`)
  else if (isCircular) reject(place.node, 'the result depends on itself and has no type', remedy)
}

const remedy = 'write the type of the result'

const tooManyTexts = 'the template literal type has too many texts'

/** What to do instead of a type with too many texts. */
export const hintForTexts = 'declare string, and check the value in the procedure'

/** Returns the type that is written at a place. */
function writtenAt({ node }: Place): ts.TypeNode | undefined {
  return ts.isTypeNode(node) ? node : typeNodeOf(node)
}

/** Reports an import at itself and without a path: many types may come from it. */
function rejectAs(
  { code = 'RPC120', message, hint, import: node }: Unresolved,
  place: Place,
  { reject }: Pick<Resolver, 'reject'>,
): ModelType {
  return reject(node ? { ...place, node, owner: undefined } : place, code, message, hint)
}

/**
 * Checks written types, in which it reports names that refer to nothing: the checker ignores them silently. A missing type accepts every value, a
 * missing base type has no members, conditions on a missing type are true, and it has any keys. The checker also drops constraints where a
 * type is split.
 */
export class WrittenTypes {
  readonly #resolver: Pick<Resolver, 'project' | 'checked' | 'constrainer' | 'reject'>
  /** The members of declarations, whose types are checked at the end: most have values, and are checked before. */
  readonly #members: { readonly node: ts.Node; readonly place: Place }[] = []

  constructor(resolver: Pick<Resolver, 'project' | 'checked' | 'constrainer' | 'reject'>) {
    this.#resolver = resolver
  }

  /** Checks a written type, or the types in a declaration, and everything that these refer to. */
  check(node: ts.Node | undefined, place: Place): void {
    if (node && ts.isTypeNode(node)) this.#visit(node, place)
    else if (node) for (const type of typesBesideMembers(node)) this.#visit(type, place)
  }

  /** Checks the members without a value, such as those that `Omit` leaves out: which constraints they drop. Called once, at the end. */
  checkMembers(): void {
    // The type of a member can be part of another one, as in `Order['lines']`. The list grows while it is iterated.
    for (const { node, place } of this.#members) {
      const type = typeNodeOf(node)
      if (type) this.#visit(type, pointingAt(type, place), true)
    }
  }

  #visit(root: ts.Node, place: Place, isMember = false): void {
    visitNodes(root, (node, add) => this.#visitNode(node, place, isMember, add))
  }

  /**
   * Checks a node, and adds the nodes that it leads to. An unknown name in a member without a value is not reported: it changes nothing, except
   * that a condition on a type with such a member may be true because of it.
   */
  #visitNode(node: ts.Node, place: Place, isMember: boolean, add: (next: ts.Node) => void): void {
    const { project, checked, constrainer } = this.#resolver
    const { checker } = project
    // Tokens, such as `string` and names, contain no type.
    if (node.kind < ts.SyntaxKind.FirstNode || !this.#isFirst(node, isMember)) return
    if (reportSyntax(node.getSourceFile(), project)) return
    if (ts.isTypeElement(node) && !ts.isIndexSignatureDeclaration(node)) return void this.#members.push({ node, place })
    constrainer.checkWritten(node, place)
    const name = nameIn(node)
    const symbol = name && symbolNamed(name, checker)
    const declarations = symbol?.declarations
    const foreign = foreignRuleIn(node, declarations, checker)
    const { path } = place
    if (foreign)
      project.problems.at(pointingAt(node, place).node, 'RPC125', foreign.message, { path, hint: foreign.hint })
    const mistake = isMember ? undefined : mistakeIn(node, symbol, checker)
    if (mistake) {
      checked.unresolved.add(node)
      rejectAs(mistake, pointingAt(node, place), this.#resolver)
    }
    for (const each of declarations ?? []) this.#typesIn(each, place, isMember).forEach(add)
    ts.forEachChild(node, add)
  }

  /** Returns the types in a declaration that is not checked yet; its members are checked at the end. */
  #typesIn(declaration: ts.Declaration, place: Place, isMember: boolean): readonly ts.Node[] {
    // A type parameter is visited where it is declared.
    if (ts.isTypeParameterDeclaration(declaration) || !this.#isFirst(declaration, isMember)) return []
    for (const member of membersOfUser(declaration)) this.#members.push({ node: member, place })
    return typesBesideMembers(declaration)
  }

  /** Takes note of a node that is checked; false if it was before. */
  #isFirst(node: ts.Node, isMember: boolean): boolean {
    const { types, members } = this.#resolver.checked
    const seen = isMember ? members : types
    if (types.has(node) || seen.has(node)) return false
    seen.add(node)
    return true
  }
}

/** Returns why the checker does not resolve a node of a written type; `symbol` is that of its name. */
function mistakeIn(node: ts.Node, symbol: ts.Symbol | undefined, checker: ts.TypeChecker): Unresolved | undefined {
  const missing = symbol?.declarations ? undefined : missingAt(node, checker)
  if (missing) return whyUnresolved(missing)
  if (ts.isLiteralTypeNode(node)) return mistakeInLiteral(node)
  // As the keys of a record it would be any.
  if (ts.isTemplateLiteralTypeNode(node) && isErrorType(checker.getTypeAtLocation(node)))
    return { code: 'RPC124', message: tooManyTexts, hint: hintForTexts }
  if (ts.isTypeReferenceNode(node) && lacksArguments(node, symbol, checker)) {
    const text = node.typeName.getText()
    return { message: `${text} has no type arguments`, hint: `write ${text}<…>${anyArgument(node)}` }
  }
  return ts.isHeritageClause(node) ? mistakeInBases(node, checker) : undefined
}

/** Returns why a literal is another number than the written one: TypeScript rounds integers above 2 ** 53. */
function mistakeInLiteral(node: ts.LiteralTypeNode): Unresolved | undefined {
  const text = node.getText().replaceAll('_', '')
  const value = /^-?\d+$/.test(text) ? Number(text) : 0
  if (!Number.isFinite(value) || value === 0 || BigInt(text) === BigInt(value)) return undefined
  const message = `TypeScript rounds ${text} to ${BigInt(value)}`
  return ts.isTypeReferenceNode(node.parent)
    ? {
        code: 'RPC125',
        message,
        hint: 'limits are doubles: write an exact one, as ExclusiveMaximum<9223372036854775808>',
      }
    : { code: 'RPC121', message, hint: `write a bigint: ${text}n` }
}

function mistakeInBases(clause: ts.HeritageClause, checker: ts.TypeChecker): Unresolved | undefined {
  const base = ignoredBase(clause, checker)
  const declarations = base && symbolNamed(base.expression, checker)?.declarations
  // One without a declaration is reported at its name.
  if (!declarations) return undefined
  const name = clause.parent.name?.text ?? 'a class'
  const isGeneric = declarations.some((each) => 'typeParameters' in each && each.typeParameters !== undefined)
  const isType = declarations.some((each) => ts.isInterfaceDeclaration(each) || ts.isClassLike(each))
  if (isType && (base.typeArguments || !isGeneric))
    return { message: `${name} extends itself`, hint: 'remove one `extends` of the circle' }
  const message = `${name} does not have the members of ${base.getText()}, which it cannot extend`
  return { message, hint: 'extend an interface, a class or an object type, with all type arguments' }
}

/** True for an interface or a class without the type arguments that it requires: in JavaScript they are `any`. */
function lacksArguments(
  { typeArguments }: ts.TypeReferenceNode,
  symbol: ts.Symbol | undefined,
  checker: ts.TypeChecker,
): boolean {
  if (typeArguments || !symbol || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false
  // Without those of a generic function or class that it is declared in.
  const { localTypeParameters = [] } = checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType
  return localTypeParameters.some((each) => !checker.getDefaultFromTypeParameter(each))
}

function anyArgument({ flags }: ts.Node): string {
  return flags & ts.NodeFlags.JavaScriptFile ? ', with * if any value is allowed' : ''
}

/** Returns a base that the checker ignores, and so its members: it extends the declaration, or is not an object type with known members. */
function ignoredBase({ parent, types, token }: ts.HeritageClause, checker: ts.TypeChecker) {
  if (token !== ts.SyntaxKind.ExtendsKeyword) return undefined
  if (!ts.isInterfaceDeclaration(parent)) return types.find((each) => isErrorType(checker.getTypeAtLocation(each)))
  const bases: readonly ts.Type[] = checker.getBaseTypes(checker.getTypeAtLocation(parent) as ts.InterfaceType)
  return types.find((each) => !bases.includes(checker.getTypeAtLocation(each)))
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
export function assignmentOf({ valueDeclaration: node }: ts.Symbol): ts.BinaryExpression | undefined {
  return node && ts.isBinaryExpression(node) ? node : undefined
}
