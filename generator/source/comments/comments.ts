import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostic.js'
import { type DocComment, type DocProblem, mayDecide, parseDocComment, rpcTag } from '../../docs/index.js'
import type { More, Problems } from '../problems.js'
import type { OpenProject } from '../project/project.js'

/** A doc comment and its position: one object for each comment of a source. */
export interface PlacedComment {
  /** Parsed when it is first read. */
  readonly doc: DocComment
  readonly text: string
  readonly source: ts.SourceFile
  readonly start: number
}

const indexes = new WeakMap<ts.SourceFile, Map<number, PlacedComment>>()

function placed(source: ts.SourceFile, start: number, text: string): PlacedComment {
  const index = indexes.get(source) ?? new Map<number, PlacedComment>()
  indexes.set(source, index)
  const known = index.get(start)
  if (known) return known
  let doc: DocComment | undefined
  const comment: PlacedComment = {
    get doc() {
      doc ??= parseDocComment(text)
      return doc
    },
    text,
    source,
    start,
  }
  index.set(start, comment)
  return comment
}

function docCommentsAt(source: ts.SourceFile, ranges: readonly ts.TextRange[]): PlacedComment[] {
  const found = ranges.filter(({ pos }) => source.text.startsWith('/**', pos))
  return found.map(({ pos, end }) => placed(source, pos, source.text.slice(pos, end)))
}

function leadingRanges(node: ts.Node): readonly ts.CommentRange[] {
  return ts.getLeadingCommentRanges(node.getSourceFile().text, node.getFullStart()) ?? []
}

/** Returns the doc comment of a declaration, the last one before it; an empty one if there is none. */
export function docCommentOf(node: ts.Node): PlacedComment {
  const source = node.getSourceFile()
  return ownComment(node) ?? { doc: parseDocComment(''), text: '', source, start: node.getStart() }
}

/** Returns the doc comment of a declaration if it has `@rpc`. */
export function markedComment(node: ts.Node): PlacedComment | undefined {
  const comment = ownComment(node)
  return comment?.text.includes('@rpc') ? comment : undefined
}

function ownComment(node: ts.Node): PlacedComment | undefined {
  // If a module is exported as a whole, the first comment of the file does not mark it.
  if (ts.isSourceFile(node)) return undefined
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return docCommentsAt(node.getSourceFile(), leadingRanges(statement)).at(-1)
}

/** The doc comment right before a declaration, also on the same line. */
export function commentBefore(node: ts.Node): PlacedComment | undefined {
  const source = node.getSourceFile()
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  // A comment after another declaration on its line belongs to that one, unless this one is on the same line or a list just opened.
  const opens = /[{([<]/.test(source.text.charAt(node.getFullStart() - 1))
  const sameLine = (ts.getTrailingCommentRanges(source.text, node.getFullStart()) ?? []).filter(
    ({ end }) => opens || lineOf(end) === lineOf(node.getStart()),
  )
  return docCommentsAt(source, [...sameLine, ...leadingRanges(node)]).at(-1)
}

const descriptions = new WeakMap<ts.Declaration, string>()

/** Returns the description of a type or a member: that of its first declaration that has one. */
export function docOf(
  declarations: readonly ts.Declaration[],
  { program }: Pick<OpenProject, 'program'>,
): { readonly doc?: string } {
  for (const declaration of declarations) {
    // The docs of the language's own types do not describe an API.
    if (program.isSourceFileDefaultLibrary(declaration.getSourceFile())) return {}
    const description = descriptions.get(declaration) ?? commentBefore(declaration)?.doc.description ?? ''
    descriptions.set(declaration, description)
    if (description !== '') return { doc: description }
  }
  return {}
}

/** Tags in the comment of a procedure, or of its module for all procedures in it. */
export const procedureTags = ['auth', 'protocol', 'timeout', 'maxBody']

/**
 * Returns the doc comment of a module: the first one above its first import that has a tag for it. If the module begins with a
 * declaration, the last of these comments belongs to that, unless it has `@namespace`, which declarations do not have.
 */
export function moduleComment(source: ts.SourceFile): PlacedComment | undefined {
  const first = source.statements.findIndex((statement) => !isDirective(statement))
  const above = first === -1 ? source.statements : source.statements.slice(0, first + 1)
  const nodes = [...above, ...(first === -1 ? [source.endOfFileToken] : [])]
  const comments = nodes.flatMap((node) => docCommentsAt(source, leadingRanges(node)))
  const last = first === -1 || isImport(source.statements[first]) ? undefined : comments.at(-1)
  return comments.find((comment) => {
    if (!/@(?:namespace|auth|protocol|timeout|maxBody)/.test(comment.text)) return false
    const names = comment.doc.tags.map(({ name }) => name)
    if (names.includes('rpc')) return false
    const mayBeOfDeclaration = procedureTags.some((name) => names.includes(name))
    return names.includes('namespace') || (mayBeOfDeclaration && comment !== last)
  })
}

/** Such as `'use strict'`. */
function isDirective(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)
}

function isImport(statement: ts.Statement | undefined): boolean {
  return statement !== undefined && (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
}

/** True if a comment marks its function, also with a mistake. */
export function isMarked({ doc }: PlacedComment): boolean {
  return rpcTag(doc).marked || doc.problems.some(({ message }) => message.includes('@rpc'))
}

/** Identifies a comment across runs: its file and its position. */
export type CommentKey = string

export function keyOf({ source, start }: Pick<PlacedComment, 'source' | 'start'>): CommentKey {
  return `${source.fileName}:${start}`
}

const complete = new WeakMap<ts.SourceFile, readonly PlacedComment[]>()

/** Returns all doc comments of a source, wherever they are, but not text in strings or after `//`. */
export function docCommentsOf(source: ts.SourceFile): readonly PlacedComment[] {
  const known = complete.get(source)
  if (known) return known
  const ranges = [...withoutLiterals(source).matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(
    ({ index: pos, 0: { length } }) => {
      return { pos, end: pos + length }
    },
  )
  const found = docCommentsAt(source, ranges)
  complete.set(source, found)
  return found
}

/** True if a text that looks like a doc comment passes a test. Faster than the index, which reads the whole source. */
export function mayHaveComment(text: string, passes: (text: string, start: number) => boolean): boolean {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].some(({ index, 0: found }) => passes(found, index))
}

/** Returns the doc comments of a source that may have a directive, without the known ones. */
export function decidingComments(source: ts.SourceFile, isKnown: (start: number) => boolean): PlacedComment[] {
  const isOpen = (text: string, start: number) => mayDecide(text) && !isKnown(start)
  if (!mayDecide(source.text) || !mayHaveComment(source.text, isOpen)) return []
  return docCommentsOf(source).filter(({ text, start }) => isOpen(text, start))
}

/** Returns the text with its length, with blanks for literals, in which comment marks have no meaning. */
function withoutLiterals(source: ts.SourceFile): string {
  const shebang = ts.getShebang(source.text)?.length ?? 0
  const blanks = [{ start: 0, end: shebang }, ...literalsIn(source)]
  const pieces = blanks.map(
    ({ start, end }, i) => source.text.slice(blanks[i - 1]?.end ?? 0, start) + ' '.repeat(end - start),
  )
  return pieces.join('') + source.text.slice(blanks.at(-1)?.end)
}

/** In the order of the text. */
function literalsIn(source: ts.SourceFile): { readonly start: number; readonly end: number }[] {
  const found: { readonly start: number; readonly end: number }[] = []
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) found.push({ start: node.getStart(source), end: node.end })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found.sort((a, b) => a.start - b.start)
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  )
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
