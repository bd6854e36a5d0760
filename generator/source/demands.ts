import type { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain, misplacedConstraints } from '../docs/index.js'
import { commentBefore, type PlacedComment, reportInComment } from './comments.js'
import { isCounted } from './counted.js'
import type { Place, Problems } from './problems.js'
import type { OpenProject } from './project.js'
import { branchNode, namedBy } from './type-nodes.js'

/** What a declaration's doc comment demands of its values. */
export interface Demand extends ConstraintTags {
  readonly comment: PlacedComment
}

/** What comments demand, each read once. */
export interface Demands {
  demandOf(node: ts.Node): Demand | undefined
  /** Of the declarations and the names of a place; those of the name `own` aside, which are in its type. */
  demandsAt(place: Place, type?: ts.Type, own?: ts.Symbol): Demand[]
  /** Whether the comment that begins at a position was read. */
  isRead(source: ts.SourceFile, start: number): boolean
}

export function createDemands({ checker, program }: OpenProject, problems: Problems): Demands {
  const known = new Map<ts.Node, Demand | undefined>()
  const demandOf = (node: ts.Node): Demand | undefined => {
    if (!known.has(node)) {
      known.set(node, isCounted(node.getSourceFile(), program) ? readDemand(node, problems) : undefined)
    }
    return known.get(node)
  }
  return {
    demandOf,
    demandsAt({ declared = [], typeNode }, type, own) {
      const names = typeNode ? namedBy(typeNode, checker) : []
      // Beside undefined, or out of a union that something was taken from: the part that is left.
      const branch = typeNode && type && !type.isUnion() ? branchNode(typeNode, type, checker) : undefined
      const branchNames = branch && branch !== typeNode ? namedBy(branch, checker) : []
      const all = [...names, ...branchNames].filter(({ symbol }) => !own || symbol !== own)
      return [...new Set([...all.map(({ node }) => node), ...declared])].flatMap((node) => demandOf(node) ?? [])
    },
    isRead: (source, start) =>
      [...known.values()].some((each) => each?.comment.source === source && each.comment.start === start),
  }
}

function readDemand(node: ts.Node, problems: Problems): Demand | undefined {
  const comment = commentBefore(node, mayConstrain)
  if (!comment) return undefined
  const tags = constraintTags(comment.doc)
  for (const problem of [...tags.problems, ...misplacedConstraints(comment.text)]) {
    reportInComment(comment, problem, problems, 'RPC125')
  }
  const { hiding } = comment.doc
  if (hiding?.tags.some((name) => mayConstrain(`@${name}`))) reportInComment(comment, hiding, problems)
  reportMiswritten(comment, tags, problems)
  return tags.found.length + tags.miswritten.length === 0 ? undefined : { ...tags, comment }
}

/** A tag in another case: nothing reads it. */
export function reportMiswritten(comment: PlacedComment, { miswritten }: ConstraintTags, problems: Problems): void {
  for (const { name, meant, line } of miswritten) {
    const hint = `write it @${meant}`
    reportInComment(comment, { line, message: `@${name} counts for nothing` }, problems, 'RPC142', { hint })
  }
}
