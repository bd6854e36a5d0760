import { parameterLists } from '../../runtime/schema/description.js'
import type { InterfacePlan, MemberPlan } from '../../templates/interface.js'
import type { ParamModel, ProcedureModel } from '../model/model.js'
import type { OwnTypes } from './own-types.js'
import { parameterList } from './parameter.js'
import { structText } from './typescript.js'

/** Method name to function type. */
export function planFunctions(
  procedures: readonly ProcedureModel[],
  types: OwnTypes,
  head: Pick<InterfacePlan, 'name' | 'doc'>,
  docOf: (procedure: ProcedureModel) => string,
): InterfacePlan {
  return { ...head, exported: true, members: procedures.map((each) => functionMember(each, types, docOf)) }
}

export function functionMember(
  procedure: ProcedureModel,
  types: OwnTypes,
  docOf: (procedure: ProcedureModel) => string,
): MemberPlan {
  return { name: procedure.name, type: functionText(procedure, types), doc: docOf(procedure) }
}

/** Method name to the parameters by name. */
export function planParams(
  procedures: readonly ProcedureModel[],
  types: OwnTypes,
  head: Pick<InterfacePlan, 'name' | 'doc'>,
): InterfacePlan {
  return { ...head, exported: true, members: procedures.map((each) => paramsMember(each, types)) }
}

export function paramsMember(procedure: ProcedureModel, types: OwnTypes): MemberPlan {
  return { name: procedure.name, type: paramsText(procedure, types), doc: '' }
}

/** The declared errors of a procedure that have a code: `RpcError<4444, { id: number }> | RpcError<410>`. */
export function errorsMember({ name, throws = [] }: ProcedureModel, types: OwnTypes): MemberPlan[] {
  const texts = throws.flatMap(({ code, data }) => {
    if (code === undefined) return []
    return [data ? `RpcError<${code}, ${types.text(data)}>` : `RpcError<${code}>`]
  })
  return texts.length === 0 ? [] : [{ name, type: [...new Set(texts)].join(' | '), doc: '' }]
}

function functionText({ params, returns, overloads }: ProcedureModel, types: OwnTypes): string {
  const parameters = (all: readonly ParamModel[]) =>
    parameterList(
      all,
      all.map(({ type }) => types.text(type)),
      types.form.leftOut,
    )
  const result = ({ type }: Pick<ProcedureModel['returns'], 'type'>) => types.form.result(types.text(type))
  if (!overloads) return `(${parameters(params)}) => ${result(returns)}`
  return `{ ${overloads.map((each) => `(${parameters(each.params)}): ${result(each.returns)}`).join('; ')} }`
}

/** One object of them for each signature. */
function paramsText(procedure: ProcedureModel, types: OwnTypes): string {
  const texts = parameterLists(procedure).map((each) => {
    return each.length === 0 ? 'Record<string, never>' : structText(structOf(each), types.text)
  })
  return [...new Set(texts)].join(' | ')
}

/** By name, what a rest parameter takes is a list. */
function structOf(params: readonly ParamModel[]): Parameters<typeof structText>[0] {
  const members = params.map(({ name, type, optional, rest }) => ({
    name,
    type: rest ? ({ kind: 'array', element: type } as const) : type,
    ...(optional || rest ? { optional: true } : {}),
  }))
  return { kind: 'struct', members }
}
