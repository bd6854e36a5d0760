import { ts } from 'ts-morph'
import { type ConstraintTags, constraintTags, mayConstrain } from '../../docs/index.js'
import { commentBefore, type PlacedComment, reportInComment } from '../comments/comments.js'
import type { Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { isInstalled } from '../project/sources.js'

/** The constraint tags in the comment before a declaration. */
export interface CommentTags extends ConstraintTags {
  readonly comment: PlacedComment
}

/** Reads the comment before each declaration once, and reports mistakes in it. */
export interface CommentReader {
  tagsOf(node: ts.Node): CommentTags | undefined
  isRead(comment: PlacedComment): boolean
  /** True if a source of the user may have constraint tags. */
  hasTags(): boolean
  /** Records a comment that is read elsewhere. */
  note(comment: PlacedComment): void
}

export function createCommentReader({ program }: OpenProject, problems: Problems): CommentReader {
  const known = new Map<ts.Node, CommentTags | undefined>()
  const read = new Set<PlacedComment>()
  const tagged = taggedSources(program)
  return {
    tagsOf(node) {
      if (known.has(node)) return known.get(node)
      const tags = tagged.has(node.getSourceFile()) ? readTags(node, problems) : undefined
      known.set(node, tags)
      if (tags) read.add(tags.comment)
      return tags
    },
    isRead: (comment) => read.has(comment),
    hasTags: () => tagged.size > 0,
    note: (comment) => void read.add(comment),
  }
}

function readTags(node: ts.Node, problems: Problems): CommentTags | undefined {
  const comment = commentBefore(node)
  const tags = comment && constraintTags(comment)
  if (!tags) return undefined
  for (const problem of comment.doc.problems) reportInComment(comment, problem, problems)
  for (const problem of tags.invalid) reportInComment(comment, problem, problems, 'RPC125')
  for (const problem of tags.ignored) reportInComment(comment, problem, problems, 'RPC142')
  return { ...tags, comment }
}

/** Declarations whose comments may have constraint tags. */
export function mayHaveTags(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isParameter(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassLike(node) ||
    ts.isTypeAliasDeclaration(node)
  )
}

const taggedByProgram = new WeakMap<ts.Program, ReadonlySet<ts.SourceFile>>()

/**
 * Returns the sources of the user that may have constraint tags. Sources of the workspace are the user's, also behind a link in
 * node_modules; comments in an installed package are prose.
 */
export function taggedSources(program: ts.Program): ReadonlySet<ts.SourceFile> {
  const isTagged = (each: ts.SourceFile) =>
    !program.isSourceFileDefaultLibrary(each) && mayConstrain(each.text) && !isInstalled(each)
  const found = taggedByProgram.get(program) ?? new Set(program.getSourceFiles().filter(isTagged))
  taggedByProgram.set(program, found)
  return found
}
