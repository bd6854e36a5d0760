// Finds the comment of a declaration, of a module, and all comments of a source, without those in strings:
//
//   /** @rpc */ export function add() {}  →  { doc: { tags: [rpc] }, start: 0 }
import { ts } from 'ts-morph'
import type { DiagnosticCode } from '../../diagnostics/diagnostic.js'
import {
  type DocComment,
  type DocProblem,
  parseDocComment,
  rpcTag,
  sharedTags,
  tagsWith,
} from '../../doc-comments/index.js'
import type { Mistake, Problems } from '../program/problems.js'

/** A doc comment and its position, which identifies it: see `commentKey`. */
export interface PlacedComment {
  /** Parsed when it is first read. */
  readonly doc: DocComment
  readonly text: string
  /** True if nothing is before it in its source, except a line that begins with `#!`. */
  readonly isFirst: boolean
  readonly source: ts.SourceFile
  readonly start: number
}

function commentAt(source: ts.SourceFile, start: number, text: string): PlacedComment {
  let doc: DocComment | undefined
  return {
    get doc() {
      doc ??= parseDocComment(text)
      return doc
    },
    text,
    isFirst: start === firstPositionIn(source.text),
    source,
    start,
  }
}

function firstPositionIn(text: string): number {
  return /^(?:#!.*)?\s*/.exec(text)?.[0].length ?? 0
}

/** False for three stars and more, as in JSDoc: such a comment is a banner. */
function isDocComment(text: string, pos: number): boolean {
  return text.startsWith('/**', pos) && text.charAt(pos + 3) !== '*'
}

function docCommentsAt(source: ts.SourceFile, ranges: readonly ts.TextRange[]): PlacedComment[] {
  const found = ranges.filter(({ pos }) => isDocComment(source.text, pos))
  return found.map(({ pos, end }) => commentAt(source, pos, source.text.slice(pos, end)))
}

/** The comments before a node, without those after other code on their line. */
export function leadingRanges(node: ts.Node): readonly ts.CommentRange[] {
  return ts.getLeadingCommentRanges(node.getSourceFile().text, node.getFullStart()) ?? []
}

/** Returns the doc comment of a declaration, the last one before it; an empty one if there is none. */
export function docCommentOf(node: ts.Node): PlacedComment {
  const source = node.getSourceFile()
  return ownComment(node) ?? { doc: parseDocComment(''), text: '', isFirst: false, source, start: node.getStart() }
}

/** Returns the doc comment of a declaration if it has `@rpc`. */
export function markedComment(node: ts.Node): PlacedComment | undefined {
  const comment = ownComment(node)
  return comment?.text.includes('@rpc') ? comment : undefined
}

/** Returns the doc comment of a declaration; undefined without one. */
export function ownComment(node: ts.Node): PlacedComment | undefined {
  // If a module is exported as a whole, the first comment of the file does not mark it.
  if (ts.isSourceFile(node)) return undefined
  return commentBefore(ts.isVariableDeclaration(node) ? node.parent.parent : node)
}

/** The doc comment right before a declaration, also on the same line. */
export function commentBefore(node: ts.Node): PlacedComment | undefined {
  const source = node.getSourceFile()
  const start = node.getStart()
  // Most nodes follow white space.
  if (!source.text.slice(node.getFullStart(), start).includes('/**')) return undefined
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  // A comment after another declaration on its line belongs to that one, unless this one is on the same line or a list just opened.
  const opens = /[{([<]/.test(source.text.charAt(node.getFullStart() - 1))
  const sameLine = (ts.getTrailingCommentRanges(source.text, node.getFullStart()) ?? []).filter(
    ({ end }) => opens || lineOf(end) === lineOf(start),
  )
  return docCommentsAt(source, [...sameLine, ...leadingRanges(node)]).at(-1)
}

const moduleTag = new RegExp(`@(?:${tagsWith((row) => row.ofModule).join('|')})`)

/**
 * Returns the doc comment of a module: the first one above its first import that has a tag for it. If the module begins with a
 * declaration, the last of these comments belongs to that, unless it has `@namespace`, which declarations do not have.
 */
export function moduleComment(source: ts.SourceFile): PlacedComment | undefined {
  const first = source.statements.find((statement) => !isPrologue(statement)) ?? source.endOfFileToken
  const comments = docCommentsOf(source, (_text, start) => start < first.getStart())
  const isDeclaration = !ts.isImportDeclaration(first) && !ts.isExportDeclaration(first) && !ts.isToken(first)
  const ofDeclaration = isDeclaration ? comments.at(-1) : undefined
  return comments.find((comment) => {
    if (!moduleTag.test(comment.text)) return false
    const names = comment.doc.tags.map(({ name }) => name)
    if (names.includes('rpc')) return false
    return names.includes('namespace') || (comment !== ofDeclaration && names.some((name) => sharedTags.includes(name)))
  })
}

/** Such as `'use strict'`. */
function isPrologue(statement: ts.Statement): boolean {
  return ts.isExpressionStatement(statement) && ts.isStringLiteral(statement.expression)
}

/** True if a comment marks its function, also with a misplaced tag. */
export function isMarked({ doc }: PlacedComment): boolean {
  return rpcTag(doc).marked || (doc.misplaced?.some(({ name }) => name === 'rpc') ?? false)
}

/** Identifies a comment across runs: its file and its position. */
export type CommentKey = string

export function commentKey({ source, start }: Pick<PlacedComment, 'source' | 'start'>): CommentKey {
  return `${source.fileName}:${start}`
}

/** Functions of TypeScript's language service, which are not in its declarations. */
const services = ts as unknown as {
  isInComment(source: ts.SourceFile, position: number): ts.CommentRange | undefined
  getTokenAtPosition(source: ts.SourceFile, position: number): ts.Node
}

/** Returns the doc comments of a source that pass a test, wherever they are, but not text in strings or after `//`. */
export function docCommentsOf(
  source: ts.SourceFile,
  passes: (text: string, start: number) => boolean = () => true,
): readonly PlacedComment[] {
  const starts = [...source.text.matchAll(/\/\*\*/g)].map(({ index }) => index)
  return starts.flatMap((pos) => {
    const end = source.text.indexOf('*/', pos + 2) + 2
    const isComment = passes(source.text.slice(pos, end), pos) && services.isInComment(source, pos + 1)?.pos === pos
    return isComment ? docCommentsAt(source, [{ pos, end }]) : []
  })
}

/** A tag in a comment that is not a doc comment. */
interface PlainTag {
  readonly name: string
  /** The rest of its line. */
  readonly value: string
  /** The position of its `@`. */
  readonly start: number
  readonly comment: ts.CommentRange
}

/** A tag at the beginning of a comment or of a line in one. After `//` and an asterisk it is a commented-out doc comment. */
const plainTag = /(?:(?:(?<!\/)\/\/+|\/\*[*!]*)[^\S\n]*|^[^\S\n]*(?:\*[^\S\n]*)?)@([\w-]+)/gm

/** Returns the tags with certain names in comments that are not doc comments, where they have no effect. */
export function plainTagsOf(source: ts.SourceFile, isWanted: (name: string) => boolean): PlainTag[] {
  const { text } = source
  return [...text.matchAll(plainTag)].flatMap(({ index, 0: match, 1: name = '' }) => {
    const end = index + match.length
    const start = end - name.length - 1
    // Most are in a doc comment, which is known without reading the tokens around it.
    const isInDoc = !match.includes('//') && isDocComment(text, text.lastIndexOf('/*', start))
    const comment = isInDoc || !isWanted(name) ? undefined : services.isInComment(source, start)
    if (!comment || isDocComment(text, comment.pos)) return []
    const [value = ''] = text.slice(end, comment.end).split(/\n|\*\//, 1)
    return [{ name, value: value.trim(), start, comment }]
  })
}

/** Why a tag in such a comment has no effect. */
export function inPlainComment(name: string): { readonly message: string; readonly hint: string } {
  return { message: `@${name} has no effect in an ordinary comment`, hint: 'write it into a doc comment: /** … */' }
}

/** Returns the outermost node that begins after the comment that ends at a position. */
export function nodeAfter(source: ts.SourceFile, end: number): ts.Node {
  let node = services.getTokenAtPosition(source, end)
  while (node.parent.getStart() === node.getStart() && !ts.isSourceFile(node.parent)) node = node.parent
  return node
}

/** True for a name, or several with dots between them: `shop.orders`. */
export function isDottedName(text: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)*$/u.test(text)
}

/** Reports a problem on a line of a comment. */
export function reportInComment(
  comment: PlacedComment,
  { line, message, hint }: Mistake & Pick<DocProblem, 'line'>,
  problems: Problems,
  code: DiagnosticCode = 'RPC130',
): void {
  const { source, start } = comment
  const first = source.getLineAndCharacterOfPosition(start).line
  const at = line === 0 ? start : source.getPositionOfLineAndCharacter(first + line, 0)
  const indent = line === 0 ? 0 : (/^\s*(?:\*(?!\/)\s*)?/.exec(source.text.slice(at))?.[0].length ?? 0)
  const position = problems.positionIn(source, at + indent)
  problems.add({ code, message, position, hint })
}
