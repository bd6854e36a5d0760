// Sources to parts, one after the other: finds the procedures of each, resolves their types, and makes its part:
//
//   /** @rpc */ export function add(a: Int): Int  →  { procedures: [add], types: [], … }
import type { ts } from 'ts-morph'
import { typesOfProcedure } from '../../../runtime/description/described-types.js'
import { rpcTag } from '../../doc-comments/index.js'
import { withDiscriminants } from '../../model/ambiguity.js'
import { proceduresOf } from '../../model/merge.js'
import { type FoundProcedure, type Part, withIds } from '../../model/part.js'
import { checkNames, checkSchemes } from '../../model/public-names.js'
import type { Options } from '../../options/options.js'
import { commentKey } from '../comments/comments.js'
import { checkDirectives, findDirectives, reportPlainComments } from '../comments/directives.js'
import { checkReexports, createModuleTags } from '../comments/module-tags.js'
import { withFittingDefaults } from '../comments/notes.js'
import { findSourcesWithTags, reportStrayTags } from '../constraints/comment-tags.js'
import { checkScripts } from '../program/files.js'
import { checkImports, countImports } from '../program/imports.js'
import { checkExportedAgain, explainUnresolved } from '../program/missing.js'
import { collectProblems, type Problems, placeOf } from '../program/problems.js'
import type { OpenProject } from '../program/project.js'
import { checkWireTypes, findCodecs } from '../types/codecs.js'
import type { Analysis, Codecs, Resolver } from '../types/resolver-interface.js'
import { checkTypes, TypeResolver } from '../types/type-resolver.js'
import { authOf } from './auth.js'
import { checkPaths, checkThenable, compareBySource, type Declaration, findDeclarations } from './declarations.js'
import { withAllDocs } from './procedure-docs.js'
import { procedureOf, type ResolvedDeclaration } from './procedure-model.js'
import { findRegistered } from './registered.js'
import { resolveSignature } from './signature.js'
import { resolveThrows } from './thrown.js'

/** Returns the part of each source, also those that are still valid, in the order of their names. Reports problems: of each source, and of all. */
export function analyse(project: OpenProject): ReadonlyMap<string, Part> {
  const { options, problems, valid } = project
  const tagsOf = createModuleTags(project)
  const sourcesWithTags = findSourcesWithTags(project)
  const checked = { types: new Set<ts.Node>(), members: new Set<ts.Node>(), unresolved: new Set<ts.Node>() }
  const codecs = resolveCodecs({ ...project, sourcesWithTags, checked })
  const analysed = new Map(valid)
  for (const source of project.sources) {
    const own = collectProblems(options.cwd)
    const analysis = { ...project, sources: [source], problems: own, codecs, tagsOf, sourcesWithTags, checked }
    analysed.set(source.fileName, analysePart(source, analysis))
    problems.addNew(own)
  }
  const parts = new Map([...analysed].sort(([a], [b]) => (a < b ? -1 : 1)))
  const procedures = proceduresOf([...parts.values()]).map(({ procedure }) => procedure)
  for (const diagnostic of [...checkNames(procedures), ...checkSchemes(procedures)]) problems.add(diagnostic)
  checkDirectives(parts, project)
  reportStrayTags(project, sourcesWithTags)
  checkScripts(project)
  // After every check that may report an unresolved name: it replaces what follows from a missing module by the cause.
  explainUnresolved(project)
  if (procedures.length === 0 && problems.list.length === 0) problems.add(nothingMarked(options, problems))
  return parts
}

/** Returns the codecs of the run. Their wire types are checked here, also those of codecs that no procedure uses. */
function resolveCodecs(project: Omit<Analysis, 'tagsOf' | 'codecs'>): Codecs {
  const found = findCodecs(project)
  if (found.all.length === 0) return found
  const resolver = new TypeResolver({ ...project, codecs: found })
  const codecs = checkWireTypes(found, resolver)
  checkTypes(resolver)
  return codecs
}

/** Returns the contribution of one source: finds its declarations, resolves their types, completes the types, checks the rest of the source. */
function analysePart(source: ts.SourceFile, analysis: Analysis): Part {
  const { problems } = analysis
  const resolver = new TypeResolver(analysis)
  const { declarations: marked, reexports, comments: ofMarked } = findDeclarations(source, analysis)
  const declarations = [...marked, ...findRegistered(analysis, marked)].sort(compareBySource)
  const resolved = declarations.flatMap((each) => {
    return withinStack(each, problems, () => resolveDeclaration(withAllDocs(each, analysis), resolver, analysis)) ?? []
  })
  const unions = checkTypes(resolver)
  const { types, byKey } = resolver.table
  const found = types.map((each) => {
    return { ...each, type: withFittingDefaults(withDiscriminants(each.type, unions), byKey) }
  })
  const procedures = resolved.flatMap((each): FoundProcedure[] => {
    const { node } = each.declaration
    const model = withinStack(each.declaration, problems, () => procedureOf(each, unions, analysis))
    if (!model) return []
    return [{ model, file: node.getSourceFile().fileName, at: node.pos, position: problems.position(node) }]
  })
  const nodes = declarations.map(({ node }) => node)
  const used = resolved.flatMap(({ signature, throws }) => typesOfProcedure({ ...signature, throws }))
  resolver.constrainer.finish(source, nodes, used)
  // After every type is resolved: the others have no value, and it reports how many errors were left out.
  resolver.finish()
  checkReexports(source, reexports, analysis.tagsOf, problems)
  checkSource(source, declarations, analysis)
  const comments = [...new Set([...declarations.map(({ comment }) => comment), ...ofMarked].map(commentKey))]
  const directives = findDirectives(source, new Set(comments)).map(commentKey)
  const records = withIds(source.fileName, procedures, found)
  return { ...records, directives, comments, imports: countImports(source) }
}

/** The checks that depend on no other one. Their order does not matter: diagnostics are sorted. */
function checkSource(source: ts.SourceFile, declarations: readonly Declaration[], analysis: Analysis): void {
  checkPaths(declarations, analysis)
  checkThenable(declarations, analysis)
  checkImports(source, analysis)
  checkExportedAgain(source, analysis)
  reportPlainComments(source, analysis.problems)
}

/** Returns what is made of a declaration; undefined if that is too deep for the stack, which is reported. */
function withinStack<T>({ node }: Declaration, problems: Problems, make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    // The stack can be too small for a type or an expression in TypeScript's own code, too.
    if (!(error instanceof RangeError)) throw error
    const message = 'the types or the expressions of the function nest too deeply'
    const hint = 'declare the type of its result, and of constants that it refers to'
    problems.at(node, 'RPC122', message, { hint })
    return undefined
  }
}

/** Resolves what a declaration needs; undefined if it is not supported, which is reported. */
function resolveDeclaration(
  declaration: Declaration,
  resolver: Resolver,
  analysis: Analysis,
): ResolvedDeclaration | undefined {
  const name = publicName(declaration, analysis)
  const auth = authOf(declaration, name, analysis)
  const signature = resolveSignature(declaration, name, resolver)
  if (!signature) return undefined
  const throws = resolveThrows(declaration.comment, placeOf(declaration.node, name), resolver)
  return { declaration, name, signature, auth, throws }
}

/**
 * Returns the public name: the one in `@rpc`, else that of the export or static method, in the module's namespace. The namespace does
 * not apply to procedures registered by hand, and to a name with a leading dot in `@rpc`.
 */
function publicName({ comment, exportName, member, node, served }: Declaration, { tagsOf }: Analysis): string {
  const { name = member ?? exportName, isFull } = rpcTag(comment.doc)
  const namespace = served ? tagsOf(node.getSourceFile()).namespace : undefined
  return namespace === undefined || name === 'default' || isFull ? name : `${namespace}.${name}`
}

function nothingMarked({ paths }: Options, problems: Problems) {
  const where = paths.map((path) => problems.relative(path)).join(', ')
  return {
    code: 'RPC101' as const,
    message: `no exported function in ${where} is marked @rpc`,
    hint: 'put a line with @rpc into the doc comment of a function that callers may call',
  }
}
