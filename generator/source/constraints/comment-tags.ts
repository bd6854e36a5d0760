// Constraint tags in comments: those before a parameter, a member or an interface are read, and all others are reported, such as
//
//     quantity: Int // @minimum 1  →  RPC142: @minimum has no effect in an ordinary comment
import { ts } from 'ts-morph'
import { constraintTags, mayConstrain, meantConstraint, readConstraint } from '../../doc-comments/index.js'
import type { PlacedConstraint } from '../../model/constraints.js'
import {
  commentBefore,
  docCommentsOf,
  inPlainComment,
  isMarked,
  nodeAfter,
  type PlacedComment,
  plainTagsOf,
  reportInComment,
} from '../comments/comments.js'
import { hasModifier, overloadsOf } from '../program/checker.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { forEachNode, isInstalled } from '../program/sources.js'
import { withConstraints } from './constraint-types.js'

/** Reads the comment before each declaration once, and reports mistakes in it. */
export class TagReader {
  /** The sources of the user that may have constraint tags. */
  readonly #sources: ReadonlySet<ts.SourceFile>
  readonly #problems: Problems
  readonly #known = new Map<ts.Node, readonly PlacedConstraint[]>()

  constructor(sourcesWithTags: ReadonlySet<ts.SourceFile>, problems: Problems) {
    this.#sources = sourcesWithTags
    this.#problems = problems
  }

  get hasTags(): boolean {
    return this.#sources.size > 0
  }

  readonly tagsOf = (node: ts.Node): readonly PlacedConstraint[] => {
    const tags = this.#known.get(node) ?? readTags(this.#commentOf(node), this.#problems)
    this.#known.set(node, tags)
    return tags
  }

  /** True if there are tags before a declaration; reports nothing. */
  readonly isTagged = (node: ts.Node): boolean => {
    const comment = this.#commentOf(node)
    return comment !== undefined && (constraintTags(comment)?.found.length ?? 0) > 0
  }

  isRead(node: ts.Node): boolean {
    return this.#known.has(node)
  }

  #commentOf(node: ts.Node): PlacedComment | undefined {
    return mayHaveTags(node) && this.#sources.has(node.getSourceFile()) ? commentBefore(node) : undefined
  }
}

/** Reads the tags in the comment before a declaration, and reports mistakes in it. */
function readTags(comment: PlacedComment | undefined, problems: Problems): readonly PlacedConstraint[] {
  const tags = comment && constraintTags(comment)
  if (!tags) return []
  for (const problem of comment.doc.problems) reportInComment(comment, problem, problems)
  for (const problem of tags.wrong) reportInComment(comment, problem, problems, problem.code)
  return tags.found.map(({ line, ...constraint }) => ({
    ...constraint,
    show: (name, value) => `@${name}${value === undefined ? '' : ` ${value}`}`,
    report: (code, message, hint) => reportInComment(comment, { line, message, hint }, problems, code),
  }))
}

/** True for a declaration whose comment may have constraint tags. An alias is not one: TypeScript replaces it by its type. */
function mayHaveTags(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isParameter(node) ||
    ts.isNamedTupleMember(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isClassLike(node)
  )
}

/**
 * Returns the sources of the user that may have constraint tags. Sources of the workspace are the user's, also behind a link in
 * node_modules; comments in an installed package are prose.
 */
export function findSourcesWithTags({ program }: OpenProject): ReadonlySet<ts.SourceFile> {
  const isTagged = (each: ts.SourceFile) =>
    !program.isSourceFileDefaultLibrary(each) && !isInstalled(each) && mayConstrain(each.text)
  return new Set(program.getSourceFiles().filter(isTagged))
}

/** Reports the tags without effect in the given sources and in all that these import, except in the statements of functions. */
export function reportStrayTags(
  { closureOf, sources, globals, problems }: OpenProject,
  sourcesWithTags: ReadonlySet<ts.SourceFile>,
): void {
  if (sourcesWithTags.size === 0) return
  const names = new Set([...globals, ...sources.flatMap(({ fileName }) => closureOf(fileName))])
  for (const source of [...sourcesWithTags].filter(({ fileName }) => names.has(fileName))) {
    const { aliases, owned } = documentedIn(source)
    for (const alias of aliases) reportAlias(alias, problems)
    const others = docCommentsOf(source).filter((each) => !owned.has(each.start) && !isMarked(each))
    for (const each of others.filter(constraintTags))
      if (scopeOf(source, each.start + each.text.length) !== 'function') reportUnused(each, problems)
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
  reader: TagReader,
): void {
  const isInside = ({ parent }: ts.Node) => scopeOf(source, parent.getStart()) === 'function'
  const own = documentedIn(source).parameters.filter((each) => !isInside(each) && !isForOthers(each))
  const values = procedures.filter(ts.isVariableDeclaration).flatMap(({ initializer }) => initializer ?? [])
  const signatures = values.flatMap((each) => checker.getTypeAtLocation(each).getCallSignatures())
  const parameters = signatures.flatMap((each) => each.getParameters().flatMap(({ declarations = [] }) => declarations))
  for (const node of [...own, ...parameters.filter(reader.isTagged)]) {
    const comment = commentBefore(node)
    if (comment && !reader.isRead(node)) reportUnused(comment, problems, hintElsewhere)
  }
}

/** Reports the tags in the comments of an object literal's members: their types are inferred. */
export function reportValueTags(declarations: readonly ts.Node[], problems: Problems): void {
  for (const node of declarations.filter(ts.isPropertyAssignment)) {
    const comment = commentBefore(node)
    if (comment && constraintTags(comment)) reportUnused(comment, problems)
  }
}

/** Reports constraints in the comment of a function, which do not specify a value. */
export function checkFunctionComment(comment: PlacedComment, problems: Problems): void {
  const { found = [], wrong = [] } = constraintTags(comment) ?? {}
  const hint = 'write it before the parameter: (/** @minimum 0 */ a: Int), or into a type: Int & Minimum<0>'
  for (const { name, line } of [...found, ...wrong]) {
    const message = `@${name} has no effect in the comment of a function`
    reportInComment(comment, { line, message, hint }, problems, 'RPC126')
  }
}

/** Returns the aliases and the parameters of functions with constraint tags, and where comments begin that belong to a declaration. */
function documentedIn(source: ts.SourceFile) {
  const aliases: ts.TypeAliasDeclaration[] = []
  const parameters: ts.ParameterDeclaration[] = []
  const owned = new Set<number>()
  forEachNode(source, (node) => {
    const comment = mayHaveTags(node) || ts.isTypeAliasDeclaration(node) ? commentBefore(node) : undefined
    if (comment) owned.add(comment.start)
    if (!comment || !constraintTags(comment)) return
    if (ts.isTypeAliasDeclaration(node)) aliases.push(node)
    if (ts.isParameter(node) && isOfFunction(node.parent)) parameters.push(node)
  })
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
  const found = readTags(commentBefore(node), problems)
  if (found.length === 0) return
  const parameters = node.typeParameters ? `<${node.typeParameters.map((each) => each.getText()).join(', ')}>` : ''
  const line = `type ${node.name.text}${parameters} = ${withConstraints(node.type, found)}`
  const message = `TypeScript replaces the alias ${node.name.text} by its type, without the tags of its comment`
  problems.at(node, 'RPC127', message, { hint: `write them into the type: ${line}` })
}

function reportUnused({ source, start }: PlacedComment, problems: Problems, hint = hintIn(source)): void {
  const message = 'a constraint tag has no effect here'
  problems.add({ code: 'RPC142', message, position: problems.positionIn(source, start), hint })
}

const hintElsewhere =
  'the type of this parameter is declared or inferred elsewhere: write the tag there, or use a constraint type: number & Minimum<1>'

function hintIn({ flags }: ts.SourceFile): string {
  return flags & ts.NodeFlags.JavaScriptFile
    ? 'write it before a parameter, (/** @minimum 1 */ n), or a field of a class; declare named types in TypeScript'
    : 'write it into the last comment before a parameter, a member or an interface, or as a type: number & Minimum<1>'
}
