import { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain } from '../../doc-comments/index.js'
import {
  type CommentKey,
  commentBefore,
  commentKey,
  type PlacedComment,
  reportInComment,
} from '../comments/comments.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { isInstalled } from '../program/sources.js'

/** The constraint tags in the comment before a declaration. */
export interface CommentTags extends ConstraintTags {
  readonly comment: PlacedComment
}

/** Reads the comment before each declaration once, and reports mistakes in it. */
export interface CommentReader {
  tagsOf(node: ts.Node): CommentTags | undefined
  /** True if there are such tags; reports nothing. */
  isTagged(node: ts.Node): boolean
  isRead(comment: PlacedComment): boolean
  /** True if a source of the user may have constraint tags. */
  readonly hasTags: boolean
}

export function createCommentReader(tagged: ReadonlySet<ts.SourceFile>, problems: Problems): CommentReader {
  const known = new Map<ts.Node, CommentTags | undefined>()
  const read = new Set<CommentKey>()
  const mayBeTagged = (node: ts.Node) => mayHaveTags(node) && tagged.has(node.getSourceFile())
  return {
    tagsOf(node) {
      if (known.has(node)) return known.get(node)
      const tags = mayBeTagged(node) ? readTags(node, problems) : undefined
      known.set(node, tags)
      if (tags) read.add(commentKey(tags.comment))
      return tags
    },
    isTagged(node) {
      const comment = mayBeTagged(node) ? commentBefore(node) : undefined
      return comment !== undefined && (constraintTags(comment)?.found.length ?? 0) > 0
    },
    isRead: (comment) => read.has(commentKey(comment)),
    hasTags: tagged.size > 0,
  }
}

/** Reads the tags in the comment before a declaration, and reports mistakes in it. */
export function readTags(node: ts.Node, problems: Problems): CommentTags | undefined {
  const comment = commentBefore(node)
  const tags = comment && constraintTags(comment)
  if (!tags) return undefined
  for (const problem of comment.doc.problems) reportInComment(comment, problem, problems)
  for (const problem of tags.invalid) reportInComment(comment, problem, problems, 'RPC125')
  for (const problem of tags.ignored) reportInComment(comment, problem, problems, 'RPC142')
  return { ...tags, comment }
}

/** True for a declaration whose comment may have constraint tags. An alias is not one: TypeScript replaces it by its type. */
export function mayHaveTags(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isParameter(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassLike(node)
  )
}

/**
 * Returns the sources of the user that may have constraint tags. Sources of the workspace are the user's, also behind a link in
 * node_modules; comments in an installed package are prose.
 */
export function findTaggedSources({ program }: OpenProject): ReadonlySet<ts.SourceFile> {
  const isTagged = (each: ts.SourceFile) =>
    !program.isSourceFileDefaultLibrary(each) && !isInstalled(each) && mayConstrain(each.text)
  return new Set(program.getSourceFiles().filter(isTagged))
}
