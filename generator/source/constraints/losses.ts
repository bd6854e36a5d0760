import { ts } from 'ts-morph'
import type { TypesByName } from '../../../runtime/schema/description.js'
import type { MemberOf } from '../../../runtime/values/types.js'
import { mayConstrain } from '../../docs/index.js'
import { canHave } from '../../model/constrain.js'
import { everyPart } from '../../model/every-part.js'
import type { ModelType, NameRef } from '../../model/model.js'
import { docCommentsIn } from '../comments/comments.js'
import type { Place } from '../problems.js'
import { saidOfMember } from '../text/answered.js'
import { defaultsOf } from '../text/arguments.js'
import { hasParameter } from '../text/outcomes.js'
import { declarationsOf, isDeclaredAs, sayingOf } from '../text/properties.js'
import { typeNodeOf } from '../text/written.js'
import type { Asking, Demand } from './demands.js'
import { reportDiffering } from './differing.js'
import { hintAt, reportJoined } from './joined.js'
import { isKept, isLost } from './lost.js'
import { reportKeys } from './lost-keys.js'
import { reportGiven } from './lost-lists.js'
import { reportMapped } from './lost-members.js'
import { type Mention, mentionsIn } from './mentions.js'

/** Reports the constraints that a source says and that no validator would have. */
export interface Losses {
  /** Of a parameter, a result or a named type. */
  checkRoot(place: Place, resolved: ModelType): void
  /** Of the names of members that are not declared. */
  checkKeys(type: ts.Type, place: Place): void
  /** Of the members of a struct, and of what an interface says beside them. */
  checkMembers(resolved: Extract<ModelType, { kind: 'struct' }>, type: ts.Type, place: Place): void
}

/** What losses are found out by. */
interface Known extends Asking {
  /** The comments that were read, by the position where they begin. */
  readonly isRead: (source: ts.SourceFile, start: number) => boolean
  readonly reach: (nodes: readonly ts.Node[]) => void
  readonly isCounted: (source: ts.SourceFile) => boolean
  readonly types: TypesByName
  readonly refuseUnfit: (demand: Demand, unfit: Demand['found'][number]) => void
}

export function createLosses(known: Known): Losses {
  const { checker, demandOf } = known
  const check = (root: ts.Node, resolved: ModelType, place: Place, as?: Mention['lost']): void =>
    checkText(root, resolved, place, known, as)
  const checkMember = (property: ts.Symbol, member: MemberOf<NameRef>, place: Place): void => {
    known.reach(declarationsOf(property))
    reportMapped(property, place, known)
    reportDiffering(property, place, known)
    const inferred = saidOfMember(property, checker.getTypeOfSymbol(property), checker)?.typeNode
    if (inferred) check(inferred, member.type, place)
    for (const declaration of sayingOf(property, checker)) {
      const typeNode = typeNodeOf(declaration)
      if (!typeNode || ts.isSetAccessor(declaration)) continue
      const changed = !isDeclaredAs(declaration, checker.getTypeOfSymbol(property), checker)
      // A mapped type may make another type of a member, and leave it its comment.
      if (changed && !hasParameter(typeNode, checker)) continue
      if (changed) refuseUnfitArgument(demandOf(declaration), member.type, known)
      check(typeNode, member.type, place)
    }
  }
  return {
    checkRoot(place, resolved) {
      const root = rootOf(place)
      if (root) check(root, resolved, place)
    },
    checkKeys: (type, place) => reportKeys(type, place, known),
    checkMembers(resolved, type, place) {
      known.reach(checker.getIndexInfosOfType(type).flatMap(({ declaration }) => declaration ?? []))
      for (const member of resolved.members) {
        const property = type.getProperty(member.name)
        if (property) checkMember(property, member, place)
      }
      const declared = (place.declared ?? []).filter((each) => ts.isInterfaceDeclaration(each) || ts.isClassLike(each))
      for (const each of declared)
        for (const [root, as] of besideMembers(each, checker)) check(root, resolved, place, as)
    },
  }
}

/** Reports what is lost of all that a text is written with. */
function checkText(root: ts.Node, resolved: ModelType, { path }: Place, known: Known, as?: Mention['lost']): void {
  const { checker, problems, demandOf, types } = known
  reportUnread(root, known)
  const parts = everyPart(resolved, types)
  const { names, given, unions } = mentionsIn(root, checker, as)
  const joined = reportJoined(unions, path, known)
  const differing = names.filter((each) => !each.lost && reportDiffering(each.symbol, { node: each.at, path }, known))
  const reported = [...joined, ...differing.map(({ at }) => at)]
  for (const { at, node, symbol, lost } of names) {
    const demand = demandOf(node)
    if (!demand || (lost === 'in a template' && isKept(demand, parts))) continue
    if (!lost && (isIn(at, reported) || !isLost(demand, parts, types))) continue
    const message = `${lost ? `${lost} ` : ''}${symbol.name} loses its constraints${lost ? '' : ' here'}`
    problems.at(at, 'RPC127', message, { path, hint: hintAt(lost, symbol) })
  }
  reportGiven(given, parts, path, known)
}

/** Whether something is said there already: a name in a union that was reported. */
function isIn(at: ts.Node, reported: readonly ts.Node[]): boolean {
  const source = at.getSourceFile()
  return reported.some((each) => each.getSourceFile() === source && each.pos <= at.pos && at.end <= each.end)
}

/** The text of a whole parameter, result or alias; undefined for a part of one, which is looked at with the whole. */
function rootOf({ depth, typeNode, node, declared }: Place): ts.TypeNode | undefined {
  const alias = declared?.find(ts.isTypeAliasDeclaration)
  if (typeNode && (depth === 0 || alias?.type === typeNode)) return typeNode
  // A result whose text is not that of what is awaited.
  return depth === 0 && !typeNode && !declared && ts.isTypeNode(node) ? node : undefined
}

/** A member of a generic type whose argument cannot have what the member demands. */
function refuseUnfitArgument(demand: Demand | undefined, type: ModelType, { types, refuseUnfit }: Known): void {
  const branches = type.kind === 'union' ? type.branches : [type]
  const unfit = demand?.found.find(({ name }) => !branches.some((each) => canHave(each, name, types)))
  if (demand && unfit) refuseUnfit(demand, unfit)
}

/** What an interface or a class says that is no member: what it extends, and its index signatures. */
function besideMembers(
  node: ts.InterfaceDeclaration | ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): [ts.Node, Mention['lost']][] {
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types)
  const args = bases.flatMap((each) => {
    const symbol = checker.getTypeAtLocation(each).getSymbol()
    return [...(each.typeArguments ?? []), ...(symbol ? defaultsOf(each, symbol) : [])]
  })
  const indexes = [...node.members].filter(ts.isIndexSignatureDeclaration)
  const keys = indexes.flatMap(({ parameters }) => parameters.flatMap((each) => each.type ?? []))
  return [
    ...args.map((each): [ts.Node, Mention['lost']] => [each, 'as a type argument']),
    ...indexes.map(({ type }): [ts.Node, Mention['lost']] => [type, undefined]),
    ...keys.map((each): [ts.Node, Mention['lost']] => [each, 'as a key']),
  ]
}

/** Reports comments within a type that nothing has read, members aside: they are places of their own. */
function reportUnread(root: ts.Node, { problems, isRead, isCounted }: Known): void {
  const source = root.getSourceFile()
  const text = root.getFullText()
  if (!isCounted(source) || !text.includes('/**') || !mayConstrain(text)) return
  const members = membersIn(root)
  for (const comment of docCommentsIn(text)) {
    const start = root.getFullStart() + comment.start
    const isMember = members.some((each) => each.getFullStart() <= start && start < each.getEnd())
    if (isMember || !mayConstrain(comment.text) || isRead(source, start)) continue
    const position = problems.positionIn(source, start)
    const hint = 'put the constraint on a named type, and write that one here'
    problems.add({ code: 'RPC142', message: 'a constraint counts for nothing here', position, hint })
  }
}

function membersIn(node: ts.Node): ts.Node[] {
  if (ts.isTypeLiteralNode(node)) return [...node.members]
  const found: ts.Node[] = []
  ts.forEachChild(node, (child) => void found.push(...membersIn(child)))
  return found
}
