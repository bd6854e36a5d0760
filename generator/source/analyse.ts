import { dirname, relative } from 'node:path'
import type { ts } from 'ts-morph'
import { findAmbiguity } from '../model/ambiguity.js'
import { withDiscriminants } from '../model/discriminant.js'
import { findEntangled } from '../model/entangled.js'
import type { AuthModel, Model, NamedType, OverloadModel, ProcedureModel } from '../model/model.js'
import { checkNames, type PlacedName } from '../model/names.js'
import { documented, publicName } from '../model/procedure.js'
import type { TypesByName } from '../model/signatures.js'
import { type Options, slashes } from '../options.js'
import { resolveAuth } from './auth.js'
import { checkFunctionComment } from './constraints.js'
import { bySource, type Declaration, findDeclarations } from './declarations.js'
import { checkComment, checkDrift } from './drift.js'
import { checkImports } from './imports.js'
import { createModuleTags, type ModuleTags } from './module-tags.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'
import { findRegistered } from './registered.js'
import { createResolver, type Resolver } from './resolve.js'
import { type ResolvedSignature, resolveSignature } from './signature.js'
import { checkStrictDocs } from './strict-docs.js'
import { explainUnresolved } from './unresolved.js'

interface Resolved {
  readonly declaration: Declaration
  /** The public name. */
  readonly name: string
  readonly signature: ResolvedSignature
  readonly auth: AuthModel | undefined
}

interface Analysis {
  readonly project: OpenProject
  readonly options: Options
  readonly problems: Problems
  /** How the generated file names a module. */
  readonly moduleOf: (source: ts.SourceFile) => string
  readonly tagsOf: (source: ts.SourceFile) => ModuleTags
}

/** Source to model: find → resolve → check. What is wrong is reported; the model is then not to be used. */
export function analyse(project: OpenProject, options: Options, problems: Problems): Model {
  const moduleOf = (source: ts.SourceFile) => modulePath(options.out, source)
  const analysis: Analysis = { project, options, problems, moduleOf, tagsOf: createModuleTags(project, problems) }
  const resolver = createResolver(project, problems, moduleOf)
  const marked = findDeclarations(project, problems)
  const declarations = [...marked, ...findRegistered(project, marked, problems)].sort(bySource)
  const resolved = declarations.flatMap((declaration) => resolveDeclaration(declaration, resolver, analysis))
  const served = declarations.filter((declaration) => declaration.served)
  for (const diagnostic of checkNames(served.map((each) => placedName(each, analysis)))) problems.add(diagnostic)
  const byName: TypesByName = new Map(resolver.types.map((type) => [type.name, type]))
  refuseAmbiguous(resolver, byName)
  const types = resolver.types.map((type): NamedType => ({ ...type, type: withDiscriminants(type.type, byName) }))
  const procedures = resolved.map((each) => procedureOf(each, byName, analysis))
  checkImports(project, problems)
  explainUnresolved(project, problems)
  if (declarations.length === 0 && problems.list.length === 0) problems.add(nothingMarked(options, problems))
  return { version: 1, procedures, types }
}

function resolveDeclaration(declaration: Declaration, resolver: Resolver, analysis: Analysis): Resolved[] {
  const { problems } = analysis
  checkComment(declaration.comment, problems)
  checkFunctionComment(declaration.comment, problems)
  const name = nameOf(declaration, analysis)
  const auth = authOf(declaration, name, analysis)
  const signature = resolveSignature(declaration, name, resolver, problems)
  return signature ? [{ declaration, name, signature, auth }] : []
}

/** What the tag says, else the name of the export or of the static method; the module's namespace in front. */
function nameOf({ comment, exportName, member, module, served }: Declaration, { tagsOf }: Analysis): string {
  const name = publicName(comment.doc, member ?? exportName)
  const { namespace } = tagsOf(module)
  return served && namespace !== undefined && name !== 'default' ? `${namespace}.${name}` : name
}

/** What the procedure's own comment says, else its module's. */
function authOf(
  { comment, node, module, served }: Declaration,
  name: string,
  analysis: Analysis,
): AuthModel | undefined {
  const { options, problems, project, moduleOf, tagsOf } = analysis
  const tag = comment.doc.tags.find((each) => each.name === 'auth')
  const placed = tag ? { tag, comment } : served ? tagsOf(module).auth : undefined
  if (placed) return resolveAuth(placed, project, moduleOf, problems)
  if (served && options.requireAuth) {
    problems.at(node, 'RPC141', `${name} has no auth of its own, and its module has none`, {
      hint: 'say @auth isStaff in its doc comment, or @auth false when everyone may call it',
    })
  }
  return undefined
}

function procedureOf(
  { declaration, name, signature, auth }: Resolved,
  types: TypesByName,
  analysis: Analysis,
): ProcedureModel {
  const { problems, moduleOf, project, options } = analysis
  const { comment, exportName, member, module, served } = declaration
  const params = signature.params.map((param) => ({ ...param, type: withDiscriminants(param.type, types) }))
  const returns = { ...signature.returns, type: withDiscriminants(signature.returns.type, types) }
  const overloads = signature.overloads?.map((each) => withAllDiscriminants(each, types))
  checkDrift(comment, params, returns.type, signature.contextNames, types, problems)
  if (options.strictDocs) checkStrictDocs(declaration, name, params, returns.type, project.checker, problems)
  const found = {
    name,
    module: moduleOf(module),
    export: exportName,
    ...(member === undefined ? {} : { member }),
    params,
    ...(overloads ? { overloads } : {}),
    contextAt: signature.contextAt,
    returns,
    ...(auth === undefined ? {} : { auth }),
    ...(served ? {} : { registered: true }),
    ...(served && project.methodsModules.has(module.fileName) ? { pickedUp: true } : {}),
  }
  return documented(found, comment.doc, types)
}

function withAllDiscriminants({ params, returns }: OverloadModel, types: TypesByName): OverloadModel {
  return {
    params: params.map((param) => ({ ...param, type: withDiscriminants(param.type, types) })),
    returns: { ...returns, type: withDiscriminants(returns.type, types) },
  }
}

/** Relative to the folder of the generated file, so that the model is the same wherever the project lies. */
function modulePath(out: string, source: ts.SourceFile): string {
  const path = slashes(relative(dirname(out), source.fileName))
  return path.startsWith('.') ? path : `./${path}`
}

function placedName(declaration: Declaration, analysis: Analysis): PlacedName {
  const name = nameOf(declaration, analysis)
  return { name, position: analysis.problems.position(declaration.node), unnamed: name === 'default' }
}

function refuseAmbiguous(resolver: Resolver, types: TypesByName): void {
  for (const { branches, place } of resolver.unions) {
    const found = findAmbiguity(branches, types)
    if (found) {
      const message = `${found.one} and ${found.other} look alike in JSON: nobody could tell which was meant`
      const hint = "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }"
      resolver.refuse(place, 'RPC123', message, hint)
    }
    const [one, other] = findEntangled(branches, types)
    if (!found && other !== undefined) {
      const message = `${one} and ${other} contain themselves, and no member tells them apart`
      const hint = "tag them, for instance { kind: 'folder', … } | { kind: 'link', … }"
      resolver.refuse(place, 'RPC123', message, hint)
    }
  }
}

function nothingMarked({ paths }: Options, problems: Problems) {
  const where = paths.map((path) => problems.relative(path)).join(', ')
  return {
    code: 'RPC101' as const,
    message: `no exported function in ${where} is marked @rpc`,
    hint: 'put a line with @rpc into the doc comment of a function that callers may call',
  }
}
