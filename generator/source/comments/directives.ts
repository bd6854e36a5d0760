// Tags that decide what is served and to whom, such as @rpc and @auth, where they have no effect:
//
//   // @auth isAdmin  →  RPC142: @auth has no effect in an ordinary comment
import { ts } from 'ts-morph'
import {
  directiveOf,
  mayHaveDirective,
  parameterOf,
  paramTags,
  readMeta,
  rpcTag,
  tagsWith,
  tagTable,
} from '../../doc-comments/index.js'
import type { ModelType, ParamModel } from '../../model/model.js'
import type { Part } from '../../model/part.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { type DeclaredNode, hasModifier, ownFunction } from '../program/symbols.js'
import {
  type Commented,
  type CommentKey,
  commentKey,
  docCommentsOf,
  inPlainComment,
  leadingRanges,
  moduleComment,
  nodeAfter,
  type PlacedComment,
  plainTagsOf,
  reportInComment,
} from './comments.js'

/**
 * Returns the comments of a source with `@rpc`, `@auth` or the like, misspelt ones included, without those that are known to be read. If
 * no procedure has such a comment, a procedure that it was to guard is open, or one that it was to serve does not exist.
 */
export function findDirectives(source: ts.SourceFile, known: ReadonlySet<CommentKey>): PlacedComment[] {
  const ofModule = moduleComment(source)?.start
  const isUnread = (text: string, start: number) =>
    mayHaveDirective(text) && start !== ofModule && !known.has(commentKey({ source, start }))
  return docCommentsOf(source, isUnread).filter(({ doc: { tags, misplaced } }) => {
    return misplaced !== undefined || tags.some(({ name }) => directiveOf(name) !== undefined)
  })
}

/** Reports the directives that belong to no procedure: a function may be registered by another source than its own. */
export function checkDirectives(parts: ReadonlyMap<string, Part>, { program, problems }: OpenProject): void {
  const read = new Set([...parts.values()].flatMap(({ comments }) => comments))
  for (const [file, { directives }] of parts) {
    if (directives.every((key) => read.has(key))) continue
    const source = program.getSourceFile(file)
    for (const comment of source ? findDirectives(source, read) : []) reportUnusedDirectives(comment, problems)
    // Cached and not analysed in this run: the next one analyses everything, and reports the line.
    if (!source) problems.add({ code: 'RPC142', message: `a tag in ${problems.relative(file)} has no effect` })
  }
}

function reportUnusedDirectives(comment: PlacedComment, problems: Problems): void {
  const { misplaced = [] } = comment.doc
  const hint = 'or in backticks, where the text is about it'
  for (const { problem } of misplaced) reportInComment(comment, { ...problem, hint }, problems)
  reportStrayDirectives(comment, [], problems)
}

const inProcedure = 'write it into the comment of a procedure'
const ofModule = 'at the top of the module, above its imports'

/** Where a directive has an effect. */
function expectedLocation(name: string): string {
  if (name === 'rpc') return 'write it into the comment right above the function, on lines of its own'
  const row = tagTable.get(name)
  if (row?.ofModule === 'only') return `write it ${ofModule}`
  return row?.ofModule ? `${inProcedure}, or ${ofModule}` : inProcedure
}

/** Reports the directives of a comment, misspelt ones included, that have no effect there. */
export function reportStrayDirectives(comment: PlacedComment, read: readonly string[], problems: Problems): void {
  const report = (line: number, message: string, hint: string) =>
    reportInComment(comment, { line, message, hint }, problems, 'RPC142')
  const tags = comment.doc.tags.map(({ name, line }) => ({ name, line, meant: directiveOf(name) }))
  const miswritten = tags.filter(({ name, meant }) => meant !== undefined && meant !== name)
  for (const { name, meant, line } of miswritten) report(line, `@${name} has no effect`, `write it @${meant}`)
  // The others may have an effect once this is corrected.
  if (miswritten.length > 0) return
  for (const { name, meant, line } of tags) {
    if (meant === undefined || read.includes(name)) continue
    report(line, `@${name} has no effect here`, expectedLocation(name))
  }
}

/** Code that was commented out, to which the tags above it belong. */
const oldCode = /^\s*\/\/\s*(?:export|(?:async\s+)?function|const|static)\b/m

/**
 * Reports `@rpc`, `@auth` and the like in a comment that is not a doc comment: right before an exported function, constant or
 * static method, or above the first statement of a module. Elsewhere such a comment is prose, or code that was commented out.
 */
export function reportPlainComments(source: ts.SourceFile, problems: Problems): void {
  const { text } = source
  if (!mayHaveDirective(text)) return
  for (const { name, start, comment } of plainTagsOf(source, (name) => directiveOf(name) !== undefined)) {
    const node = nodeAfter(source, comment.end)
    if (!leadingRanges(node).some(({ pos }) => pos === comment.pos)) continue
    const between = text.slice(comment.end, node.getStart())
    const isRightAbove = isServable(node) && !/\n\s*\n/.test(between)
    if (oldCode.test(between) || !(isRightAbove || node === source.statements[0])) continue
    problems.add({ code: 'RPC142', ...inPlainComment(name), position: problems.positionIn(source, start) })
  }
}

/** True for what can be a procedure if it is a function: an export of a module, or a static method. */
function isServable(node: ts.Node): boolean {
  return hasModifier(node, ts.SyntaxKind.ExportKeyword) || hasModifier(node, ts.SyntaxKind.StaticKeyword)
}

/** Reports the mistakes in a doc comment itself. */
export function reportMistakes(comment: PlacedComment, problems: Problems): void {
  const { doc } = comment
  const values = [rpcTag(doc), readMeta(doc), paramTags(doc)]
  for (const problem of [doc, ...values].flatMap((each) => each.problems)) reportInComment(comment, problem, problems)
}

/** Reports the mistakes in the comment of a procedure. */
export function checkComment(comment: PlacedComment, problems: Problems): void {
  const { doc } = comment
  reportMistakes(comment, problems)
  // The comment at the top of a file may be the module's, even if a function that is registered by hand follows.
  const isOfModule =
    doc.tags.some(({ name }) => name === 'namespace') && moduleComment(comment.source)?.start === comment.start
  const read = tagsWith((row) => row.ofModule !== 'only' || isOfModule)
  reportStrayDirectives(comment, read, problems)
}

/** Reports documented parameters that do not exist. */
export function checkDocumentedParams(
  comment: PlacedComment,
  params: readonly ParamModel[],
  contextNames: readonly string[],
  problems: Problems,
): void {
  const { doc } = comment
  for (const { name, line } of doc.params) {
    const own = parameterOf(name)
    // ESLint's plugin for JSDoc calls a destructured parameter root0; only that of the context can be one.
    const isContext = contextNames.includes(own) || (/^root\d+$/.test(own) && contextNames.some(isUnnamed))
    if (!params.some((each) => each.name === own) && !isContext) {
      const names = params.map((each) => each.name).join(', ')
      const hint = names === '' ? 'the function has no parameters' : `the parameters are ${names}`
      reportInComment(comment, { line, message: `there is no parameter ${name}`, hint }, problems, 'RPC131')
    }
  }
}

/** True for the name that TypeScript gives a destructured parameter. */
function isUnnamed(name: string): boolean {
  return /^__\d+$/.test(name)
}

/** Reports, for `--strict-docs`, undocumented parameters and an Int that became a number. */
export function checkStrictDocs(
  { comment, node }: Commented,
  name: string,
  params: readonly ParamModel[],
  returns: ModelType,
  problems: Problems,
): void {
  for (const param of params) {
    if (comment.doc.params.some((each) => each.name === param.name && each.text !== '')) continue
    problems.at(parameterNode(node, param.name), 'RPC133', `the parameter ${param.name} of ${name} is not documented`, {
      hint: `describe it: :param ${param.name}: …`,
    })
  }
  if (becomesNumber(node, params, returns)) {
    problems.at(node, 'RPC134', `${name} has parameters of type Int, and its inferred result is a number`, {
      hint: 'write the type of the result: Int, or number if that is intended',
    })
  }
}

/** Returns the parameter if the function has one of that name, else the function. */
function parameterNode(node: DeclaredNode, name: string): ts.Node {
  const parameters = functionLikeOf(node)?.parameters ?? []
  return parameters.find((each) => ts.isIdentifier(each.name) && each.name.text === name) ?? node
}

function functionLikeOf(node: DeclaredNode): ts.FunctionLikeDeclaration | undefined {
  return ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) ? node : ownFunction(node)
}

/** True if every number that a function without a declared result takes is an Int, and its result is a number. */
function becomesNumber(node: DeclaredNode, params: readonly ParamModel[], returns: ModelType): boolean {
  const fn = functionLikeOf(node)
  if (!fn?.body || fn.type || (ts.isVariableDeclaration(node) && node.type) || returns.kind !== 'number') return false
  const numbers = params.filter(({ type: { kind } }) => kind === 'int' || kind === 'double' || kind === 'number')
  return numbers.length > 0 && numbers.every(({ type }) => type.kind === 'int')
}
