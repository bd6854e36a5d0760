// Reads a description, as a lock or the sources have it: each type in the form of `type.ts`, the same object wherever a named type is used:
//
//     { kind: 'set', element: { kind: 'int' } }  →  [{ kind: 'list', others: [{ kind: 'number', word: 'Int', … }], … }]
import { hasSizeLimit } from '../../runtime/description/described-types.js'
import {
  type DescribedOverload,
  type DescribedParam,
  type DescribedProcedure,
  type DescribedType,
  type Description,
  isCallableBy,
  type TypesByName,
} from '../../runtime/description/description.js'
import { isRequired } from '../../runtime/description/json-schema.js'
import { UsageError } from '../diagnostics/diagnostic.js'
import type { Method, Param, Signature } from './contract.js'
import { limitsOf } from './limits.js'
import { describedProperties } from './properties.js'
import { scalarsFor } from './scalars.js'
import { readSecurity } from './security.js'
import type { Steps } from './steps.js'
import { formOf, limited, list, literal, never, nullable, object, reference, type Type, unionOf } from './type.js'

/** Returns the methods of a description; `name` is its name in messages. */
export function readDescription({ procedures, types }: Description, name: string, steps: Steps): Method[] {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const [input, output] = [new TypeReader(byName, true, name, steps), new TypeReader(byName, false, name, steps)]
  const signatureOf = ({ params, returns }: DescribedOverload): Signature => ({
    params: input.params(params),
    result: returns && output.type(returns.type),
  })
  return procedures.map((procedure) => methodOf(procedure, signatureOf))
}

function methodOf(procedure: DescribedProcedure, signatureOf: (of: DescribedOverload) => Signature): Method {
  const { name, overloads, subscription } = procedure
  return {
    name,
    ...signatureOf(procedure),
    overloads: overloads?.map(signatureOf),
    ...describedProperties(procedure),
    xml: !subscription && isCallableBy('xml-rpc', procedure),
    security: readSecurity(procedure.security),
    errors: errorCodesOf(procedure),
  }
}

/** Returns the codes of the errors that a procedure declares, each once. */
export function errorCodesOf({ throws = [] }: DescribedProcedure): number[] {
  return [...new Set(throws.flatMap(({ code }) => code ?? []))].sort((a, b) => a - b)
}

/** Reads the types of one description and direction. */
class TypeReader {
  readonly #types: TypesByName
  readonly #isParam: boolean
  readonly #file: string
  readonly #scalars: ReturnType<typeof scalarsFor>
  readonly #references = new Map<string, Type>()
  readonly #steps: Steps

  constructor(types: TypesByName, isParam: boolean, file: string, steps: Steps) {
    this.#types = types
    this.#isParam = isParam
    this.#file = file
    this.#scalars = scalarsFor(isParam, steps)
    this.#steps = steps
  }

  /** By position an optional param can only be left out if none that follows has to be sent; it then accepts null. */
  params(params: readonly DescribedParam[]): Param[] {
    const last = params.findLastIndex((each) => !each.rest && this.#isRequired(each))
    return params.map((param, i) => {
      const { name, rest = false } = param
      const type = this.type(param.type)
      const sent = rest ? list([], 0, type) : param.optional ? nullable(type, this.#steps) : type
      return { name, optional: i > last, rest, type: sent }
    })
  }

  type(type: DescribedType): Type {
    return limited(this.#ofKind(type), limitsOf({ ...type.constraints }), this.#steps)
  }

  #isRequired(part: Parameters<typeof isRequired>[0]): boolean {
    return isRequired(part, this.#isParam ? 'input' : 'output', this.#types)
  }

  #ofKind(type: DescribedType): Type {
    switch (type.kind) {
      case 'ref':
        return this.#reference(type.name)
      case 'literal':
        return literal(type.value, this.#isParam)
      case 'bigint':
        return type.value === undefined ? this.#scalars.bigint : this.#bigint(type.value)
      case 'template':
        return formOf('text', { word: type.text, element: 'string', limits: limitsOf({ pattern: type.pattern }) })
      case 'array':
        return list([], 0, this.type(type.element))
      case 'set':
        return this.#set(type)
      case 'tuple':
        return this.#tuple(type)
      case 'map':
        return this.#map(type)
      case 'struct':
        return this.#struct(type)
      case 'union':
        return this.#union(type.branches)
      case 'custom': {
        const { format, pattern } = type.schema ?? {}
        return limited(this.type(type.wire), limitsOf({ format, pattern }), this.#steps)
      }
      default:
        return this.#scalars[type.kind]
    }
  }

  /** With a limit of its size it rejects equal elements, since it contains them once. */
  #set(type: Of<'set'>): Type {
    const isUnique = this.#isParam && hasSizeLimit(type)
    return limited(list([], 0, this.type(type.element)), limitsOf({ uniqueItems: isUnique }), this.#steps)
  }

  /** An element that may be missing may also be null. */
  #tuple({ elements, required, rest }: Of<'tuple'>): Type {
    const all = elements.map((each, i) => (i < required ? this.type(each) : nullable(this.type(each), this.#steps)))
    return list(all, required, rest && this.type(rest))
  }

  #map({ keys, value }: Of<'map'>): Type {
    const type = this.type(value)
    const others = [undefined, keys ? never : type] as const
    return object([], keys ? [[keys.pattern, type], others] : [others])
  }

  /** A member that callers may leave out may also be sent as null. */
  #struct({ members, indexes = [] }: Of<'struct'>): Type {
    const declared = members.map((each) => {
      const type = this.type(each.type)
      const sent = each.optional && this.#isParam ? nullable(type, this.#steps) : type
      const member = { type: sent, optional: !this.#isRequired(each) }
      return [each.name, member] as const
    })
    const others = indexes.map((each) => [each.keys?.pattern, this.type(each.type)] as const)
    return object(declared, others)
  }

  #union(branches: readonly DescribedType[]): Type {
    const types = branches.map((each) => this.type(each))
    return unionOf(types, this.#steps)
  }

  #bigint(value: string): Type {
    if (!this.#isParam) return literal(value, false, 'i8')
    const isNumber = Number.isSafeInteger(Number(value))
    return unionOf([literal(value, true), ...(isNumber ? [literal(Number(value), true)] : [])], this.#steps)
  }

  #reference(name: string): Type {
    const known = this.#references.get(name)
    if (known) return known
    const named = this.#types.get(name)
    if (!named) throw new UsageError(`${this.#file} refers to the type ${name}, which it does not have`)
    const type = reference(name, () => this.type(named.type), this.#steps)
    this.#references.set(name, type)
    return type
  }
}

type Of<Kind extends DescribedType['kind']> = Extract<DescribedType, { readonly kind: Kind }>
