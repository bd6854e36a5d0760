import type { TypesByName } from '../../runtime/schema/description.js'
import { withDiscriminants } from '../model/discriminant.js'
import type { AuthModel, ProcedureModel, ThrowsModel } from '../model/model.js'
import { mapTypes } from '../model/part.js'
import { documented } from '../model/procedure.js'
import type { Analysis } from './analysis.js'
import { checkDrift, checkStrictDocs } from './comments/documented.js'
import type { Declaration } from './declarations.js'
import { fittingExamples, resolveExamples } from './examples.js'
import type { ResolvedSignature } from './resolved-signature.js'
import { wireParamsOf } from './wire-params.js'

/** A declaration whose types are known. */
export interface Resolved {
  readonly declaration: Declaration
  /** The public name. */
  readonly name: string
  readonly signature: ResolvedSignature
  readonly auth: AuthModel | undefined
  readonly throws: readonly ThrowsModel[]
}

/** A declaration, with what its types and its comment say, as the model has it. */
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
    ...(served && project.methodsModules.has(module.fileName) ? { pickedUp: true } : {}),
  }
  const model = documented(found, comment.doc, types, { ...tagsOf(module), wireNames: names })
  return mapTypes(model, (type) => withDiscriminants(type, types))
}
