import type { ts } from 'ts-morph'
import { decidingTag, parseDocComment } from '../../docs/index.js'
import type { Part } from '../../model/part.js'
import type { Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'
import { type CommentKey, keyOf, type PlacedComment, reportInComment } from './comments.js'
import { decidingComments } from './doc-comments.js'
import { moduleComment } from './module-tags.js'
import { reportStrayTags } from './stray-tags.js'

/**
 * The comments of a source that have `@rpc`, `@auth` or the like, or mean to, without those that are known to be read. Whoever wrote them counts on them: if no procedure has them, the door that they were to close stands open, or
 * what was to be called cannot be.
 */
export function findDirectives(source: ts.SourceFile, known: ReadonlySet<CommentKey>): PlacedComment[] {
  const ofModule = moduleComment(source)?.start
  const isKnown = (start: number) => start === ofModule || known.has(keyOf({ source, start }))
  return decidingComments(source, isKnown)
    .map(({ text, start }) => ({ doc: parseDocComment(text), source, start }))
    .filter(({ doc: { tags, hiding, misplaced } }) => {
      const names = [...tags.map(({ name }) => name), ...(hiding?.tags ?? [])]
      return misplaced !== undefined || names.some((name) => decidingTag(name) !== undefined)
    })
}

/** Reports the directives that no procedure has: a function may be registered by another source than its own. */
export function checkDirectives(
  parts: ReadonlyMap<string, Part>,
  { program }: Pick<OpenProject, 'program'>,
  problems: Problems,
): void {
  const read = new Set([...parts.values()].flatMap(({ comments }) => comments))
  for (const [file, { directives }] of parts) {
    if (directives.every((key) => read.has(key))) continue
    const source = program.getSourceFile(file)
    for (const comment of source ? findDirectives(source, read) : []) reportStray(comment, problems)
    // Known from an earlier run, and not looked at in this one: the next one looks at everything, and says where.
    if (!source) problems.add({ code: 'RPC142', message: `a tag in ${problems.relative(file)} counts for nothing` })
  }
}

function reportStray(comment: PlacedComment, problems: Problems): void {
  const { hiding, misplaced = [] } = comment.doc
  if (hiding) {
    reportInComment(comment, hiding, problems)
    return
  }
  const hint = 'or in backticks, where the text is about it'
  for (const problem of misplaced) reportInComment(comment, problem, problems, 'RPC130', { hint })
  reportStrayTags(comment, [], problems)
}
