import { ts } from 'ts-morph'
import { accessed } from '../text/accessed.js'
import { defaultsOf, taken } from '../text/arguments.js'
import { referenced } from '../text/referenced.js'
import { resultNode } from '../text/remade.js'
import {
  behindQuery,
  containerAt,
  filters,
  isReadonly,
  isRemembered,
  namedBy,
  type Step,
  transparent,
} from '../text/type-nodes.js'
import { typeNodeOf } from '../text/written.js'

type Lost = 'as a type argument' | 'as a key' | 'as the rest of a tuple' | 'in a template' | undefined

/** A name that a type is written with, anywhere in it. */
export interface Mention {
  /** Where the text that was asked about says it. */
  readonly at: ts.Node
  readonly node: ts.Node
  readonly symbol: ts.Symbol
  /** As what it stands where its constraints are lost, whatever comes out. */
  readonly lost: Lost
}

/** A name that the checker keeps, and the generic type that it is an argument of. */
export interface Given extends Mention {
  readonly to: ts.TypeNode
}

/** A union that a type is written with, and where the text that was asked about says it. */
export interface WrittenUnion {
  readonly at: ts.Node
  readonly node: ts.UnionTypeNode
}

/** What `mentionsIn` finds. */
export interface Mentions {
  readonly names: readonly Mention[]
  readonly given: readonly Given[]
  readonly unions: readonly WrittenUnion[]
}

/** Where a node stands in the text that was asked about. */
interface Where {
  readonly at?: ts.Node
  readonly lost: Lost
  /** Inside of a template, of which the checker keeps the text alone. */
  readonly within?: boolean
  /** An element is taken out of it: a name that the checker knows the whole by says nothing about that. */
  readonly takenOut?: boolean
  /** The generic type that it is an argument of. */
  readonly to?: ts.TypeNode
}

/**
 * Every name that a type is written with, and that the checker forgets: also behind aliases, operators and accesses. And every
 * union on the way.
 */
export function mentionsIn(root: ts.Node, checker: ts.TypeChecker, as?: Lost): Mentions {
  const walk: Walk = { checker, seen: new Set(), names: [], given: [], unions: [] }
  visit(root, { lost: as }, walk)
  return walk
}

/** What was found so far. */
interface Walk {
  readonly checker: ts.TypeChecker
  readonly seen: Set<ts.Node>
  readonly names: Mention[]
  readonly given: Given[]
  readonly unions: WrittenUnion[]
}

function visit(node: ts.Node | undefined, where: Where, walk: Walk): void {
  const { checker, seen, names, unions } = walk
  // Members are places of their own, and what is asked about in a condition comes to nobody.
  if (!node || seen.has(node) || ts.isFunctionTypeNode(node)) return
  seen.add(node)
  const here = { ...where, at: where.at ?? node }
  const asKey: Where = { ...where, lost: 'as a key' }
  if (ts.isTypeLiteralNode(node)) {
    for (const { type, isKey } of indexTypes(node)) visit(type, isKey ? asKey : where, walk)
  } else if (ts.isConditionalTypeNode(node)) {
    for (const each of [node.trueType, node.falseType]) visit(each, where, walk)
  } else if (ts.isMappedTypeNode(node)) {
    for (const each of [node.typeParameter.constraint, node.nameType]) visit(each, asKey, walk)
    visit(node.type, where, walk)
  } else if (ts.isTypeReferenceNode(node) || ts.isTypeQueryNode(node) || ts.isImportTypeNode(node)) {
    visitName(node, where, walk)
  } else if (ts.isIndexedAccessTypeNode(node)) {
    for (const symbol of accessed(node, checker)) {
      for (const each of symbol.declarations ?? []) {
        names.push({ at: here.at, node: each, symbol, lost: where.lost })
        visit(typeNodeOf(each), here, walk)
      }
    }
    const isTuple = checker.isTupleType(checker.getTypeFromTypeNode(node.objectType))
    visit(node.objectType, isTuple ? { ...where, takenOut: true } : where, walk)
  } else if (!ts.isTypeOperatorNode(node) || isReadonly(node)) {
    names.push(...restNames(node, checker).map((each) => ({ at: here.at, ...each })))
    const within = where.within || ts.isTemplateLiteralTypeNode(node)
    if (ts.isUnionTypeNode(node) && !within) unions.push({ at: here.at, node })
    const lost = where.lost ?? (within ? 'in a template' : undefined)
    ts.forEachChild(node, (child) => visit(child, { ...where, within, lost, takenOut: false }, walk))
  }
}

function visitName(node: Naming, where: Where, walk: Walk): void {
  const { checker, names, given } = walk
  const here = { ...where, at: where.at ?? node }
  const { at, lost, to = node } = here
  const result = resultNode(node, checker)
  if (result) {
    visit(result, here, walk)
    return
  }
  const { symbol, declarations = [], next } = behindName(node, checker) ?? {}
  const said = symbol ? declarations.map((each) => ({ at, node: each, symbol, lost })) : []
  const remembered = symbol && !where.within && !where.takenOut && isRemembered(node, symbol, checker)
  if (remembered && where.to) given.push(...said.map((each) => ({ ...each, to })))
  if (!remembered) {
    names.push(...said)
    visit(next, here, walk)
  }
  const gone = symbol && lostIn(node, symbol, checker)
  for (const each of gone?.members ?? []) names.push({ at, ...each, lost: 'as a type argument' })
  for (const each of gone?.texts ?? []) visit(each, { ...here, to, lost: 'as a type argument' }, walk)
  for (const [i, each] of (node.typeArguments ?? []).entries()) {
    const loses = losesArgument(node, i)
    visit(each, { ...where, lost: lost ?? loses, ...(loses === 'as a type argument' && { to }) }, walk)
  }
}

/** The names of the list that a tuple ends with: its elements are in the tuple, and what it says of their number is not. */
function restNames(node: ts.Node, checker: ts.TypeChecker): Omit<Mention, 'at'>[] {
  const isRest = ts.isRestTypeNode(node) || (ts.isNamedTupleMember(node) && node.dotDotDotToken)
  if (!isRest) return []
  return namedBy(node.type, checker).flatMap((each) =>
    each.symbol ? [{ node: each.node, symbol: each.symbol, lost: 'as the rest of a tuple' as const }] : [],
  )
}

/** What index signatures are written with. */
function indexTypes({ members }: ts.TypeLiteralNode): { readonly type: ts.TypeNode; readonly isKey: boolean }[] {
  return members.filter(ts.isIndexSignatureDeclaration).flatMap(({ type, parameters }) => {
    const keys = parameters.flatMap((each) => each.type ?? [])
    return [...keys.map((key) => ({ type: key, isKey: true })), { type, isKey: false }]
  })
}

/** What a name loses beside the arguments that are written: members that are taken out of them, and defaults. */
function lostIn(node: Naming, symbol: ts.Symbol, checker: ts.TypeChecker) {
  const all = taken(node, symbol, checker)
  const results = all.flatMap((each) => ('kind' in each ? each : []))
  const members = all.flatMap((each) =>
    'kind' in each ? [] : (each.declarations ?? []).map((declared) => ({ node: declared, symbol: each })),
  )
  const texts = [...results, ...members.flatMap((each) => typeNodeOf(each.node) ?? []), ...defaultsOf(node, symbol)]
  return { members, texts }
}

type Naming = ts.TypeReferenceNode | ts.TypeQueryNode | ts.ImportTypeNode

function behindName(node: Naming, checker: ts.TypeChecker): Step | undefined {
  if (ts.isTypeQueryNode(node)) return behindQuery(node, checker)
  const symbol = referenced(node, checker)
  const alias = symbol?.declarations?.find(ts.isTypeAliasDeclaration)
  return symbol && { symbol, declarations: symbol.declarations ?? [], next: alias?.type }
}

/** Whether a type argument comes to a place where the checker has only its type: keys, and generics of the user's own. */
function losesArgument(node: Naming, index: number): Lost {
  const at = containerAt(node)
  if (at !== undefined) return index === at ? undefined : 'as a key'
  const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : ''
  return transparent.has(name) || filters.has(name) || name === 'Awaited' ? undefined : 'as a type argument'
}
