import { ts } from 'ts-morph'
import { commentBefore, isMarked, markedComment, mayHaveComment, type PlacedComment } from './comments/comments.js'
import type { Problems } from './problems.js'
import { commonJsHint, isCommonJs } from './project/commonjs.js'

/** True if a source may have `@rpc` in other comments than those of what was found: then all of it is looked through. */
export function hasOtherMarks({ text, fileName }: ts.SourceFile, found: readonly PlacedComment[]): boolean {
  const known = new Set(found.filter(({ source }) => source.fileName === fileName).map(({ start }) => start))
  return text.includes('@rpc') && mayHaveComment(text, (each, start) => each.includes('@rpc') && !known.has(start))
}

/**
 * A tag that is silently ignored is the worst case: everything marked is either a procedure or an error. Answers the
 * comments of what was reported.
 */
export function reportUnreachable(
  source: ts.SourceFile,
  isKnown: (node: ts.Node) => boolean,
  problems: Problems,
): PlacedComment[] {
  const reported: PlacedComment[] = []
  const visit = (node: ts.Node): void => {
    for (const declared of declaredBy(node)) {
      const comment = isKnown(declared) ? undefined : commentOf(declared, node)
      if (!comment || !isMarked(comment)) continue
      reported.push(comment)
      if (overloadsOf(declared).some(isKnown)) reportTwice(declared, problems)
      else reportMarked(declared, problems)
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return reported
}

/** At the top of a module a comment has lines of its own; a member, or what stands in a block, may share its line. */
function commentOf(declared: ts.Node, statement: ts.Node): PlacedComment | undefined {
  if (ts.isSourceFile(statement.parent)) return markedComment(declared)
  const comment = commentBefore(statement)
  return comment?.text.includes('@rpc') ? comment : undefined
}

function declaredBy(node: ts.Node): readonly ts.Node[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.slice(0, 1)
  const documented =
    ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isClassElement(node) || ts.isTypeElement(node)
  const other = ts.isObjectLiteralElement(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)
  const member = ts.isEnumMember(node) || ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node)
  return documented || other || member || ts.isExportAssignment(node) || ts.isExportDeclaration(node) ? [node] : []
}

/** All signatures of the function that a declaration is one of. */
export function overloadsOf(node: ts.Node): readonly ts.Node[] {
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  return ts.isFunctionDeclaration(node) ? (symbol?.declarations ?? []) : []
}

function reportTwice(node: ts.Node, problems: Problems): void {
  problems.at(node, 'RPC130', 'two signatures of one function are marked @rpc: its overloads are one procedure', {
    hint: 'keep the tag before one of them',
  })
}

function reportMarked(node: ts.Node, problems: Problems): void {
  if (ts.isVariableDeclaration(node) && !ts.isIdentifier(node.name)) {
    problems.at(node, 'RPC111', 'what is marked @rpc is taken apart into several constants', {
      hint: 'export a constant that holds one function, and mark that',
    })
    return
  }
  if (!ts.isFunctionDeclaration(node) && !ts.isVariableDeclaration(node)) {
    problems.at(node, 'RPC111', 'what is marked @rpc is not an exported function', {
      hint: 'mark an exported function, or an exported constant that holds one',
    })
  } else if (isCommonJs(node.getSourceFile())) {
    problems.at(node, 'RPC110', 'a function is marked @rpc, and no export of this CommonJS module leads to it', {
      hint: commonJsHint,
    })
  } else if (isInNamespace(node)) {
    problems.at(node, 'RPC110', 'a member of a namespace is marked @rpc, and is no export of the module', {
      hint: 'export a function of the module itself, and mark that',
    })
  } else {
    problems.at(node, 'RPC110', 'a function is marked @rpc and is not exported', { hint: 'export it, or drop the tag' })
  }
}

function isInNamespace(node: ts.FunctionDeclaration | ts.VariableDeclaration): boolean {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node
  return ts.isModuleBlock(statement.parent)
}
