import { minArguments } from '../../runtime/schema/description.js'
import type { ParamModel } from '../model/model.js'
import { canBeParameter } from './scope.js'
import { grouped } from './typescript.js'

/**
 * Parameters as a function type has them, by their types. One with a default before one that must be there keeps its place
 * in TypeScript, which has undefined for it, as JSON has null.
 */
export function parameterList(
  params: readonly ParamModel[],
  types: readonly string[],
  leftOut: 'undefined' | 'null' = 'undefined',
): string {
  const least = minArguments(params)
  return params
    .map((param, i) => {
      const type = types[i] ?? 'unknown'
      return i < least && param.optional ? placed(param, type, leftOut) : parameter(param, type)
    })
    .join(', ')
}

function parameter({ name, rest, optional }: ParamModel, type: string): string {
  if (rest) return `...${parameterName(name)}: ${grouped(type)}[]`
  return `${parameterName(name)}${optional ? '?' : ''}: ${type}`
}

function placed({ name }: ParamModel, type: string, leftOut: string): string {
  const said = type === 'unknown' || type.split(' | ').includes(leftOut)
  return `${parameterName(name)}: ${said ? type : `${type} | ${leftOut}`}`
}

/** The labels of a rest tuple may be words that no variable can be called. */
export function parameterName(name: string): string {
  return canBeParameter(name) ? name : `${name}$`
}
