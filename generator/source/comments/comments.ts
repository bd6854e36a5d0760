import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostic.js'
import { type DocComment, type DocProblem, parseDocComment, rpcTag } from '../../docs/index.js'
import type { More, Problems } from '../problems.js'

/** A doc comment and where it begins. */
export interface PlacedComment {
  readonly doc: DocComment
  readonly source: ts.SourceFile
  readonly start: number
}

/** A comment of a source, across runs: its file and its position. */
export type CommentKey = string

export function keyOf({ source, start }: Pick<PlacedComment, 'source' | 'start'>): CommentKey {
  return `${source.fileName}:${start}`
}

/** What looks like a doc comment in a text, and where it begins there. */
export function docCommentsIn(text: string): { readonly start: number; readonly text: string }[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map(({ index: start, 0: found }) => ({ start, text: found }))
}

/** The doc comment of a declaration where it has `@rpc`: no other one is parsed while marks are looked for. */
export function markedComment(node: ts.Node): PlacedComment | undefined {
  const text = commentText(node)
  return text?.includes('@rpc') ? docCommentOf(node) : undefined
}

/** The doc comment of a declaration, the last one before it; an empty one where there is none. */
export function docCommentOf(node: ts.Node): PlacedComment {
  const source = node.getSourceFile()
  const range = commentRange(node)
  const text = range ? source.text.slice(range.pos, range.end) : ''
  return { doc: parseDocComment(text), source, start: range?.pos ?? node.getStart() }
}

/** The doc comment right before a declaration, also on the same line, where its text passes; parsed only then. */
export function commentBefore(
  node: ts.Node,
  passes: (text: string) => boolean,
): (PlacedComment & { readonly text: string }) | undefined {
  const source = node.getSourceFile()
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  // Behind what stands before it on its line: of that one, unless the declaration goes on there or a list only opens.
  const opens = /[{([<]/.test(source.text.charAt(node.getFullStart() - 1))
  const sameLine = (ts.getTrailingCommentRanges(source.text, node.getFullStart()) ?? []).filter(
    ({ end }) => opens || lineOf(end) === lineOf(node.getStart()),
  )
  const ranges = [...sameLine, ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [])]
  const range = ranges.findLast(({ pos }) => source.text.startsWith('/**', pos))
  const text = range ? source.text.slice(range.pos, range.end) : ''
  return range && passes(text) ? { doc: parseDocComment(text), source, start: range.pos, text } : undefined
}

function commentText(node: ts.Node): string | undefined {
  const range = commentRange(node)
  return range && node.getSourceFile().text.slice(range.pos, range.end)
}

function commentRange(node: ts.Node): ts.CommentRange | undefined {
  // The first comment of a file is not that of a module which is exported as a whole.
  if (ts.isSourceFile(node)) return undefined
  const source = node.getSourceFile()
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const ranges = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? []
  return ranges.findLast(({ pos }) => source.text.startsWith('/**', pos))
}

/** Whether a comment marks its function, or means to. */
export function isMarked({ doc }: PlacedComment): boolean {
  return rpcTag(doc).marked || doc.problems.some(({ message }) => message.includes('@rpc'))
}

/** Reports a problem on a line of a comment. */
export function reportInComment(
  comment: PlacedComment,
  { line, message, hint }: DocProblem,
  problems: Problems,
  code: DiagnosticCode = 'RPC130',
  more: More = {},
): void {
  const { source, start } = comment
  const first = source.getLineAndCharacterOfPosition(start).line
  const at = line === 0 ? start : source.getPositionOfLineAndCharacter(first + line, 0)
  const indent = line === 0 ? 0 : (/^\s*(?:\*(?!\/)\s*)?/.exec(source.text.slice(at))?.[0].length ?? 0)
  problems.add({
    code,
    message,
    position: problems.positionIn(source, at + indent),
    ...(hint === undefined ? {} : { hint }),
    ...more,
  })
}
