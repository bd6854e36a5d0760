import { ts } from 'ts-morph'
import { decidingTag, mayDecide } from '../../docs/index.js'
import type { Problems } from '../problems.js'

/**
 * Reports `@rpc`, `@auth` and the like at the beginning of a line of a comment that is not a doc comment:
 * right before an exported function, constant or static method, or above the first statement of a module. Elsewhere such a
 * comment is prose, or code that was commented out.
 */
export function reportPlainComments(source: ts.SourceFile, problems: Problems): void {
  if (!mayDecide(source.text)) return
  const [first] = source.statements
  const declarations = source.statements.filter(isExported).flatMap((each) => [each, ...staticMethodsOf(each)])
  for (const node of new Set([...(first ? [first] : []), ...declarations])) {
    for (const { name, start } of tagsBefore(node, source, node !== first)) {
      problems.add({
        code: 'RPC142',
        message: `@${name} counts for nothing in an ordinary comment`,
        position: problems.positionIn(source, start),
        hint: 'write it into a doc comment: /** … */',
      })
    }
  }
}

function isExported(statement: ts.Statement): boolean {
  const isDeclaration =
    ts.isFunctionDeclaration(statement) || ts.isVariableStatement(statement) || ts.isClassDeclaration(statement)
  return isDeclaration && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}

function staticMethodsOf(statement: ts.Statement): ts.Node[] {
  if (!ts.isClassDeclaration(statement)) return []
  return statement.members.filter((each) => ts.isMethodDeclaration(each) && isStatic(each))
}

function isStatic({ modifiers }: ts.MethodDeclaration): boolean {
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true
}

interface FoundTag {
  readonly name: string
  readonly start: number
}

/** With `adjacent`, of the comments that no empty line separates from the node. */
function tagsBefore(node: ts.Node, { text }: ts.SourceFile, adjacent: boolean): FoundTag[] {
  const ranges = ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []
  const found: FoundTag[] = []
  let next = node.getStart()
  for (const { pos, end } of ranges.toReversed()) {
    if (adjacent && /\n\s*\n/.test(text.slice(end, next))) break
    const comment = text.slice(pos, end)
    // The tags above belong to code that was commented out.
    if (/^\/\/\s*(?:export|(?:async\s+)?function|const|static)\b/.test(comment)) break
    if (!comment.startsWith('/**')) found.push(...tagsIn(comment, pos))
    next = pos
  }
  return found
}

/** A line of a block comment may begin with an asterisk; behind `//` that is a line of a commented-out doc comment. */
function tagsIn(comment: string, pos: number): FoundTag[] {
  const lines = comment.startsWith('//') ? /^\/\/+[^\S\n]*@([\w-]+)/g : /^(?:\/\*!?|[^\S\n]*\*)?[^\S\n]*@([\w-]+)/gm
  return [...comment.matchAll(lines)].flatMap(({ index, 0: { length }, 1: name = '' }) => {
    return decidingTag(name) === undefined ? [] : [{ name, start: pos + index + length - name.length - 1 }]
  })
}
