import type { ParamModel } from '../model/model.js'
import { canBeParameter } from './scope.js'
import { grouped } from './typescript.js'

/** A parameter as a function type has it. */
export function parameter({ name, rest, optional }: ParamModel, type: string): string {
  if (rest) return `...${parameterName(name)}: ${grouped(type)}[]`
  return `${parameterName(name)}${optional ? '?' : ''}: ${type}`
}

/** The labels of a rest tuple may be words that no variable can be called. */
export function parameterName(name: string): string {
  return canBeParameter(name) ? name : `${name}$`
}
