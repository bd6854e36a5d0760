import type { DocComment, DocProblem, DocTag } from './comment.js'
import { textBelow } from './tags.js'

/** A parameter that has another name on the wire than in the source. */
export interface WireName {
  readonly param: string
  readonly wire: string
  readonly line: number
}

/** What the tags `@params` and `@wireName` of a procedure specify. */
export interface ParamTags {
  /** The line of `@params object`: the params object is the only argument. */
  readonly objectLine?: number
  readonly wireNames: readonly WireName[]
  readonly problems: readonly DocProblem[]
}

/** Reads `@params object` and `@wireName args arguments`. */
export function paramTags({ tags }: Pick<DocComment, 'tags'>): ParamTags {
  const [params, second] = tags.filter(({ name }) => name === 'params')
  const wireNames = tags.filter(({ name }) => name === 'wireName')
  const problems = [
    ...tags.flatMap(miswritten),
    ...(params && params.firstLine !== 'object' ? [wrongParams(params)] : []),
    ...(second ? [{ message: '@params is written twice', hint: 'keep one of them', line: second.line }] : []),
    ...[...(params ? [params] : []), ...wireNames].flatMap(textBelow),
  ]
  const read = wireNames.flatMap((tag): WireName[] => {
    const [param, wire, ...more] = tag.firstLine.split(/\s+/)
    if (param && wire && more.length === 0) return [{ param, wire, line: tag.line }]
    const message = `@wireName takes a parameter and its name on the wire, not ${JSON.stringify(tag.firstLine)}`
    problems.push({ message, hint: 'write @wireName args arguments', line: tag.line })
    return []
  })
  return { ...(params ? { objectLine: params.line } : {}), wireNames: read, problems }
}

function wrongParams({ firstLine, line }: DocTag): DocProblem {
  const message = `@params takes the word object, not ${JSON.stringify(firstLine)}`
  return { message, hint: 'write @param for the docs of a parameter', line }
}

/** `@wirename` and `@Params`, which nothing would read. */
function miswritten({ name, line }: DocTag): DocProblem[] {
  const meant = ['params', 'wireName'].find((each) => each !== name && each.toLowerCase() === name.toLowerCase())
  return meant ? [{ message: `@${name} counts for nothing`, hint: `write it @${meant}`, line }] : []
}
