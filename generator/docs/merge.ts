import type { DocParam, DocProblem, DocReturns } from './comment.js'

interface Mention {
  readonly text: string
  readonly type?: string
  readonly line: number
  readonly typeLine?: number
}

/** Joins what fields and tags say about the same parameter, in the order of first mention. */
export function mergeParams(mentions: readonly DocParam[], problems: DocProblem[]): DocParam[] {
  const params = new Map<string, DocParam>()
  for (const mention of mentions) {
    const known = params.get(mention.name)
    const what = `parameter "${mention.name}"`
    params.set(mention.name, known === undefined ? mention : merge(known, mention, what, problems))
  }
  return [...params.values()]
}

/** Joins what fields and tags say about the returned value; undefined when nothing does. */
export function mergeReturns(mentions: readonly DocReturns[], problems: DocProblem[]): DocReturns | undefined {
  const [first, ...others] = mentions
  if (first === undefined) return undefined
  return others.reduce((known, mention) => merge(known, mention, 'the return', problems), first)
}

/** The first mention wins; the second fills what it left open. */
function merge<T extends Mention>(first: T, second: T, what: string, problems: DocProblem[]): T {
  const { line } = second
  if (first.text !== '' && second.text !== '') problems.push({ message: `${what} is documented twice`, line })
  const types = new Set([first.type, second.type].filter((type) => type !== undefined))
  if (types.size > 1) problems.push({ message: `${what} has two types: ${[...types].join(', ')}`, line })
  const typeLine = first.type === undefined && second.type !== undefined ? { typeLine: line } : {}
  return { ...second, ...first, ...typeLine, text: first.text === '' ? second.text : first.text }
}
