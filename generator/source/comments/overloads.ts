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
import type { OpenProject } from '../program/project.js'
import { callSignatures } from '../program/symbols.js'
import { type Commented, commentBefore, type PlacedComment, reportInComment } from './comments.js'
import { withInheritedDocs } from './notes.js'
import { checkComment } from './procedure-comment.js'

/**
 * Returns a declaration with the docs of all signatures of an overloaded function. Each has a comment of its own; the other tags of the
 * procedure are read in the one with `@rpc`, and reported in the others.
 */
export function withOverloadDocs<Own extends Commented>(
  declaration: Own,
  project: Pick<OpenProject, 'checker' | 'problems'>,
): Own {
  const { node, comment } = declaration
  const { problems } = project
  const signatures = callSignatures(node, project.checker)
  if (signatures.length < 2) return declaration
  const isOwn = (each: PlacedComment) => each.start === comment.start && each.source === comment.source
  const written = signatures.map(({ declaration: each }) => {
    const found = each && !ts.isJSDocSignature(each) ? commentBefore(each) : undefined
    if (!found || !each || isOwn(found)) return found && comment
    return { ...found, doc: withInheritedDocs(found.doc, each, project) }
  })
  const ofImplementation = implementationDocs(node, project)
  const implementation = ofImplementation && !isOwn(ofImplementation) ? ofImplementation : undefined
  const bySignature = written.map((each, i) =>
    implementation && !(each && hasDocs(each.doc)) ? forSignatures(implementation, signatures.slice(i, i + 1)) : each,
  )
  const isUsed = bySignature.some((each, i) => each !== written[i])
  const used = implementation && isUsed ? [forSignatures(implementation, signatures)] : []
  const own = [...written.filter((each) => each !== undefined), ...used]
  const others = own.filter((each) => !isOwn(each))
  if (others.length === 0) return declaration
  for (const each of others) {
    checkComment(each, project)
    for (const { name, text, line } of each.doc.tags) {
      const isRead = comment.doc.tags.some((tag) => tag.name === name && tag.text === text)
      // Of directives, such as `@auth`, it is reported with all that belong to no procedure.
      if (!procedureTags.has(name) || isRead || directiveOf(name) !== undefined) continue
      const message = `@${name} has no effect in the comment of another overload`
      reportInComment(each, { line, message, hint: 'write it into the comment with @rpc' }, problems)
    }
  }
  const all = own.some(isOwn) ? own : [comment, ...own]
  // Those of a constant are docs of all its signatures.
  const ofAll = own.some(isOwn) ? undefined : comment.doc
  const overloadDocs = bySignature.map((each) => each && docsOfOverload(each.doc, ofAll))
  return { ...declaration, comment: { ...comment, doc: merged(comment, all) }, overloadDocs }
}

function docsOfOverload(own: DocComment, ofAll: DocComment | undefined): OverloadDocs | undefined {
  const all = [...(ofAll ? [ofAll] : []), own]
  const description = distinctTexts(all.map((each) => each.description)).join('\n\n')
  const params = all.flatMap((each) => each.params).map(({ name, text }) => ({ name, doc: text }))
  const returns = (own.returns ?? ofAll?.returns)?.text
  if (description === '' && params.length === 0 && returns === undefined) return undefined
  return { description, params, ...(returns !== undefined && { returns }) }
}

/** Returns the comment of the function that implements the overloads, which documents those without docs. */
function implementationDocs(node: ts.Node, project: Pick<OpenProject, 'checker'>): PlacedComment | undefined {
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  const found = symbol?.declarations?.find((each) => ts.isFunctionLike(each) && 'body' in each && each.body)
  const comment = found && commentBefore(found)
  return comment && { ...comment, doc: withInheritedDocs(comment.doc, found, project) }
}

/** Leaves out the docs of parameters that only the implementation has. */
function forSignatures(comment: PlacedComment, signatures: readonly ts.Signature[]): PlacedComment {
  const names = new Set(signatures.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  const params = comment.doc.params.filter(({ name }) => names.has(parameterOf(name)))
  return { ...comment, doc: { ...comment.doc, params } }
}

function hasDocs({ description, params, returns }: DocComment): boolean {
  return description !== '' || params.length > 0 || returns !== undefined
}

const procedureTags = new Set(tagsWith(({ ofModule }) => ofModule !== 'exclusive').filter((name) => name !== 'rpc'))

/** In the order of the signatures. The lines are those of the comment with `@rpc`, or its first one. */
function merged(comment: PlacedComment, all: readonly PlacedComment[]): DocComment {
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
    tags: [...comment.doc.tags, ...examplesOf(all.filter((each) => each !== comment))],
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

function examplesOf(comments: readonly PlacedComment[]): DocTag[] {
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
