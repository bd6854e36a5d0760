import { ts } from 'ts-morph'
import { mayDecide } from '../../docs/index.js'
import { docCommentsIn } from './comments.js'

/** The text of a doc comment, and where it begins. */
export interface FoundComment {
  readonly text: string
  readonly start: number
}

const indexes = new WeakMap<ts.SourceFile, readonly FoundComment[]>()

/**
 * Returns the doc comments of a source, wherever they are. What only looks like one, in a string or behind `//`, is not one.
 * Computed once for each source.
 */
export function docCommentsOf(source: ts.SourceFile): readonly FoundComment[] {
  const known = indexes.get(source)
  if (known) return known
  const comments = [...withoutLiterals(source).matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)]
  const found = comments.flatMap(({ index: start, 0: { length } }) => {
    const text = source.text.slice(start, start + length)
    return text.startsWith('/**') ? [{ text, start }] : []
  })
  indexes.set(source, found)
  return found
}

/** The doc comments of a source that may have a tag which decides something, without those that are known. */
export function decidingComments(source: ts.SourceFile, isKnown: (start: number) => boolean): FoundComment[] {
  if (!mayDecide(source.text)) return []
  // The index reads the whole source: in most of them every tag is known.
  if (docCommentsIn(source.text).every(({ start, text }) => !mayDecide(text) || isKnown(start))) return []
  return docCommentsOf(source).filter(({ text, start }) => mayDecide(text) && !isKnown(start))
}

/** The text with blanks for all in which a comment's marks are no marks, as long as before. */
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
