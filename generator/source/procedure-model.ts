import { resolveType } from '../../runtime/schema/described-types.js'
import { isCallableBy, type TypesByName } from '../../runtime/schema/description.js'
import { paramTags } from '../docs/index.js'
import { withDiscriminants } from '../model/ambiguity.js'
import type { AuthModel, ModelType, ProcedureModel, ThrowsModel } from '../model/model.js'
import { mapTypes } from '../model/part.js'
import { documented } from '../model/procedure.js'
import { type PlacedComment, reportInComment } from './comments/comments.js'
import { checkDrift, checkStrictDocs } from './comments/directives.js'
import type { Declaration } from './declarations.js'
import { fittingExamples, resolveExamples } from './examples.js'
import type { Problems } from './problems.js'
import type { Analysis, ResolvedSignature } from './resolver.js'

/** A declaration with its resolved types. */
export interface Resolved {
  readonly declaration: Declaration
  /** The public name. */
  readonly name: string
  readonly signature: ResolvedSignature
  readonly auth: AuthModel | undefined
  readonly throws: readonly ThrowsModel[]
}

/** Returns the model of a declaration: its types, and the docs in its comment. */
export function procedureOf(
  { declaration, name, signature, auth, throws }: Resolved,
  types: TypesByName,
  analysis: Analysis,
): ProcedureModel {
  const { problems, moduleOf, project, options, tagsOf } = analysis
  const { comment, exportName, member, module, served } = declaration
  const { params, returns, overloads } = signature
  checkDrift(comment, params, signature.contextNames, problems)
  const { isObject, names } = wireParamsOf(comment, signature, types, problems)
  const examples = resolveExamples(comment.doc, new Set([exportName, member ?? '', name, name.split('.').at(-1) ?? '']))
  if (options.strictDocs) checkStrictDocs(declaration, name, params, returns.type, problems)
  const found = {
    name,
    module: moduleOf(module),
    export: exportName,
    ...(member === undefined ? {} : { member }),
    params,
    ...(overloads ? { overloads } : {}),
    contextAt: signature.contextAt,
    returns,
    ...(isObject ? { paramsObject: true } : {}),
    ...(signature.subscription ? { subscription: true } : {}),
    ...(auth === undefined ? {} : { auth }),
    ...(throws.length > 0 ? { throws } : {}),
    ...(examples.length > 0
      ? { examples: fittingExamples(examples, { params, returns, ...(overloads ? { overloads } : {}) }, types) }
      : {}),
    ...(served ? {} : { registered: true }),
    ...(served && project.methodsModules.has(module.fileName) ? { legacy: true } : {}),
  }
  const model = documented(found, comment.doc, types, { ...tagsOf(module), wireNames: names })
  checkTool(comment, model, problems)
  return mapTypes(model, (type) => withDiscriminants(type, types))
}

/** How parameters are sent, from the tags `@params` and `@wireName`. */
interface WireParams {
  /** True for `@params object`. */
  readonly isObject: boolean
  /** The names on the wire by those of the source, if they differ. */
  readonly names: ReadonlyMap<string, string>
}

/** The name of the only parameter of a procedure with `@params object`, in errors and signatures. */
const OBJECT = 'params'

/** Returns how parameters are sent; reports tags that do not match them. */
function wireParamsOf(
  comment: PlacedComment,
  { params, overloads }: ResolvedSignature,
  types: TypesByName,
  problems: Problems,
): WireParams {
  const { objectLine, wireNames } = paramTags(comment.doc)
  const report = (line: number, message: string, hint: string) =>
    reportInComment(comment, { line, message }, problems, 'RPC135', { hint })
  if (objectLine !== undefined) {
    const [only, ...more] = params
    const isOne = only && more.length === 0 && !overloads && !only.rest
    if (!isOne || !isObject(only.type, types)) {
      const hint = 'declare one parameter, whose type is that of the params object'
      report(objectLine, '@params object is for a function with one parameter of an object type', hint)
    } else if (wireNames[0]) {
      report(wireNames[0].line, 'with @params object a parameter has no name on the wire', 'remove @wireName')
    }
    return { isObject: true, names: new Map(only ? [[only.name, OBJECT]] : []) }
  }
  const lists = overloads?.map((each) => each.params) ?? [params]
  const declared = new Set(lists.flat().map(({ name }) => name))
  const names = new Map<string, string>()
  for (const { param, wire, line } of wireNames) {
    const hint =
      declared.size === 0 ? 'the function has no parameters' : `the parameters are ${[...declared].join(', ')}`
    if (!declared.has(param)) report(line, `there is no parameter ${param}`, hint)
    else if (names.has(param)) report(line, `the parameter ${param} has two names on the wire`, 'keep one of them')
    // Properties with such names come first in a JavaScript object, so the parameters would be in another order.
    else if (/^\d+$/.test(wire)) report(line, `the name ${wire} on the wire is a number`, 'choose another name')
    names.set(param, wire)
  }
  for (const list of [params, ...lists]) {
    const twice = list.map(({ name }) => names.get(name) ?? name).find((name, i, all) => all.indexOf(name) < i)
    const line = wireNames.find(({ wire }) => wire === twice)?.line
    if (line === undefined) continue
    report(line, `there are two parameters ${twice} on the wire`, 'choose another name')
    break
  }
  return { isObject: false, names }
}

/** Reports `@mcp` of a procedure that cannot be a tool. */
function checkTool(comment: PlacedComment, model: ProcedureModel, problems: Problems): void {
  const tag = comment.doc.tags.find(({ name }) => name === 'mcp')
  const isJson = isCallableBy('json-rpc', model)
  if (!tag || (isJson && !model.subscription)) return
  const [message, hint] = model.subscription
    ? ['@mcp: a subscription cannot be a tool', 'remove @mcp']
    : ['@mcp: a tool is called over json-rpc, which @protocol excludes', 'remove @mcp, or add json-rpc to @protocol']
  reportInComment(comment, { line: tag.line, message }, problems, 'RPC142', { hint })
}

/** True if every value of a type is a JSON object. */
function isObject(type: ModelType, types: TypesByName): boolean {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') return plain.branches.every((each) => isObject(each, types))
  return plain.kind === 'struct' || plain.kind === 'map'
}
