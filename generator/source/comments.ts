import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../diagnostic.js'
import { type DocComment, type DocProblem, parseDocComment, rpcTag } from '../docs/index.js'
import type { More, Problems } from './problems.js'

/** A doc comment and where it begins. */
export interface PlacedComment {
  readonly doc: DocComment
  readonly source: ts.SourceFile
  readonly start: number
}

/** The doc comment of a declaration: the last one before it. Parsed only where it has `@rpc`. */
export function markedComment(node: ts.Node): PlacedComment | undefined {
  const source = node.getSourceFile()
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const ranges = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? []
  const last = ranges.findLast(({ pos }) => source.text.startsWith('/**', pos))
  const text = last && source.text.slice(last.pos, last.end)
  if (!last || !text?.includes('@rpc')) return undefined
  return { doc: parseDocComment(text), source, start: last.pos }
}

/** Whether a comment marks its function, or means to. */
export function isMarked({ doc }: PlacedComment): boolean {
  return rpcTag(doc).marked || doc.problems.some(({ message }) => message.includes('@rpc'))
}

/** Reports a problem on a line of a comment. */
export function reportInComment(
  comment: PlacedComment,
  { line, message }: DocProblem,
  problems: Problems,
  code: DiagnosticCode = 'RPC130',
  more: More = {},
): void {
  const { source, start } = comment
  const first = source.getLineAndCharacterOfPosition(start).line
  const at = line === 0 ? start : source.getPositionOfLineAndCharacter(first + line, 0)
  const indent = line === 0 ? 0 : (/^\s*/.exec(source.text.slice(at))?.[0].length ?? 0)
  problems.add({ code, message, position: problems.positionIn(source, at + indent), ...more })
}
