import { dirname, relative } from 'node:path'
import type { ts } from 'ts-morph'
import { findAmbiguity } from '../model/ambiguity.js'
import { withDiscriminants } from '../model/discriminant.js'
import type { Model, NamedType, ProcedureModel } from '../model/model.js'
import { checkNames, type PlacedName } from '../model/names.js'
import { documented, publicName } from '../model/procedure.js'
import type { TypesByName } from '../model/signatures.js'
import { type Options, slashes } from '../options.js'
import { type Declaration, findDeclarations } from './declarations.js'
import { checkComment, checkDrift } from './drift.js'
import type { Problems } from './problems.js'
import type { OpenProject } from './project.js'
import { createResolver, type Resolver } from './resolve.js'
import { type ResolvedSignature, resolveSignature } from './signature.js'

interface Resolved {
  readonly declaration: Declaration
  readonly signature: ResolvedSignature
}

/** Source to model: find → resolve → check. What is wrong is reported; the model is then not to be used. */
export function analyse(project: OpenProject, options: Options, problems: Problems): Model {
  const moduleOf = (source: ts.SourceFile) => modulePath(options.out, source)
  const resolver = createResolver(project, problems, moduleOf)
  const declarations = findDeclarations(project, problems)
  const resolved = declarations.flatMap((declaration): Resolved[] => {
    checkComment(declaration.comment, problems)
    const name = publicName(declaration.comment.doc, declaration.exportName)
    const signature = resolveSignature(declaration, name, resolver, problems)
    return signature ? [{ declaration, signature }] : []
  })
  for (const diagnostic of checkNames(declarations.map((each) => placedName(each, problems)))) problems.add(diagnostic)
  const byName: TypesByName = new Map(resolver.types.map((type) => [type.name, type]))
  refuseAmbiguous(resolver, byName)
  const types = resolver.types.map((type): NamedType => ({ ...type, type: withDiscriminants(type.type, byName) }))
  const procedures = resolved.map((each) => procedureOf(each, moduleOf, byName, problems))
  if (declarations.length === 0 && problems.list.length === 0) problems.add(nothingMarked(options, problems))
  return { version: 1, procedures, types }
}

function procedureOf(
  { declaration, signature }: Resolved,
  moduleOf: (source: ts.SourceFile) => string,
  types: TypesByName,
  problems: Problems,
): ProcedureModel {
  const { comment, exportName, module } = declaration
  const params = signature.params.map((param) => ({ ...param, type: withDiscriminants(param.type, types) }))
  const returns = { ...signature.returns, type: withDiscriminants(signature.returns.type, types) }
  checkDrift(comment, params, returns.type, signature.contextNames, types, problems)
  const found = { module: moduleOf(module), export: exportName, params, contextAt: signature.contextAt, returns }
  return documented(found, comment.doc, types)
}

/** Relative to the folder of the generated file, so that the model is the same wherever the project lies. */
function modulePath(out: string, source: ts.SourceFile): string {
  const path = slashes(relative(dirname(out), source.fileName))
  return path.startsWith('.') ? path : `./${path}`
}

function placedName({ node, comment, exportName }: Declaration, problems: Problems): PlacedName {
  const name = publicName(comment.doc, exportName)
  return { name, position: problems.position(node), unnamed: name === 'default' }
}

function refuseAmbiguous(resolver: Resolver, types: TypesByName): void {
  for (const { branches, place } of resolver.unions) {
    const found = findAmbiguity(branches, types)
    if (!found) continue
    const message = `${found.one} and ${found.other} look alike in JSON: nobody could tell which was meant`
    resolver.refuse(
      place,
      'RPC123',
      message,
      "tag them, for instance { kind: 'at', at: Date } | { kind: 'text', text: string }",
    )
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
