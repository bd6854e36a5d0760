import { minArguments } from '../../runtime/schema/description.js'
import type { ParamModel } from '../model/model.js'
import type { Planner } from './planner.js'
import { conditionOf } from './predicate.js'

/** All that must hold of the arguments: how many there are, and each of them. */
export function planConditions(params: readonly ParamModel[], planner: Planner): string[] {
  const rest = params.find((param) => param.rest)
  const least = minArguments(params)
  const most = rest ? undefined : params.length
  const length = [
    ...(least === most ? [`args.length === ${least}`] : []),
    ...(least !== most && least > 0 ? [`args.length >= ${least}`] : []),
    ...(least !== most && most !== undefined ? [`args.length <= ${most}`] : []),
  ]
  return [...length, ...params.flatMap((param, i) => planCondition(param, i, planner))]
}

function planCondition({ type, optional, rest }: ParamModel, i: number, planner: Planner): string[] {
  if (!rest) return conditionOf(type, `args[${i}]`, planner, optional)
  if (type.kind === 'any') return []
  return conditionOf({ kind: 'array', element: type }, i === 0 ? 'args' : `args.slice(${i})`, planner)
}
