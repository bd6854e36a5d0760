// The docs of a procedure: those of its own comment, of the comments of its overloads, and those that {@inheritDoc} refers to. Mistakes in
// these comments are reported:
//
//   /** Adds. */ add(a: number): number and /** @rpc */ add(a: string): string  →  one procedure, described by both
import { ts } from 'ts-morph'
import {
  type DocComment,
  type DocTag,
  type DocText,
  directiveOf,
  parameterOf,
  tagsWith,
} from '../../doc-comments/index.js'
import type { OverloadDocs } from '../../model/model.js'
import { commentBefore, moduleComment, type PlacedComment, reportInComment } from '../comments/comments.js'
import { reportMistakes, reportStrayDirectives } from '../comments/directives.js'
import { withInheritedDocs } from '../comments/notes.js'
import { checkFunctionComment } from '../constraints/comment-tags.js'
import { callSignatures } from '../program/checker.js'
import type { OpenProject } from '../program/project.js'
import type { Declaration } from './declarations.js'
import { checkThrown } from './thrown.js'

/** Returns a declaration with all its docs in its comment. Reports mistakes in the comments. */
export function withAllDocs(found: Declaration, project: OpenProject): Declaration {
  checkComment(found.comment, project)
  checkFunctionComment(found.comment, project.problems)
  const signatures = callSignatures(found.node, project.checker)
  const declaration = withInherited(found, signatures, project)
  return signatures.length < 2 ? declaration : withOverloadDocs(declaration, signatures, project)
}

const ofProcedure = tagsWith(({ ofModule }) => ofModule !== 'exclusive')

/** Reports the mistakes in the comment of a procedure. */
function checkComment(comment: PlacedComment, project: OpenProject): void {
  const { doc } = comment
  reportMistakes(comment, project.problems)
  // The comment at the top of a file may be the module's, even if a function that is registered by hand follows.
  const isOfModule =
    doc.tags.some(({ name }) => name === 'namespace') && moduleComment(comment.source)?.start === comment.start
  const read = isOfModule ? tagsWith(() => true) : ofProcedure
  reportStrayDirectives(comment, read, project.problems)
  checkThrown(comment, project)
}

/** Returns a declaration with the docs that its comment refers to; those of parameters that it has itself. */
function withInherited(found: Declaration, signatures: readonly ts.Signature[], project: OpenProject): Declaration {
  const { comment, node } = found
  const doc = withInheritedDocs(comment.doc, node, project)
  if (doc === comment.doc) return found
  const own = new Set(comment.doc.params)
  const inherited = withParamsOf(signatures, doc).params
  const params = doc.params.filter((each) => own.has(each) || inherited.includes(each))
  return { ...found, comment: { ...comment, doc: { ...doc, params } } }
}

/**
 * Returns the declaration of an overloaded function with the docs of all its signatures. Each may have a comment of its own; the
 * comment of the implementation documents those without docs. All other tags are read in the comment with `@rpc`.
 */
function withOverloadDocs(
  declaration: Declaration,
  signatures: readonly ts.Signature[],
  project: OpenProject,
): Declaration {
  const { comment } = declaration
  const written = signatures.map((each) => commentOfSignature(each, comment, project))
  const ofImplementation = implementationComment(declaration, project)
  const lacksDocs = (each: PlacedComment | undefined) => !each || !hasDocs(each.doc)
  const implementation = written.some(lacksDocs) ? ofImplementation : undefined
  const documentedBy = (of: readonly ts.Signature[]) =>
    implementation && { ...implementation, doc: withParamsOf(of, implementation.doc) }
  const comments = [...written, documentedBy(signatures)].filter((each) => each !== undefined)
  const others = comments.filter((each) => each !== comment)
  if (others.length === 0) return declaration
  for (const each of others) checkOtherComment(each, comment, project)
  // If it is not before a signature, it is before a constant, and documents all its signatures.
  const isShared = others.length === comments.length
  const overloadDocs = signatures.map((signature, i) => {
    const own = lacksDocs(written[i]) ? (documentedBy([signature]) ?? written[i]) : written[i]
    return own && docsOfOverload(own.doc, isShared ? comment.doc : undefined)
  })
  const doc = joinedDocs(comment, isShared ? [comment, ...comments] : comments)
  return { ...declaration, comment: { ...comment, doc }, overloadDocs }
}

/** Returns the comment before a signature; `comment`, whose docs are complete, if it is that one. */
function commentOfSignature(
  { declaration }: ts.Signature,
  comment: PlacedComment,
  project: OpenProject,
): PlacedComment | undefined {
  const found = declaration && !ts.isJSDocSignature(declaration) ? commentBefore(declaration) : undefined
  if (!found || !declaration || isSameComment(found, comment)) return found && comment
  return { ...found, doc: withInheritedDocs(found.doc, declaration, project) }
}

/** Returns the comment of the function that implements the overloads, if it is not the one of the procedure. */
function implementationComment({ node, comment }: Declaration, project: OpenProject): PlacedComment | undefined {
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  const found = symbol?.declarations?.find((each) => ts.isFunctionLike(each) && 'body' in each && each.body)
  const own = found && commentBefore(found)
  if (!own || isSameComment(own, comment)) return undefined
  return { ...own, doc: withInheritedDocs(own.doc, found, project) }
}

function isSameComment(one: PlacedComment, other: PlacedComment): boolean {
  return one.start === other.start && one.source === other.source
}

const procedureTags = new Set(ofProcedure.filter((name) => name !== 'rpc'))

/** Reports mistakes in the comment of another signature than the one with `@rpc`, and tags that are read only there. */
function checkOtherComment(other: PlacedComment, comment: PlacedComment, project: OpenProject): void {
  checkComment(other, project)
  for (const { name, text, line } of other.doc.tags) {
    const isRead = comment.doc.tags.some((tag) => tag.name === name && tag.text === text)
    // Of directives, such as `@auth`, it is reported with all that belong to no procedure.
    if (!procedureTags.has(name) || isRead || directiveOf(name) !== undefined) continue
    const message = `@${name} has no effect in the comment of another overload`
    reportInComment(other, { line, message, hint: 'write it into the comment with @rpc' }, project.problems)
  }
}

/** Leaves out the docs of parameters that none of some signatures has. */
function withParamsOf(signatures: readonly ts.Signature[], doc: DocComment): DocComment {
  const names = new Set(signatures.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  return { ...doc, params: doc.params.filter(({ name }) => names.has(parameterOf(name))) }
}

function docsOfOverload(own: DocComment, ofAll: DocComment | undefined): OverloadDocs | undefined {
  const all = [...(ofAll ? [ofAll] : []), own]
  const description = distinctTexts(all.map((each) => each.description)).join('\n\n')
  const params = all.flatMap((each) => each.params).map(({ name, text }) => ({ name, doc: text }))
  const returns = (own.returns ?? ofAll?.returns)?.text
  if (description === '' && params.length === 0 && returns === undefined) return undefined
  return { description, params, ...(returns !== undefined && { returns }) }
}

function hasDocs({ description, params, returns }: DocComment): boolean {
  return description !== '' || params.length > 0 || returns !== undefined
}

/** Joins the docs of comments in the order of the signatures. The lines are those of the comment with `@rpc`, or its first one. */
function joinedDocs(comment: PlacedComment, all: readonly PlacedComment[]): DocComment {
  const docs = all.map((each) => {
    const line = (of: number) => (each === comment ? of : 0)
    const { description, params, returns, throws } = each.doc
    return {
      description,
      params: params.map((param) => ({ ...param, line: line(param.line) })),
      returns: returns && { ...returns, line: line(returns.line) },
      throws: throws.map((error) => ({ ...error, line: line(error.line) })),
    }
  })
  const names = [...new Set(docs.flatMap(({ params }) => params.map(({ name }) => name)))]
  const returns = joinTexts(docs.flatMap((each) => each.returns ?? []))
  return {
    ...comment.doc,
    tags: [...comment.doc.tags, ...exampleTagsOf(all.filter((each) => each !== comment))],
    description: distinctTexts(docs.map(({ description }) => description)).join('\n\n'),
    params: names.flatMap((name) => {
      const text = joinTexts(docs.flatMap(({ params }) => params.filter((each) => each.name === name)))
      return text ? [{ name, ...text }] : []
    }),
    ...(returns && { returns }),
    throws: docs
      .flatMap(({ throws }) => throws)
      .filter(({ name }, i, errors) => errors.findIndex((each) => each.name === name) === i),
  }
}

function exampleTagsOf(comments: readonly PlacedComment[]): DocTag[] {
  const tags = comments.flatMap(({ doc }) => doc.tags)
  return tags.filter(({ name }) => name === 'example').map((each) => ({ ...each, line: 0 }))
}

function joinTexts(texts: readonly DocText[]): DocText | undefined {
  const [first] = texts
  return first && { line: first.line, text: distinctTexts(texts.map(({ text }) => text)).join('\n') }
}

function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '')
}
