import type { ParamOf, ScalarKind, WireTypeOf } from '../values/types.js'
import { minArguments } from './description.js'

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

/** The types of one function, or of one of its overloads. */
interface FunctionTypes<Ref extends { readonly kind: 'ref' }> {
  readonly params: readonly Pick<ParamOf<WireTypeOf<Ref>>, 'type' | 'optional' | 'rest'>[]
  readonly returns: { readonly type: WireTypeOf<Ref> }
}

/** Returns the type that a reference is for; undefined if there is none. */
type Resolve<Ref> = (reference: Ref) => WireTypeOf<Ref> | undefined

/**
 * Returns the result of `system.methodSignature`: for each overload one signature per number of arguments, the result first; a rest
 * parameter gives one more, with one element. None twice.
 */
export function signaturesOf<Ref extends { readonly kind: 'ref' }>(
  overloads: readonly FunctionTypes<Ref>[],
  resolve: Resolve<Ref>,
): [returns: string, ...params: string[]][] {
  const known: NamesByTarget<Ref> = new Map()
  const all = overloads.flatMap(({ params, returns }) => {
    const names = params.map(({ type }) => signatureName(type, resolve, known))
    const required = minArguments(params)
    const result = signatureName(returns.type, resolve, known)
    return Array.from({ length: params.length - required + 1 }, (_each, i): [string, ...string[]] => [
      result,
      ...names.slice(0, required + i),
    ])
  })
  return [...new Map(all.map((signature) => [signature.join(), signature])).values()]
}

/** The names of types that references are for: unions of references to unions would multiply. */
type NamesByTarget<Ref> = Map<WireTypeOf<Ref>, string>

/** Returns the name of a type in `system.methodSignature`; `undef` if the branches of a union have different ones. */
function signatureName<Ref extends { readonly kind: 'ref' }>(
  type: WireTypeOf<Ref>,
  resolve: Resolve<Ref>,
  known: NamesByTarget<Ref>,
): string {
  switch (type.kind) {
    case 'ref': {
      const target = resolve(type as Ref)
      if (!target) return 'undef'
      const name = known.get(target) ?? signatureName(target, resolve, known)
      known.set(target, name)
      return name
    }
    case 'custom':
      return signatureName(type.wire, resolve, known)
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
      const [name = 'undef', ...others] = new Set(type.branches.map((branch) => signatureName(branch, resolve, known)))
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
