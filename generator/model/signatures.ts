import type { TypesByName } from '../../runtime/schema/description.js'
import { minArguments } from '../../runtime/schema/description.js'
import type { ScalarKind } from '../../runtime/values/types.js'
import type { ModelType, ParamModel } from './model.js'

const scalarNames: Readonly<Record<ScalarKind, string>> = {
  int: 'int',
  double: 'double',
  number: 'double',
  string: 'string',
  boolean: 'boolean',
  date: 'dateTime.iso8601',
  url: 'string',
  null: 'nil',
  undefined: 'nil',
  void: 'nil',
  any: 'undef',
}

/** One signature per number of arguments, the result first; a rest parameter gives one more, with one element. */
export function signaturesOf(params: readonly ParamModel[], returns: ModelType, types: TypesByName): string[][] {
  const names = params.map(({ type }) => signatureName(type, types))
  const required = minArguments(params)
  const result = signatureName(returns, types)
  const arities = Array.from({ length: params.length - required + 1 }, (_each, i) => required + i)
  return arities.map((arity) => [result, ...names.slice(0, arity)])
}

/** The name of a type in `system.methodSignature`; `undef` where the branches of a union have none in common. */
export function signatureName(type: ModelType, types: TypesByName): string {
  switch (type.kind) {
    case 'ref': {
      const named = types.get(type.name)
      return named ? signatureName(named.type, types) : 'undef'
    }
    case 'literal':
      return literalName(type.value)
    case 'template':
      return 'string'
    case 'bigint':
      return 'i8'
    case 'bytes':
      return 'base64'
    case 'array':
    case 'set':
    case 'tuple':
      return 'array'
    case 'struct':
    case 'map':
      return 'struct'
    case 'union': {
      const [name = 'undef', ...others] = new Set(type.branches.map((branch) => signatureName(branch, types)))
      return others.length === 0 ? name : 'undef'
    }
    default:
      return scalarNames[type.kind]
  }
}

function literalName(value: string | number | boolean): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  return (value | 0) === value ? 'int' : 'double'
}
