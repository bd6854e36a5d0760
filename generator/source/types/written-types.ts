import { ts } from 'ts-morph'
import type { Constrainer } from '../constraints/constrainer.js'
import { isErrorType, referenced, typeNodeOf } from '../program/checker.js'
import { declarationsOfName, missingAt, nameIn, type Unresolved, whyUnresolved } from '../program/missing.js'
import type { Mistake, Place } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isInstalled } from '../program/sources.js'
import { foreignRuleIn } from './foreign-rules.js'
import { rejectAs } from './rejected.js'
import type { Resolver } from './resolver-interface.js'

/** Checks written types: the checker drops unknown names, and constraints where a type is split. */
export interface WrittenTypes {
  /** Checks a written type, or the types in a declaration, and everything that these refer to. */
  check(node: ts.Node | undefined, place: Place): void
  /** Reports the unknown names that were not reported elsewhere; called once, at the end. */
  report(resolver: Pick<Resolver, 'reject' | 'unresolved'>): void
}

/**
 * An unresolved type is rejected if it has values. In other positions the checker ignores it silently: a missing base type
 * has no members, conditions on a missing type are true, and it has any keys.
 */
export function createWrittenTypes(
  { checker, checkedTypes: seen, problems }: OpenProject,
  { checkWritten }: Pick<Constrainer, 'checkWritten'>,
): WrittenTypes {
  const found: (Unresolved & { readonly place: Place })[] = []
  const members: { readonly node: ts.Node; readonly place: Place }[] = []
  const reportAt = ({ node, path }: Place, { message, ...hint }: Mistake) =>
    problems.at(node, 'RPC125', message, { path, ...hint })
  const visit = (node: ts.Node, place: Place, isMember = false): void => {
    // Tokens, such as `string` and names, contain no type.
    if (node.kind < ts.SyntaxKind.FirstNode || seen.has(node)) return
    seen.add(node)
    // Members are checked if they have values.
    if (ts.isTypeElement(node) && !ts.isIndexSignatureDeclaration(node)) return void members.push({ node, place })
    checkWritten(node, place)
    const foreign = foreignRuleIn(node, checker)
    if (foreign) reportAt(pointingAt(node, place), foreign)
    const name = nameIn(node)
    const declarations = name && declarationsOfName(name, checker)
    const mistake = mistakeIn(node, declarations, isMember, checker)
    if (mistake) found.push({ ...mistake, place: pointingAt(node, place) })
    for (const each of declarations ?? []) visitDeclaration(each, place, isMember)
    ts.forEachChild(node, (child) => visit(child, place, isMember))
  }
  const visitDeclaration = (declaration: ts.Declaration, place: Place, isMember: boolean): void => {
    // A type parameter is visited where it is declared.
    if (ts.isTypeParameterDeclaration(declaration) || seen.has(declaration)) return
    seen.add(declaration)
    for (const each of typesBesideMembers(declaration)) visit(each, place, isMember)
    for (const member of membersOfUser(declaration)) members.push({ node: member, place })
  }
  return {
    check(node, place) {
      if (node && ts.isTypeNode(node)) visit(node, place)
      else if (node) for (const text of typesBesideMembers(node)) visit(text, place)
    },
    report(resolver) {
      // The type of a member can be part of another one, as in `Order['lines']`. The list grows while it is iterated.
      for (const { node, place } of members) {
        const text = typeNodeOf(node)
        if (text) visit(text, pointingAt(text, place), true)
      }
      for (const mistake of found)
        if (!resolver.unresolved.has(mistake.subject)) rejectAs(mistake, mistake.place, resolver)
    },
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
  if (!ts.isHeritageClause(node) || !extendsItself(node.parent, checker)) return undefined
  const subject = node.parent.name?.text ?? 'a class'
  return { subject, message: `${subject} extends itself`, hint: 'remove one `extends` of the circle' }
}

/** True if an interface or a class extends itself, perhaps through others: the checker ignores the members of these. */
function extendsItself(declaration: ts.HeritageClause['parent'], checker: ts.TypeChecker): boolean {
  const basesOf = ({ heritageClauses }: { readonly heritageClauses?: readonly ts.HeritageClause[] }) =>
    (heritageClauses ?? [])
      .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
      .flatMap(({ types }) => types.flatMap(({ expression }) => declarationsOfName(expression, checker) ?? []))
  const all = new Set<ts.Node>(basesOf(declaration))
  for (const each of all) for (const base of basesOf(each as Partial<ts.HeritageClause['parent']>)) all.add(base)
  return all.has(declaration)
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
