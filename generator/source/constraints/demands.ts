import { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain, misplacedConstraints } from '../../docs/index.js'
import { type CommentKey, commentBefore, keyOf, type PlacedComment, reportInComment } from '../comments/comments.js'
import type { Place, Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { isTyped } from '../text/properties.js'
import { branchNode, namedBy } from '../text/type-nodes.js'
import { typeNodeOf } from '../text/written.js'
import { isCounted } from './counted.js'
import { hintElsewhere, hintInPlace, reportUnreadOf } from './unread.js'

/** What a declaration's doc comment demands of its values. */
export interface Demand extends ConstraintTags {
  readonly comment: PlacedComment
  /** What the comment stands before. */
  readonly node: ts.Node
}

/** Whether a comment says a constraint, and not only one that is miswritten. */
export function constrains(demand: Demand | undefined): demand is Demand {
  return Object.keys(demand?.constraints ?? {}).length > 0
}

/** What lost demands are looked for with. */
export interface Asking {
  readonly checker: ts.TypeChecker
  readonly problems: Problems
  readonly demandOf: (node: ts.Node) => Demand | undefined
}

/** What comments demand, each read once. */
export interface Demands {
  demandOf(node: ts.Node): Demand | undefined
  /** Of the declarations and the names of a place; those of the name `own` aside, which are in its type. */
  demandsAt(place: Place, type?: ts.Type, own?: ts.Symbol): Demand[]
  /** Whether the comment that begins at a position was read. */
  isRead(source: ts.SourceFile, start: number): boolean
  /** Notes declarations that types lead to: whatever their comments demand is read, or to be reported. */
  reach(nodes: readonly ts.Node[]): void
  /** Notes places that people may take for those of a procedure; its own comment is looked at by itself. */
  notice(own: PlacedComment, nodes: readonly ts.Node[]): void
  /** Reports demands that nothing has read; to be called once, at the end. */
  reportUnread(): void
}

export function createDemands({ checker, program }: OpenProject, problems: Problems): Demands {
  const known = new Map<ts.Node, Demand | undefined>()
  const read = new Set<CommentKey>()
  const reached = new Set<ts.Node>()
  const noticed = new Set<ts.Node>()
  const demandOf = (node: ts.Node): Demand | undefined => {
    if (known.has(node)) return known.get(node)
    const demand = isCounted(node.getSourceFile(), program) ? readDemand(node, problems) : undefined
    known.set(node, demand)
    if (demand) read.add(keyOf(demand.comment))
    return demand
  }
  const isRead: Demands['isRead'] = (source, start) => read.has(keyOf({ source, start }))
  return {
    demandOf,
    isRead,
    reach(nodes) {
      for (const node of nodes) {
        reached.add(node)
        if (ts.isEnumDeclaration(node)) for (const each of node.members) reached.add(each)
      }
    },
    notice(own, nodes) {
      read.add(keyOf(own))
      for (const node of nodes) noticed.add(node)
    },
    reportUnread() {
      for (const node of reached) if (isTyped(node)) demandOf(node)
      const asked = new Set([...known.keys(), ...reached])
      const elsewhere = [...noticed].filter((node) => !asked.has(node))
      reportUnreadOf(asked, { program, problems, isRead }, hintInPlace)
      reportUnreadOf(elsewhere, { program, problems, isRead }, hintElsewhere)
    },
    demandsAt({ declared = [], typeNode }, type, own) {
      const names = typeNode ? namedBy(typeNode, checker) : []
      // Beside undefined, or out of a union that something was taken from: the part that is left.
      const branch = typeNode && type && !type.isUnion() ? branchNode(typeNode, type, checker) : undefined
      const branchNames = branch && branch !== typeNode ? namedBy(branch, checker) : []
      // A member that is declared more than once is written more than once.
      const others = declared.flatMap((each) => typeNodeOf(each) ?? []).filter((each) => each !== typeNode)
      const otherNames = others.flatMap((each) => namedBy(each, checker))
      const all = [...names, ...branchNames, ...otherNames].filter(({ symbol }) => !own || symbol !== own)
      return [...new Set([...all.map(({ node }) => node), ...declared])].flatMap((node) => demandOf(node) ?? [])
    },
  }
}

function readDemand(node: ts.Node, problems: Problems): Demand | undefined {
  const comment = commentBefore(node, mayConstrain)
  if (!comment) return undefined
  const tags = constraintTags(comment.doc)
  const misplaced = misplacedConstraints(comment.text)
  for (const problem of [...tags.problems, ...misplaced]) {
    reportInComment(comment, problem, problems, 'RPC125')
  }
  const { hiding } = comment.doc
  if (hiding?.tags.some((name) => mayConstrain(`@${name}`))) reportInComment(comment, hiding, problems)
  reportMiswritten(comment, tags, problems)
  return tags.found.length + tags.miswritten.length + misplaced.length === 0 ? undefined : { ...tags, comment, node }
}

/** A tag in another case, or with a colon behind it: nothing reads it. */
export function reportMiswritten(comment: PlacedComment, { miswritten }: ConstraintTags, problems: Problems): void {
  for (const { name, meant, line } of miswritten) {
    const hint = /^[a-z]+$/i.test(name) ? `write it @${meant}` : `write it @${meant}, a space and what it says`
    reportInComment(comment, { line, message: `@${name} counts for nothing` }, problems, 'RPC142', { hint })
  }
}
