// Tags that decide what is served and to whom, such as @rpc and @auth, where they have no effect:
//
//   // @auth isAdmin  →  RPC142: @auth has no effect in an ordinary comment
import { ts } from 'ts-morph'
import { directiveOf, mayHaveDirective, paramTags, readMeta, rpcTag, tagTable } from '../../doc-comments/index.js'
import type { Part } from '../../model/part.js'
import { hasModifier } from '../program/checker.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import {
  type CommentKey,
  commentKey,
  docCommentsOf,
  inPlainComment,
  leadingRanges,
  moduleComment,
  nodeAfter,
  type PlacedComment,
  plainTagsOf,
  reportInComment,
} from './comments.js'

/**
 * Returns the comments of a source with `@rpc`, `@auth` or the like, misspelt ones included, without those that are known to be read. If
 * no procedure has such a comment, a procedure that it was to guard is open, or one that it was to serve does not exist.
 */
export function findDirectives(source: ts.SourceFile, known: ReadonlySet<CommentKey>): PlacedComment[] {
  const ofModule = moduleComment(source)?.start
  const isUnread = (text: string, start: number) =>
    mayHaveDirective(text) && start !== ofModule && !known.has(commentKey({ source, start }))
  return docCommentsOf(source, isUnread).filter(({ doc: { tags, misplaced } }) => {
    return misplaced !== undefined || tags.some(({ name }) => directiveOf(name) !== undefined)
  })
}

/** Reports the directives that belong to no procedure: a function may be registered by another source than its own. */
export function checkDirectives(parts: ReadonlyMap<string, Part>, { program, problems }: OpenProject): void {
  const read = new Set([...parts.values()].flatMap(({ comments }) => comments))
  for (const [file, { directives }] of parts) {
    if (directives.every((key) => read.has(key))) continue
    const source = program.getSourceFile(file)
    for (const comment of source ? findDirectives(source, read) : []) reportUnusedDirectives(comment, problems)
    // Cached and not analysed in this run: the next one analyses everything, and reports the line.
    if (!source) problems.add({ code: 'RPC142', message: `a tag in ${problems.relative(file)} has no effect` })
  }
}

function reportUnusedDirectives(comment: PlacedComment, problems: Problems): void {
  const { misplaced = [] } = comment.doc
  const hint = 'or in backticks, where the text is about it'
  for (const { problem } of misplaced) reportInComment(comment, { ...problem, hint }, problems)
  reportStrayDirectives(comment, [], problems)
}

const inProcedure = 'write it into the comment of a procedure'
const ofModule = 'at the top of the module, above its imports'

/** Where a directive has an effect. */
function expectedLocation(name: string): string {
  if (name === 'rpc') return 'write it into the comment right above the function, on lines of its own'
  const row = tagTable.get(name)
  if (row?.ofModule === 'exclusive') return `write it ${ofModule}`
  return row?.ofModule ? `${inProcedure}, or ${ofModule}` : inProcedure
}

/** Reports the directives of a comment, misspelt ones included, that have no effect there. */
export function reportStrayDirectives(comment: PlacedComment, read: readonly string[], problems: Problems): void {
  const report = (line: number, message: string, hint: string) =>
    reportInComment(comment, { line, message, hint }, problems, 'RPC142')
  const tags = comment.doc.tags.map(({ name, line }) => ({ name, line, meant: directiveOf(name) }))
  const miswritten = tags.filter(({ name, meant }) => meant !== undefined && meant !== name)
  for (const { name, meant, line } of miswritten) report(line, `@${name} has no effect`, `write it @${meant}`)
  // The others may have an effect once this is corrected.
  if (miswritten.length > 0) return
  for (const { name, meant, line } of tags) {
    if (meant === undefined || read.includes(name)) continue
    report(line, `@${name} has no effect here`, expectedLocation(name))
  }
}

/** Code that was commented out, to which the tags above it belong. */
const commentedOutCode = /^\s*\/\/\s*(?:export|(?:async\s+)?function|const|static)\b/m

/**
 * Reports `@rpc`, `@auth` and the like in a comment that is not a doc comment: right before an exported function, constant or
 * static method, or above the first statement of a module. Elsewhere such a comment is prose, or code that was commented out.
 */
export function reportPlainComments(source: ts.SourceFile, problems: Problems): void {
  const { text } = source
  if (!mayHaveDirective(text)) return
  for (const { name, start, comment } of plainTagsOf(source, (name) => directiveOf(name) !== undefined)) {
    const node = nodeAfter(source, comment.end)
    if (!leadingRanges(node).some(({ pos }) => pos === comment.pos)) continue
    const between = text.slice(comment.end, node.getStart())
    const isRightAbove = isServable(node) && !/\n\s*\n/.test(between)
    if (commentedOutCode.test(between) || !(isRightAbove || node === source.statements[0])) continue
    problems.add({ code: 'RPC142', ...inPlainComment(name), position: problems.positionIn(source, start) })
  }
}

/** True for what can be a procedure if it is a function: an export of a module, or a static method. */
function isServable(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword) || hasModifier(node, ts.SyntaxKind.StaticKeyword)
}

/** Reports the mistakes in a doc comment itself. */
export function reportMistakes(comment: PlacedComment, problems: Problems): void {
  const { doc } = comment
  const values = [rpcTag(doc), readMeta(doc), paramTags(doc)]
  for (const problem of [doc, ...values].flatMap((each) => each.problems)) reportInComment(comment, problem, problems)
}
