import type { ArgumentTypesPlan, OverloadPlan, ParamPlan, ProcedurePlan } from '../../templates/procedure.js'
import type { OverloadModel, ParamModel, ProcedureModel } from '../model/model.js'
import { planConditions } from './conditions.js'
import { parameterList } from './parameter.js'
import type { Planner } from './planner.js'
import { typeText } from './typescript.js'

/** What an overloaded procedure has in place of one tuple, one predicate and one call. */
export interface OverloadsPlan {
  readonly overloads: readonly OverloadPlan[]
  readonly argumentTypes?: ArgumentTypesPlan
  readonly tuple: string
  readonly conditions: readonly string[]
  readonly invoke: ProcedurePlan['invoke']
}

/** A predicate for each overload; the first that holds says which one is called, as TypeScript has it. */
export function planOverloads(
  model: ProcedureModel,
  all: readonly OverloadModel[],
  fn: string,
  wanted: string,
  planner: Planner,
  planParam: (param: ParamModel) => ParamPlan,
): OverloadsPlan {
  const base = wanted.charAt(0).toUpperCase() + wanted.slice(1)
  const texts = all.map((overload) => tupleText(overload, planner))
  const name = texts.includes(undefined) ? planner.scope.claim(`${base}Arguments`) : undefined
  const overloads = all.map((overload, i): OverloadPlan => {
    return {
      name: planner.scope.claim(`is${base}${i + 1}`),
      tuple: texts[i] ?? `${name}[${i}]`,
      conditions: planConditions(overload.params, planner),
      params: overload.params.map(planParam),
    }
  })
  return {
    overloads,
    ...(name === undefined ? {} : { argumentTypes: { name, fn, count: all.length } }),
    tuple: [...new Set(overloads.map(({ tuple }) => tuple))].join(' | '),
    conditions: [overloads.map((overload) => `${overload.name}(args)`).join(' || ')],
    invoke: {
      takes: '(args: readonly unknown[])',
      result: resultText(model, all, planner),
      call: callTexts(overloads, fn),
    },
  }
}

/** The last one needs no predicate: by then one of them holds. */
function callTexts(overloads: readonly OverloadPlan[], fn: string): string[] {
  return overloads.map(({ name, tuple }, i) =>
    i < overloads.length - 1 ? `${name}(args) ? ${fn}(...args)` : `${fn}(...(args as ${tuple}))`,
  )
}

/** `[value: string]`; undefined where a type has no name to import. */
function tupleText({ params }: OverloadModel, planner: Planner): string | undefined {
  const texts = params.map((param) => typeText(param.type, planner))
  return texts.every((text) => text !== undefined) ? `[${parameterList(params, texts)}]` : undefined
}

function resultText({ returns }: ProcedureModel, all: readonly OverloadModel[], planner: Planner): string {
  const texts = all.map((overload) => typeText(overload.returns.type, planner))
  if (returns.promise === 'maybe' || texts.includes(undefined)) return 'unknown'
  const text = [...new Set(texts)].join(' | ')
  return returns.promise === 'yes' ? `Promise<${text}>` : text
}
