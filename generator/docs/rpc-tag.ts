import type { DocComment, DocProblem, DocTag } from './comment.js'

/** What `@rpc` says. */
export interface RpcTag {
  /** True when the comment has the tag. */
  readonly marked: boolean
  /** The public name, when the tag gives one. */
  readonly name?: string
  /** True for a name with a dot in front: the namespace of the module is not put to it. */
  readonly isFull?: boolean
  readonly problems: readonly DocProblem[]
}

/** Dotted; dash, colon and slash occur in method names as well (XML-RPC, "Payload format"). */
const methodName = /^\.?[\p{L}\p{N}_$][\p{L}\p{N}_$:/-]*(?:\.[\p{L}\p{N}_$:/-]+)*$/u

/** Reads `@rpc`, `@rpc user.create` and `@rpc .user.create`. Every other word is a problem, and so is a second `@rpc`. */
export function rpcTag(doc: DocComment): RpcTag {
  const [tag, second] = doc.tags.filter(({ name }) => name === 'rpc')
  if (tag === undefined) return { marked: false, problems: [] }
  const words = tag.firstLine.split(/\s+/).filter((word) => word !== '')
  const named = words.length > 0 && methodName.test(words[0] ?? '')
  const options = named ? words.slice(1) : words
  const problems = [
    ...options.map((option) => ({ message: `unknown @rpc option "${option}"`, line: tag.line })),
    ...textBelow(tag),
    ...(second === undefined ? [] : [{ message: '@rpc stands here a second time', line: second.line }]),
  ]
  const [name = ''] = words
  if (!named) return { marked: true, problems }
  return { marked: true, name: name.replace(/^\./, ''), ...(name.startsWith('.') ? { isFull: true } : {}), problems }
}

/** Text under a one-line tag belongs to the tag: whoever wrote it meant it for the description. */
export function textBelow(tag: DocTag): DocProblem[] {
  if (tag.text === tag.firstLine) return []
  return [{ message: `text below @${tag.name} is part of the tag: put it above`, line: tag.line }]
}
