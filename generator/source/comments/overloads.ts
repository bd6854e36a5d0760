import { ts } from 'ts-morph'
import { type DocComment, type DocTag, type DocText, parameterOf } from '../../docs/index.js'
import { callSignatures, type Declaration } from '../declarations.js'
import type { Problems } from '../problems.js'
import { commentBefore, type PlacedComment, procedureTags, reportInComment } from './comments.js'
import { checkComment } from './directives.js'

/**
 * Returns a declaration with the docs of all signatures of an overloaded function. Each has a comment of its own; the other tags of the
 * procedure are read in the one with `@rpc`, and reported in the others.
 */
export function withOverloadDocs(declaration: Declaration, checker: ts.TypeChecker, problems: Problems): Declaration {
  const { node, comment } = declaration
  const signatures = callSignatures(node, checker)
  if (signatures.length < 2) return declaration
  const own = commentsOf(node, signatures)
  const others = [...new Set(own)].filter((each) => each.start !== comment.start || each.source !== comment.source)
  if (others.length === 0) return declaration
  for (const each of others) {
    checkComment(each, problems)
    for (const { name, text, line } of each.doc.tags) {
      const isRead = comment.doc.tags.some((tag) => tag.name === name && tag.text === text)
      if (!ofProcedure.has(name) || isRead) continue
      const message = `@${name} has no effect in the comment of another overload`
      reportInComment(each, { line, message, hint: 'write it into the comment with @rpc' }, problems)
    }
  }
  const all = own.some((each) => !others.includes(each)) ? own : [comment, ...own]
  return { ...declaration, comment: { ...comment, doc: merged(comment, all) } }
}

/** Returns the comments of the signatures; that of the implementation documents those without one. */
function commentsOf(node: ts.Node, signatures: readonly ts.Signature[]): PlacedComment[] {
  const own = signatures.map(
    ({ declaration: each }) => (each && !ts.isJSDocSignature(each) && commentBefore(each)) || undefined,
  )
  const found = own.flatMap((each) => each ?? [])
  const { symbol } = node as ts.Node & { readonly symbol?: ts.Symbol }
  const implementation = symbol?.declarations?.find((each) => ts.isFunctionLike(each) && 'body' in each && each.body)
  const comment = own.includes(undefined) && implementation ? commentBefore(implementation) : undefined
  if (!comment || found.includes(comment)) return found
  // Its parameters may have other names.
  const names = new Set(signatures.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  const params = comment.doc.params.filter(({ name }) => names.has(parameterOf(name)))
  return [...found, { ...comment, doc: { ...comment.doc, params } }]
}

const ofProcedure = new Set([
  ...procedureTags,
  'deprecated',
  'since',
  'params',
  'wireName',
  'idempotent',
  'readonly',
  'destructive',
  'mcp',
  'mcpName',
])

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
  const returns = joined(docs.flatMap((each) => each.returns ?? []))
  return {
    ...comment.doc,
    tags: [...comment.doc.tags, ...examplesOf(all.filter((each) => each !== comment))],
    description: distinct(docs.map(({ description }) => description)).join('\n\n'),
    params: names.flatMap((name) => {
      const text = joined(docs.flatMap(({ params }) => params.filter((each) => each.name === name)))
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

function joined(texts: readonly DocText[]): DocText | undefined {
  const [first] = texts
  return first && { line: first.line, text: distinct(texts.map(({ text }) => text)).join('\n') }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '')
}
