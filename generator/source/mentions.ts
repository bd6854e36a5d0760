import { ts } from 'ts-morph'
import { defaultsOf, taken } from './arguments.js'
import { typeNodeOf } from './properties.js'
import {
  accessed,
  behindQuery,
  containerAt,
  filters,
  isReadonly,
  isRemembered,
  referenced,
  type Step,
  transparent,
} from './type-nodes.js'

type Lost = 'as a type argument' | 'as a key' | undefined

/** A name that a type is written with, anywhere in it. */
export interface Mention {
  /** Where the text that was asked about says it. */
  readonly at: ts.Node
  readonly node: ts.Node
  readonly symbol: ts.Symbol
  /** As what it stands where its constraints are lost, whatever comes out. */
  readonly lost: Lost
}

/** A union that a type is written with, and where the text that was asked about says it. */
export interface WrittenUnion {
  readonly at: ts.Node
  readonly node: ts.UnionTypeNode
}

/** What `mentionsIn` finds. */
export interface Mentions {
  readonly names: readonly Mention[]
  readonly unions: readonly WrittenUnion[]
}

/**
 * Every name that a type is written with, and that the checker forgets: also behind aliases, operators and accesses. And every
 * union on the way.
 */
export function mentionsIn(root: ts.Node, checker: ts.TypeChecker, as?: Lost): Mentions {
  const found: Mention[] = []
  const unions: WrittenUnion[] = []
  const seen = new Set<ts.Node>()
  const visit = (node: ts.Node, at: ts.Node | undefined, lost: Lost, within: boolean): void => {
    // Members are places of their own, and what is asked about in a condition comes to nobody.
    if (seen.has(node) || ts.isFunctionTypeNode(node)) return
    seen.add(node)
    if (ts.isTypeLiteralNode(node)) {
      for (const { type, isKey } of indexTypes(node)) visit(type, at, isKey ? 'as a key' : lost, within)
      return
    }
    const down = (child: ts.Node | undefined, isLost = lost) => child && visit(child, at, isLost, within)
    if (ts.isConditionalTypeNode(node)) return void [node.trueType, node.falseType].map((each) => down(each))
    if (ts.isTypeOperatorNode(node) && !isReadonly(node)) return
    if (ts.isMappedTypeNode(node)) {
      down(node.typeParameter.constraint, 'as a key')
      down(node.nameType, 'as a key')
      return void down(node.type)
    }
    if (ts.isTypeReferenceNode(node) || ts.isTypeQueryNode(node) || ts.isImportTypeNode(node)) {
      const step = behindName(node, checker)
      const remembered = step?.symbol && !within && isRemembered(node, step.symbol, checker)
      if (step?.symbol && !remembered) {
        for (const each of step.declarations) found.push({ at: at ?? node, node: each, symbol: step.symbol, lost })
        if (step.next) visit(step.next, at ?? node, lost, within)
      }
      const gone = step?.symbol ? lostIn(node, step.symbol, checker) : undefined
      for (const each of gone?.members ?? []) found.push({ at: at ?? node, ...each, lost: 'as a type argument' })
      for (const each of gone?.texts ?? []) visit(each, at ?? node, 'as a type argument', within)
      return void node.typeArguments?.forEach((each, i) => {
        down(each, lost ?? losesArgument(node, i))
      })
    }
    if (ts.isIndexedAccessTypeNode(node)) {
      for (const symbol of accessed(node, checker)) {
        for (const each of symbol.declarations ?? []) {
          found.push({ at: at ?? node, node: each, symbol, lost })
          const next = typeNodeOf(each)
          if (next) visit(next, at ?? node, lost, within)
        }
      }
      return void down(node.objectType)
    }
    const inside = within || ts.isTemplateLiteralTypeNode(node)
    if (ts.isUnionTypeNode(node) && !inside) unions.push({ at: at ?? node, node })
    ts.forEachChild(node, (child) => visit(child, at, lost, inside))
  }
  visit(root, undefined, as, false)
  return { names: found, unions }
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
  const members = taken(node, symbol, checker).flatMap((each) =>
    (each.declarations ?? []).map((declared) => ({ node: declared, symbol: each })),
  )
  return { members, texts: [...members.flatMap((each) => typeNodeOf(each.node) ?? []), ...defaultsOf(node, symbol)] }
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
