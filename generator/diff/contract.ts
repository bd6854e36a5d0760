// What callers of one version rely on. Its types are those that callers send (`input`: an optional member accepts null too) or receive:
//
//     export function find(id: Int, deep?: boolean): Order
//     { name: 'find', params: [id: Int, deep?: boolean | null], result: Order, protocols: ['json-rpc', 'xml-rpc'], … }

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
import { type Direction, isRequired } from '../../runtime/description/json-schema.js'
import type { Constraints } from '../../runtime/values/constraints.js'
import { UsageError } from '../options.js'
import { readSecurity, type Security } from './security.js'
import { nullable, type Reference, referenceTo, type Type } from './type.js'

/** A parameter. */
export interface Param {
  readonly name: string
  readonly required: boolean
  /** True for a rest parameter: calls by position send the elements of its list as separate arguments. */
  readonly rest: boolean
  readonly type: Type
}

export interface Signature {
  readonly params: readonly Param[]
  /** Undefined for a notification. */
  readonly result: Type | undefined
}

/** How params may be sent: by name, by position, either, or as one object that is the only argument. */
export type ParamStructure = 'by-name' | 'by-position' | 'either' | 'object'

/** The properties of a method that are compared. */
export interface Method extends Signature {
  readonly name: string
  /** Undefined for one signature. Else a call uses the first that accepts it, and `params` and `result` combine all of them. */
  readonly overloads: readonly Signature[] | undefined
  readonly structure: ParamStructure
  readonly protocols: readonly string[]
  /** True if its types have the elements of XML-RPC, so that these can be compared. */
  readonly xml: boolean
  /** True if a call subscribes: `result` is then the type of the items. */
  readonly subscription: boolean
  readonly idempotent: boolean
  readonly security: Security
  readonly errors: readonly number[]
  /** The rest is only in documents: what `system.methodSignature` returns, and texts for people by subject. */
  readonly signatures?: readonly (readonly string[])[] | undefined
  readonly deprecated?: boolean
  readonly docs?: ReadonlyMap<string, string>
}

/** The methods of a description; `name` is its name in messages. */
export function contractOf({ procedures, types }: Description, name: string): Method[] {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const linkers = { input: new Linker(byName, 'input', name), output: new Linker(byName, 'output', name) }
  return procedures.map((procedure) => methodOf(procedure, linkers, byName))
}

type Linkers = Readonly<Record<Direction, Linker>>
type OfKind<Kind extends DescribedType['kind']> = Extract<DescribedType, { readonly kind: Kind }>

/** The protocols of a method that specifies none. */
export const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

function methodOf(procedure: DescribedProcedure, linkers: Linkers, types: TypesByName): Method {
  const { name, overloads, protocols = allProtocols, subscription = false, idempotent = false, throws = [] } = procedure
  const errors = throws.flatMap(({ code }) => code ?? [])
  return {
    name,
    ...signatureOf(procedure, linkers, types),
    overloads: overloads?.map((each) => signatureOf(each, linkers, types)),
    structure: procedure.paramsObject ? 'object' : 'either',
    protocols,
    xml: !subscription && isCallableBy('xml-rpc', procedure),
    subscription,
    idempotent,
    security: readSecurity(procedure.security),
    errors: [...new Set(errors)].sort((a, b) => a - b),
  }
}

function signatureOf({ params, returns }: DescribedOverload, linkers: Linkers, types: TypesByName): Signature {
  return {
    params: params.map((param, i) => paramOf(param, params.slice(i), linkers, types)),
    result: returns && linkers.output.link(returns.type),
  }
}

/** By position an optional param can only be left out if none that follows has to be sent; it then accepts null. */
function paramOf(
  param: DescribedParam,
  following: readonly DescribedParam[],
  linkers: Linkers,
  types: TypesByName,
): Param {
  const { name, rest = false, optional = false } = param
  const type = linkers.input.link(param.type)
  const required = following.some((each) => !each.rest && isRequired(each, 'input', types))
  return { name, required, rest, type: rest ? { kind: 'array', element: type } : optional ? nullable(type) : type }
}

/** Links the types of one description: its references lead to their types. A named type is the same object wherever it is used. */
class Linker {
  readonly #types: TypesByName
  readonly #direction: Direction
  readonly #file: string
  readonly #references = new Map<string, Reference>()

  constructor(types: TypesByName, direction: Direction, file: string) {
    this.#types = types
    this.#direction = direction
    this.#file = file
  }

  link(type: DescribedType): Type {
    switch (type.kind) {
      case 'ref': {
        const reference = this.#reference(type.name)
        return type.constraints ? { ...reference, constraints: type.constraints } : reference
      }
      case 'array':
        return { ...type, element: this.link(type.element) }
      case 'set':
        return { ...type, element: this.link(type.element), constraints: this.#constraintsOf(type) }
      case 'map':
        return { ...type, value: this.link(type.value) }
      case 'tuple':
        return this.#tuple(type)
      case 'struct':
        return this.#struct(type)
      case 'union':
        return { ...type, branches: type.branches.map((each) => this.link(each)) }
      case 'custom':
        return { ...type, wire: this.link(type.wire) }
      default:
        return type
    }
  }

  #reference(name: string): Reference {
    const known = this.#references.get(name)
    if (known) return known
    const named = this.#types.get(name)
    if (!named) throw new UsageError(`${this.#file} refers to the type ${name}, which it does not have`)
    const reference = referenceTo(name, () => this.link(named.type))
    this.#references.set(name, reference)
    return reference
  }

  /** A Set with a limit of its size rejects equal elements, since it contains them once. */
  #constraintsOf(type: OfKind<'set'>): Constraints {
    return { ...type.constraints, ...(this.#direction === 'input' && hasSizeLimit(type) && { uniqueItems: true }) }
  }

  /** An element that may be missing may also be null. */
  #tuple({ elements, rest, ...tuple }: OfKind<'tuple'>): Type {
    const all = elements.map((each, i) => (i < tuple.required ? this.link(each) : nullable(this.link(each))))
    return { ...tuple, elements: all, ...(rest && { rest: this.link(rest) }) }
  }

  /** A member that callers may leave out may also be sent as null. */
  #struct({ members, indexes = [], ...struct }: OfKind<'struct'>): Type {
    const direction = this.#direction
    const all = members.map((member) => {
      const type = this.link(member.type)
      const optional = !isRequired(member, direction, this.#types)
      return { ...member, optional, type: member.optional && direction === 'input' ? nullable(type) : type }
    })
    return { ...struct, members: all, indexes: indexes.map((each) => ({ ...each, type: this.link(each.type) })) }
  }
}
