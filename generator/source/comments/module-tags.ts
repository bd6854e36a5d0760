import { dirname } from 'node:path'
import { ts } from 'ts-morph'
import { type DocTag, mayHaveDirective, readMeta, sharedTags, tagsOfMeta } from '../../doc-comments/index.js'
import type { TagMeta } from '../../model/model.js'
import { foldersUpTo } from '../../paths.js'
import { indexNames } from '../program/files.js'
import type { Problems } from '../program/problems.js'
import type { OpenProject, Run } from '../program/project.js'
import { isDottedName, moduleComment, type PlacedComment, reportInComment } from './comments.js'
import { reportMistakes, reportStrayDirectives } from './directives.js'

/** The tags in the doc comment at the top of a module, or of its folder's `index.ts`, which apply to all procedures in it. */
export interface ModuleTags {
  /** The prefix of `@namespace`. */
  readonly namespace?: string
  /** The tags `@auth`: those of the nearest level that has some, after those of the level above if the first one is `inherited`. */
  readonly auth?: readonly PlacedTag[]
  /** What `@protocol`, `@timeout` and `@maxBody` specify, for procedures without such a tag. */
  readonly meta?: TagMeta
}

export interface PlacedTag {
  readonly tag: DocTag
  readonly comment: PlacedComment
}

/**
 * Returns the function that finds the tags of a module: its own first, then each missing one from the nearest `index.ts` above it. Reports
 * mistakes in those of all sources.
 */
export function createModuleTags({ sources, program, indexesAbove, problems }: OpenProject) {
  const own = new Map<ts.SourceFile, ModuleTags>()
  const ownTagsOf = (source: ts.SourceFile): ModuleTags => {
    const tags = own.get(source) ?? ownTags(source, problems)
    own.set(source, tags)
    return tags
  }
  const tagsOf = (source: ts.SourceFile): ModuleTags => {
    const indexes = indexesAbove(source.fileName).flatMap((file) => program.getSourceFile(file) ?? [])
    return [...indexes, source].map(ownTagsOf).reduce<ModuleTags>(mergedTags, {})
  }
  const known = new Map(sources.map((source) => [source, tagsOf(source)]))
  return (source: ts.SourceFile) => known.get(source) ?? tagsOf(source)
}

/** A marked function that a module exports and another one declares. */
export interface Reexport {
  readonly name: string
  readonly comment: PlacedComment
}

/** Reports a tag of a module that does not apply to a procedure that it only re-exports: those of the declaring module do. */
export function checkReexports(
  source: ts.SourceFile,
  reexports: readonly Reexport[],
  tagsOf: (source: ts.SourceFile) => ModuleTags,
  problems: Problems,
): void {
  const names = tagNames(tagsOf(source))
  for (const { name: procedure, comment } of names.length > 0 ? reexports : []) {
    const applied = [...tagNames(tagsOf(comment.source)), ...comment.doc.tags.map(({ name }) => name)]
    const lost = names.find((name) => !applied.includes(name))
    if (lost === undefined) continue
    const file = problems.relative(comment.source.fileName)
    const message = `@${lost} of a module does not apply to ${procedure}, which is declared in ${file}`
    problems.at(source, 'RPC142', message, { hint: 'write it there, or export a function here that calls it' })
  }
}

function tagNames({ auth, namespace, meta = {} }: ModuleTags): string[] {
  return [...(auth ? ['auth'] : []), ...(namespace === undefined ? [] : ['namespace']), ...tagsOfMeta(meta)]
}

/**
 * Reports the `index.ts` of a folder with tags that is not among the sources: the tags are meant for the procedures below it, also for
 * those that a source re-exports. `files` declare procedures.
 */
export function checkMissedIndexes(
  files: Iterable<string>,
  sources: ReadonlySet<string>,
  { options: { cwd }, disk, problems }: Run,
): void {
  const isLast = (folder: string) => folder === cwd || disk.isFile(`${folder}/package.json`)
  const below = new Map<string, Set<string>>()
  for (const file of files)
    for (const folder of foldersUpTo(dirname(file), isLast))
      below.set(folder, (below.get(folder) ?? new Set()).add(file))
  for (const [folder, declaring] of below) {
    // A folder that is not listed yet would count as changed with every new file.
    const isThere = (name: string) =>
      disk.seen.folders.has(folder) ? disk.list(folder).files.includes(name) : disk.isFile(`${folder}/${name}`)
    for (const name of indexNames.filter(isThere)) {
      const path = `${folder}/${name}`
      // Its own procedures have its tags.
      const isAlone = declaring.size === 1 && declaring.has(path)
      const text = sources.has(path) || isAlone ? undefined : disk.read(path)
      if (text === undefined || !mayHaveDirective(text)) continue
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
      const comment = moduleComment(source)
      if (!comment) continue
      const message = `the tags in ${problems.relative(path)} have no effect: it is not in the paths`
      const hint = 'add it to the paths, or write the tags into the modules that declare the procedures'
      problems.add({ code: 'RPC142', message, position: problems.positionIn(source, comment.start), hint })
    }
  }
}

/** Merges the tags of two levels: the inner ones win, each limit by itself. */
function mergedTags(outer: ModuleTags, inner: ModuleTags): ModuleTags {
  const auth = inheritTags(inner.auth ?? [], outer.auth)
  return { ...outer, ...inner, ...(auth.length > 0 ? { auth } : {}), meta: { ...outer.meta, ...inner.meta } }
}

/**
 * Returns the `@auth` tags that apply to a level with its own ones, inside of a level with others: the own ones, after the others if they begin with
 * `@auth inherited`.
 */
export function inheritTags(own: readonly PlacedTag[], outer: readonly PlacedTag[] = []): readonly PlacedTag[] {
  const [first, ...others] = own
  if (!first) return outer
  return first.tag.text === 'inherited' && outer.length > 0 ? [...outer, ...others] : own
}

function ownTags(source: ts.SourceFile, problems: Problems): ModuleTags {
  const comment = moduleComment(source)
  if (!comment) return {}
  const tag = (wanted: string) => comment.doc.tags.find(({ name }) => name === wanted)
  const namespace = tag('namespace')
  const auth = comment.doc.tags.flatMap((each) => (each.name === 'auth' ? [{ tag: each, comment }] : []))
  const shared = comment.doc.tags.filter(({ name }) => sharedTags.includes(name))
  const { meta } = readMeta({ tags: shared })
  reportMistakes(comment, problems)
  reportStrayDirectives(comment, ['namespace', ...sharedTags], problems)
  const isValid = namespace !== undefined && isDottedName(namespace.text)
  if (namespace && !isValid) {
    const message = `@namespace: expected a name such as user or shop.orders, got ${JSON.stringify(namespace.text)}`
    reportInComment(comment, { line: namespace.line, message }, problems)
  }
  return {
    ...(isValid ? { namespace: namespace.text } : {}),
    ...(auth.length > 0 ? { auth } : {}),
    meta,
  }
}
