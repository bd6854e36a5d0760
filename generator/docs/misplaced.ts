import type { DocProblem } from './comment.js'
import type { DocLine } from './lines.js'
import { codeIndent, indentOf } from './text.js'

/** An `@rpc` behind other text: TypeScript takes it as a tag and comment-parser does not, so that nobody would serve it. */
export function findMisplacedRpc(lines: readonly DocLine[]): DocProblem[] {
  return lines.filter(hasRpcInside).map(({ line }) => ({ message: 'put @rpc on a line of its own', line }))
}

function hasRpcInside({ text, fenced }: DocLine): boolean {
  if (fenced || indentOf(text) >= codeIndent) return false
  return /\S\s+@rpc(?=\s|$)/.test(text.replace(/`[^`]*`/g, '``'))
}
