import { basename, dirname } from 'node:path'
import { ts } from 'ts-morph'
import { type DocTag, parseDocComment } from '../docs/index.js'
import { type PlacedComment, reportInComment } from './comments.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'

/** What the doc comment at the top of a module, or of its folder's `index.ts`, says for all procedures in it. */
export interface ModuleTags {
  /** The prefix of `@namespace`. */
  readonly namespace?: string
  /** The tag `@auth`, and the comment and the module that it stands in. */
  readonly auth?: PlacedTag
}

/** A tag and where it stands. */
export interface PlacedTag {
  readonly tag: DocTag
  readonly comment: PlacedComment
}

/** Tells the tags of a module: its own first, then those of the nearest `index.ts` above it, each where it says one. */
export function createModuleTags(project: OpenProject, problems: Problems): (source: ts.SourceFile) => ModuleTags {
  const own = new Map(project.sources.map((source) => [source, ownTags(source, problems)]))
  const folders = new Map(
    project.sources
      .filter((source) => /^index\.[mc]?[jt]sx?$/.test(basename(source.fileName)))
      .map((source) => [dirname(source.fileName), own.get(source) ?? {}]),
  )
  return (source) => ({ ...above(dirname(source.fileName), folders), ...own.get(source) })
}

function above(folder: string, folders: ReadonlyMap<string, ModuleTags>): ModuleTags {
  const parent = dirname(folder)
  return parent === folder ? {} : { ...above(parent, folders), ...folders.get(folder) }
}

function ownTags(source: ts.SourceFile, problems: Problems): ModuleTags {
  const comment = moduleComment(source)
  if (!comment) return {}
  const [namespace] = comment.doc.tags.filter(({ name }) => name === 'namespace')
  const [auth] = comment.doc.tags.filter(({ name }) => name === 'auth')
  if (namespace && !isNamespace(namespace.text)) {
    const message = `@namespace takes a name such as user or shop.orders, not ${JSON.stringify(namespace.text)}`
    reportInComment(comment, { line: namespace.line, message }, problems)
  }
  return {
    ...(namespace ? { namespace: namespace.text } : {}),
    ...(auth ? { auth: { tag: auth, comment } } : {}),
  }
}

function isNamespace(text: string): boolean {
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*(?:\.[\p{ID_Start}_$][\p{ID_Continue}$]*)*$/u.test(text)
}

/** The first doc comment of a module, unless it is the one of a declaration: it says `@namespace`, or an import follows. */
function moduleComment(source: ts.SourceFile): PlacedComment | undefined {
  const [first, second] = (ts.getLeadingCommentRanges(source.text, 0) ?? []).filter(({ pos }) =>
    source.text.startsWith('/**', pos),
  )
  if (!first) return undefined
  const text = source.text.slice(first.pos, first.end)
  if (!/@namespace|@auth/.test(text) || text.includes('@rpc')) return undefined
  const [statement] = source.statements
  const alone = second !== undefined || (statement !== undefined && isImport(statement))
  if (!alone && !text.includes('@namespace')) return undefined
  return { doc: parseDocComment(text), source, start: first.pos }
}

function isImport(statement: ts.Statement): boolean {
  return ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
}
