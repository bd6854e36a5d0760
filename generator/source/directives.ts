import { ts } from 'ts-morph'
import { parseDocComment } from '../docs/index.js'
import type { Part } from '../model/part.js'
import { docCommentOf, type PlacedComment, reportInComment } from './comments.js'
import { docCommentsAt, moduleComment } from './module-tags.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'

/** A comment of a source, across runs: its file and its position. */
export type CommentKey = string

export function keyOf({ source, start }: Pick<PlacedComment, 'source' | 'start'>): CommentKey {
  return `${source.fileName}:${start}`
}

/**
 * The comments of a source that have `@auth` or `@namespace` and are no module's, or that hide one below a code fence that
 * never closes, and those with an `@rpc` that stands where nothing is declared. Whoever wrote them counts on them: if no
 * procedure has them, the door that they were to close stands open, or what was to be called cannot be.
 */
export function findDirectives(source: ts.SourceFile): PlacedComment[] {
  if (!/@auth\b|@namespace\b|@rpc\b/.test(source.text)) return []
  const ofModule = moduleComment(source)?.start
  return commentsIn(source).filter(({ doc, start, marks }) => {
    const has = (tag: string) => doc.tags.some(({ name }) => name === tag)
    const hides = (tag: string) => doc.hiding?.tags.includes(tag) ?? false
    if (hides('auth') || hides('namespace')) return true
    return (start !== ofModule && (has('auth') || has('namespace'))) || (!marks && (has('rpc') || hides('rpc')))
  })
}

/** A comment, and whether it is the one that a declaration has: the last before it. */
interface FoundComment extends PlacedComment {
  readonly marks: boolean
}

/** The doc comments before statements, class members and the end. */
function commentsIn(source: ts.SourceFile): FoundComment[] {
  const members = source.statements.flatMap((each) => (ts.isClassDeclaration(each) ? [...each.members] : []))
  const nodes: readonly ts.Node[] = [...source.statements, ...members, source.endOfFileToken]
  return nodes.flatMap((node) => {
    const own = ts.isImportDeclaration(node) || node === source.endOfFileToken ? undefined : docCommentOf(node).start
    return docCommentsAt(node).map(({ text, start }) => {
      return { doc: parseDocComment(text), source, start, marks: start === own }
    })
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
    for (const comment of source ? findDirectives(source) : []) {
      if (!read.has(keyOf(comment))) reportStray(comment, problems)
    }
    // Known from an earlier run, and not looked at in this one: the next one looks at everything, and says where.
    if (!source) problems.add({ code: 'RPC142', message: `a tag in ${problems.relative(file)} counts for nothing` })
  }
}

const atTheTop = 'at the top of the module, above its imports'
const hints: Readonly<Record<string, string>> = {
  auth: `write it into the comment of a procedure, or ${atTheTop}`,
  namespace: `write it ${atTheTop}`,
  rpc: 'write it into the comment right above the function, on lines of its own',
}

function reportStray(comment: PlacedComment, problems: Problems): void {
  const { hiding } = comment.doc
  // A module's may have tags that are read beside those that are not.
  if (hiding) {
    reportInComment(comment, hiding, problems)
    return
  }
  for (const { name, line } of comment.doc.tags) {
    const hint = hints[name]
    if (hint === undefined) continue
    reportInComment(comment, { line, message: `@${name} counts for nothing here` }, problems, 'RPC142', { hint })
  }
}
