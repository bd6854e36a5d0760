import { decidingTag } from '../../docs/index.js'
import type { Problems } from '../problems.js'
import { type PlacedComment, reportInComment } from './comments.js'

const atTheTop = 'at the top of the module, above its imports'
const ofProcedure = 'write it into the comment of a procedure'
const hints: Readonly<Record<string, string>> = {
  auth: `${ofProcedure}, or ${atTheTop}`,
  namespace: `write it ${atTheTop}`,
  maxBody: `${ofProcedure}, or ${atTheTop}`,
  protocol: `${ofProcedure}, or ${atTheTop}`,
  rpc: 'write it into the comment right above the function, on lines of its own',
  timeout: `${ofProcedure}, or ${atTheTop}`,
}

/** Reports the tags of a comment that decide something, or mean to, and that are not among those that are read there. */
export function reportStrayTags(comment: PlacedComment, read: readonly string[], problems: Problems): void {
  const report = (line: number, message: string, hint: string) =>
    reportInComment(comment, { line, message }, problems, 'RPC142', { hint })
  const tags = comment.doc.tags.map(({ name, line }) => ({ name, line, meant: decidingTag(name) }))
  const miswritten = tags.filter(({ name, meant }) => meant !== undefined && meant !== name)
  for (const { name, meant, line } of miswritten) report(line, `@${name} counts for nothing`, `write it @${meant}`)
  // The others may be read once that is repaired.
  if (miswritten.length > 0) return
  for (const { name, meant, line } of tags) {
    const hint = meant === undefined || read.includes(name) ? undefined : hints[name]
    if (hint !== undefined) report(line, `@${name} counts for nothing here`, hint)
  }
}
