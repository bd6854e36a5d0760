import { ts } from 'ts-morph'
import type { Position } from '../../diagnostic.js'
import { constraintTags, mayConstrain, misplacedConstraints, parseDocComment } from '../../docs/index.js'
import { docCommentsIn } from '../comments/comments.js'
import type { Problems } from '../problems.js'
import { isCounted } from './counted.js'

interface Known {
  readonly program: ts.Program
  readonly problems: Problems
  /** The comments that were read, by the position where they begin. */
  readonly isRead: (source: ts.SourceFile, start: number) => boolean
}

/** What to do about a comment before a node. */
export type Hint = (node: ts.Node) => string

export const hintInPlace: Hint = (node) =>
  node.flags & ts.NodeFlags.JSDoc
    ? 'in JavaScript it stands before a parameter, (/** @minimum 1 */ n), or a field of a class; named types have it in TypeScript'
    : 'put it into the last comment before the parameter, the member or the named type that it is about'

/** Before a parameter that is none of those which callers see. */
export const hintElsewhere: Hint = (node) =>
  ts.isParameter(node)
    ? 'another declaration says what callers may send: put it before the parameter there, or on a named type'
    : hintInPlace(node)

/**
 * Reports constraints in the comments of declarations that types lead to, and that nothing has read: one comment before another,
 * one behind what it is about, one before a kind of declaration whose values have no constraints, such as a member of an enum.
 */
export function reportUnreadOf(nodes: Iterable<ts.Node>, { program, problems, isRead }: Known, hintFor: Hint): void {
  for (const node of nodes) {
    const source = node.getSourceFile()
    if (!isCounted(source, program)) continue
    for (const { pos, end } of commentsOf(node)) {
      const text = source.text.slice(pos, end)
      if (!mayConstrain(text) || isRead(source, pos) || !saysOne(text)) continue
      const position = problems.positionIn(source, pos)
      if (problems.list.some((each) => each.code === 'RPC142' && isSame(each.position, position))) continue
      problems.add({ code: 'RPC142', message: 'a constraint counts for nothing here', position, hint: hintFor(node) })
    }
  }
}

function isSame(one: Position | undefined, { file, line, column }: Position): boolean {
  return one?.file === file && one.line === line && one.column === column
}

/** Prose may name a tag in passing. */
function saysOne(text: string): boolean {
  const { found, miswritten } = constraintTags(parseDocComment(text))
  return found.length + miswritten.length + misplacedConstraints(text).length > 0
}

/** The doc comments before a declaration, in it and behind it, its type and its members aside: they are places of their own. */
function commentsOf(node: ts.Node): ts.TextRange[] {
  const { text } = node.getSourceFile()
  if (node.flags & ts.NodeFlags.JSDoc) return commentAround(node)
  const inside = ts.isTypeNode(node) ? [] : commentsInside(node)
  return [...inside, ...commentsBehind(node.end, node.getSourceFile())].filter(({ pos }) => text.startsWith('/**', pos))
}

/** In JavaScript a comment is what declares. */
function commentAround(node: ts.Node): ts.TextRange[] {
  const jsDoc = ts.findAncestor(node, ts.isJSDoc)
  return jsDoc ? [jsDoc] : []
}

function commentsInside(node: ts.Node): ts.TextRange[] {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node
  const [start, text] = [whole.getFullStart(), whole.getSourceFile().text.slice(whole.getFullStart(), node.end)]
  if (!mayConstrain(text)) return []
  const parts = partsOf(node)
  return docCommentsIn(text)
    .map((each) => ({ pos: start + each.start, end: start + each.start + each.text.length }))
    .filter(({ pos }) => !parts.some((part) => part.pos <= pos && pos < part.end))
}

/** What lies in a declaration beside its name and its modifiers, and has places of its own or none. */
function partsOf(node: ts.Node): ts.TextRange[] {
  const parts: ts.TextRange[] = []
  ts.forEachChild(node, (child) => {
    const isPart = ts.isTypeNode(child) || ts.isExpression(child) || !(ts.isToken(child) || ts.isPropertyName(child))
    if (!isPart || child === ts.getNameOfDeclaration(node as ts.Declaration)) return
    if (ts.isExpression(child)) parts.push(...partsOfValue(child))
    else parts.push({ pos: child.getFullStart(), end: child.end })
  })
  return parts
}

/** In a value its members, its functions and its texts. */
function partsOfValue(node: ts.Node): ts.TextRange[] {
  const isPart = ts.isObjectLiteralElement(node) || ts.isFunctionLike(node) || ts.isTypeNode(node)
  if (isPart || ts.isLiteralExpression(node)) return [{ pos: isPart ? node.pos : node.getStart(), end: node.end }]
  const parts: ts.TextRange[] = []
  ts.forEachChild(node, (child) => void parts.push(...partsOfValue(child)))
  return parts
}

/** Behind a declaration, on its line or before what closes the list that it is in. */
function commentsBehind(at: number, source: ts.SourceFile): readonly ts.TextRange[] {
  const { text } = source
  const before = triviaAt(text, at)
  const separator = text.charAt(before.next)
  if (separator !== ',' && separator !== ';') return isClosing(text, before.next) ? before.all : ownLine(before, source)
  const after = triviaAt(text, before.next + 1)
  return [...before.all, ...(isClosing(text, after.next) ? after.all : ownLine(after, source))]
}

interface Trivia {
  readonly all: readonly ts.CommentRange[]
  readonly sameLine: readonly ts.CommentRange[]
  /** Where the next token begins. */
  readonly next: number
}

function triviaAt(text: string, at: number): Trivia {
  const sameLine = ts.getTrailingCommentRanges(text, at) ?? []
  const all = [...sameLine, ...(ts.getLeadingCommentRanges(text, at) ?? [])]
  const end = all.at(-1)?.end ?? at
  return { all, sameLine, next: end + (/\S/.exec(text.slice(end, end + 10_000))?.index ?? 0) }
}

function isClosing(text: string, at: number): boolean {
  return /[)}\]>{]/.test(text.charAt(at))
}

/** A comment on the line of what comes next is about that. */
function ownLine({ sameLine, next }: Trivia, source: ts.SourceFile): readonly ts.CommentRange[] {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  return sameLine.filter(({ end }) => lineOf(end) !== lineOf(next))
}
