import { fits } from '../../runtime/schema/described-types.js'
import type { TypesByName } from '../../runtime/schema/description.js'
import { minArguments, parameterLists } from '../../runtime/schema/description.js'
import type { ExampleModel, ParamModel, ProcedureModel } from './model.js'

type Signed = Pick<ProcedureModel, 'params' | 'overloads' | 'returns'>

/** The examples of a procedure; values that are not those of its types are left out, and what is written stays. */
export function fittingExamples(examples: readonly ExampleModel[], signed: Signed, types: TypesByName): ExampleModel[] {
  const lists = parameterLists(signed)
  return examples.map((example) => {
    const { text, params: values, result } = example
    const isCall = values !== undefined && lists.some((list) => takes(list, values, types))
    const isAnswer = result === undefined || fits(result[0], signed.returns.type, types)
    return isCall && isAnswer ? example : { text }
  })
}

/** Null stands for a parameter that is left out. */
function takes(params: readonly ParamModel[], values: readonly unknown[], types: TypesByName): boolean {
  const rest = params.find((param) => param.rest)
  if (values.length < minArguments(params) || (!rest && values.length > params.length)) return false
  return values.every((value, i) => {
    const param = params[i] ?? rest
    return param !== undefined && ((param.optional && value === null) || fits(value, param.type, types))
  })
}
