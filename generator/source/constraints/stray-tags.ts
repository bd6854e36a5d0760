// Constraint tags that have no effect: those of an alias, which TypeScript replaces by its type, and those that are not in the last
// doc comment before a parameter, a member or an interface, such as
//
//     quantity: Int // @minimum 1

import { ts } from 'ts-morph'
import { constraintTags, mayConstrain, meantConstraint, readConstraint } from '../../doc-comments/index.js'
import { commentBefore, docCommentsOf, inPlainComment, isMarked, nodeAfter, plainTagsOf } from '../comments/comments.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { hasModifier, overloadsOf } from '../program/symbols.js'
import { type CommentReader, mayHaveTags, readTags } from './comment-reader.js'
import { withConstraints } from './type-tags.js'

/** Reports the tags without effect in the given sources and in all that these import, except in the statements of functions. */
export function reportStrayTags(
  { closureOf, sources, globals, problems }: OpenProject,
  tagged: ReadonlySet<ts.SourceFile>,
): void {
  if (tagged.size === 0) return
  const names = new Set([...globals, ...sources.flatMap(({ fileName }) => closureOf(fileName))])
  for (const source of [...tagged].filter(({ fileName }) => names.has(fileName))) {
    const { aliases, owned } = commentedIn(source)
    for (const alias of aliases) reportAlias(alias, problems)
    const others = docCommentsOf(source).filter(
      (each) => !owned.has(each.start) && !isMarked(each) && constraintTags(each),
    )
    for (const { start, text } of others)
      if (scopeOf(source, start + text.length) !== 'function') reportUnusedTag(source, start, hintIn(source), problems)
    for (const { name, value, start, comment } of plainTagsOf(source, (name) => mayConstrain(`@${name}`)))
      if (isConstraint(name, value) && scopeOf(source, comment.end) === 'type')
        problems.add({ code: 'RPC142', ...inPlainComment(name), position: problems.positionIn(source, start) })
  }
}

/**
 * Reports the tags before parameters that no procedure has: of functions in a source, unless they are exported for others, and of the
 * functions that its procedures are: `add` in `export const sum: Sum = add`.
 */
export function reportUnreadTags(
  source: ts.SourceFile,
  procedures: readonly ts.Node[],
  { checker, problems }: OpenProject,
  reader: CommentReader,
): void {
  const isInside = ({ parent }: ts.Node) => scopeOf(source, parent.getStart()) === 'function'
  const own = commentedIn(source).parameters.filter((each) => !isInside(each) && !isForOthers(each))
  const values = procedures.filter(ts.isVariableDeclaration).flatMap(({ initializer }) => initializer ?? [])
  const signatures = values.flatMap((each) => checker.getTypeAtLocation(each).getCallSignatures())
  const parameters = signatures.flatMap((each) => each.getParameters().flatMap(({ declarations = [] }) => declarations))
  for (const node of [...own, ...parameters.filter(reader.isTagged)]) {
    const comment = commentBefore(node)
    if (comment && !reader.isRead(comment)) reportUnusedTag(comment.source, comment.start, elsewhere, problems)
  }
}

/** Reports the tags in the comments of an object literal's members: their types are inferred. */
export function reportValueTags(declarations: readonly ts.Node[], problems: Problems): void {
  for (const node of declarations.filter(ts.isPropertyAssignment)) {
    const comment = commentBefore(node)
    if (comment && constraintTags(comment))
      reportUnusedTag(comment.source, comment.start, hintIn(comment.source), problems)
  }
}

/** Returns the aliases and the parameters of functions with constraint tags, and where comments begin that belong to a declaration. */
function commentedIn(source: ts.SourceFile) {
  const aliases: ts.TypeAliasDeclaration[] = []
  const parameters: ts.ParameterDeclaration[] = []
  const owned = new Set<number>()
  const visit = (node: ts.Node): void => {
    const comment = mayHaveTags(node) || ts.isTypeAliasDeclaration(node) ? commentBefore(node) : undefined
    if (comment) owned.add(comment.start)
    if (comment && constraintTags(comment)) {
      if (ts.isTypeAliasDeclaration(node)) aliases.push(node)
      if (ts.isParameter(node) && isOfFunction(node.parent)) parameters.push(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { aliases, parameters, owned }
}

/** False for the type of a function, and for a constructor, whose parameters may be members. */
function isOfFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node) && 'body' in node && node.body !== undefined
}

/** Returns what a comment is in: a type or the signature of a function, the statements of a function, or neither. */
function scopeOf(source: ts.SourceFile, end: number): 'type' | 'function' | undefined {
  const node = nodeAfter(source, end)
  const isStatements = (each: ts.Node) => ts.isBlock(each) && ts.isFunctionLike(each.parent)
  const isAround = (each: ts.Node) => each !== node && (isStatements(each) || ts.isFunctionLike(each))
  const scope = ts.findAncestor(node, (each) => isType(each) || isAround(each))
  return scope && (isStatements(scope) ? 'function' : 'type')
}

function isType(node: ts.Node): boolean {
  return (
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isParameter(node)
  )
}

/** True for a tag in an ordinary comment with a fitting value, also as `@minimum: 5`: others are prose. */
function isConstraint(name: string, text: string): boolean {
  const value = text.replace(/^[:=]\s*|^\((.*)\)$/, '$1')
  const meant = meantConstraint(name, value)
  return meant !== undefined && typeof readConstraint(meant, value) !== 'string'
}

/** True for a parameter of an exported function without `@rpc`, which another source may register or refer to. */
function isForOthers(node: ts.ParameterDeclaration): boolean {
  const declaration = ts.findAncestor(node, (each) => hasModifier(each, ts.SyntaxKind.ExportKeyword))
  const comments = declaration ? [declaration, ...overloadsOf(declaration)].map(commentBefore) : []
  return declaration !== undefined && !comments.some((each) => each && isMarked(each))
}

function reportAlias(node: ts.TypeAliasDeclaration, problems: Problems): void {
  const { found = [] } = readTags(node, problems) ?? {}
  if (found.length === 0) return
  const parameters = node.typeParameters ? `<${node.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const line = `type ${node.name.text}${parameters} = ${withConstraints(node.type, found)}`
  const message = `TypeScript replaces the alias ${node.name.text} by its type, without the tags of its comment`
  problems.at(node, 'RPC127', message, { hint: `write them into the type: ${line}` })
}

function reportUnusedTag(source: ts.SourceFile, start: number, hint: string, problems: Problems): void {
  const message = 'a constraint tag has no effect here'
  problems.add({ code: 'RPC142', message, position: problems.positionIn(source, start), hint })
}

const elsewhere =
  'the type of this parameter is declared or inferred elsewhere: write the tag there, or use a constraint type: number & Minimum<1>'

function hintIn({ flags }: ts.SourceFile): string {
  return flags & ts.NodeFlags.JavaScriptFile
    ? 'write it before a parameter, (/** @minimum 1 */ n), or a field of a class; declare named types in TypeScript'
    : 'write it into the last comment before a parameter, a member or an interface, or as a type: number & Minimum<1>'
}
