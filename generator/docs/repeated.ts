import type { DocComment, DocProblem } from './comment.js'

/** Tags that decide something: of two, one would be lost in silence. */
const once = ['auth', 'namespace', 'protocol']

/** The tags that stand in a comment a second time. */
export function repeatedTags({ tags }: DocComment): DocProblem[] {
  return tags
    .filter(({ name }, i) => once.includes(name) && tags.findIndex((other) => other.name === name) < i)
    .map(({ name, line }) => ({ message: `@${name} stands here a second time: say all in one`, line }))
}
