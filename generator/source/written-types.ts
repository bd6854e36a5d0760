import { ts } from 'ts-morph'
import { typeNodeOf } from './annotations.js'
import type { Constrainer } from './constraints/constrain.js'
import { unaliased } from './declarations.js'
import type { Place, Problems } from './problems.js'
import type { Resolver } from './resolver.js'
import { isErrorType, referenced } from './symbols.js'
import { unresolved } from './types/refused.js'

/** A name that a type is written with, and that stands for nothing. */
interface UnknownName {
  readonly name: string
  readonly place: Place
}

/** Checks how types are written: the checker drops names that it does not know, and constraints where a type is taken apart. */
export interface WrittenTypes {
  /** Checks a written type, or what a declaration is written with, and all that these refer to. */
  check(node: ts.Node | undefined, place: Place): void
  /** Reports the unknown names that nothing else has reported; to be called once, at the end. */
  report(resolver: Pick<Resolver, 'refuse'>): void
}

/**
 * A type that is not resolved is refused where values are of it. Elsewhere the checker goes on without a word: a base that is
 * missing has no members, what is asked of a missing type is true, and its keys are anybody's.
 */
export function createWrittenTypes(
  checker: ts.TypeChecker,
  problems: Problems,
  { checkWritten }: Pick<Constrainer, 'checkWritten'>,
): WrittenTypes {
  const found: UnknownName[] = []
  const bare: UnknownName[] = []
  const members: { readonly node: ts.Node; readonly place: Place }[] = []
  const seen = new Set<ts.Node>()
  const visit = (node: ts.Node, place: Place, isMember = false): void => {
    if (seen.has(node)) return
    seen.add(node)
    // Members are checked where values are of them.
    if (ts.isTypeElement(node) && !ts.isIndexSignatureDeclaration(node)) return void members.push({ node, place })
    checkWritten(node, place)
    const name = nameIn(node)
    const declarations = name && declarationsOf(name, checker)
    if (name && !declarations && !isMember && isErrorType(checker.getTypeAtLocation(node)))
      found.push({ name: name.getText(), place: pointingAt(node, place) })
    if (!isMember && isBare(node, checker)) bare.push({ name: node.typeName.getText(), place: { ...place, node } })
    for (const text of (declarations ?? []).flatMap(textsOf)) visit(text, place, isMember)
    for (const member of (declarations ?? []).flatMap(membersOf)) members.push({ node: member, place })
    ts.forEachChild(node, (child) => visit(child, place, isMember))
  }
  return {
    check(node, place) {
      if (node && ts.isTypeNode(node)) visit(node, place)
      else if (node) for (const text of textsOf(node)) visit(text, place)
    },
    report({ refuse }) {
      // The type of a member can be part of another one, as by `Order['lines']`. The list grows.
      for (const { node, place } of members) {
        const text = typeNodeOf(node)
        if (text) visit(text, pointingAt(text, place), true)
      }
      for (const { name, place } of found) {
        const [message, hint] = unresolved(name)
        if (!problems.list.some((each) => each.message.startsWith(message))) refuse(place, 'RPC120', message, hint)
      }
      for (const { name, place } of bare)
        refuse(place, 'RPC120', `${name} does not say of what`, `write ${name}<…>, with * where anything is welcome`)
    },
  }
}

/** What a part of a type refers to something by. */
function nameIn(node: ts.Node): ts.EntityName | ts.Expression | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName
  return ts.isExpressionWithTypeArguments(node) ? node.expression : undefined
}

/** Undefined for a name that stands for nothing, and for one that is a type in JavaScript though nobody declares it. */
function declarationsOf(name: ts.Node, checker: ts.TypeChecker): readonly ts.Declaration[] | undefined {
  const symbol = checker.getSymbolAtLocation(name)
  return symbol && unaliased(symbol, checker).declarations
}

/** What a declaration is written with, its members aside: what its type parameters are by default, too. */
function textsOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isTypeAliasDeclaration(node)) return [...(node.typeParameters ?? []), node.type]
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassLike(node)) return []
  const indexes = [...node.members].filter(ts.isIndexSignatureDeclaration)
  return [...(node.typeParameters ?? []), ...(node.heritageClauses ?? []), ...indexes]
}

/** The members of a declaration of the user. */
function membersOf(node: ts.Declaration): readonly ts.Node[] {
  const hasMembers = ts.isInterfaceDeclaration(node) || ts.isClassLike(node)
  return hasMembers && !isInstalled(node) ? node.members : []
}

function isInstalled(node: ts.Node): boolean {
  return node.getSourceFile().fileName.includes('/node_modules/')
}

/** `{Array}` in JavaScript: what is inside is `any` to the checker. */
function isBare(node: ts.Node, checker: ts.TypeChecker): node is ts.TypeReferenceNode {
  if (!(node.flags & ts.NodeFlags.JavaScriptFile) || !ts.isTypeReferenceNode(node) || node.typeArguments) return false
  const symbol = referenced(node, checker)
  if (!symbol || !(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return false
  const { typeParameters = [] } = checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType
  return typeParameters.some((each) => !checker.getDefaultFromTypeParameter(each))
}

/** In a package's declarations nobody could change anything. */
function pointingAt(node: ts.Node, place: Place): Place {
  return isInstalled(node) ? place : { ...place, node }
}
