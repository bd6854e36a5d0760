import type { ParamOf } from '../schema/description.js'
import type { WireType } from './wire-type.js'

/** One parameter that travels; a parameter of type RpcContext is not among them. */
export type Param = ParamOf<WireType>

/** The parameter that takes the argument at a position; undefined where there is none. */
export function paramAt(params: readonly Param[], index: number): Param | undefined {
  const last = params.at(-1)
  return params[index] ?? (last?.rest ? last : undefined)
}

/** What that argument is called in an error: `name`, or `names[2]` of a rest parameter. */
export function argumentName(params: readonly Param[], index: number): string | undefined {
  const param = paramAt(params, index)
  return param?.rest ? `${param.name}[${index - params.length + 1}]` : param?.name
}
