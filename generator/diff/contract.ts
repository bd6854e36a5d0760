// What is compared of an API: methods, and their types in the forms of `type.ts`. A description becomes a contract here, a document in
// `read-openrpc.ts`:
//
//     { kind: 'set', element: { kind: 'int' } }  →  { kind: 'list', prefix: [], rest: { kind: 'number', word: 'Int', … }, … }
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
import { UsageError } from '../options/options.js'
import { type Limits, limitsOf } from './limits.js'
import { readSecurity, type Security } from './security.js'
import {
  limited,
  list,
  literal,
  type Member,
  never,
  nullable,
  nullType,
  object,
  type Reference,
  scalar,
  type Type,
} from './type.js'

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

/** The protocols of a method that specifies none. */
export const allProtocols: readonly string[] = ['json-rpc', 'xml-rpc']

/** The methods of a description; `name` is its name in messages. */
export function contractOf({ procedures, types }: Description, name: string): Method[] {
  const byName: TypesByName = new Map(types.map((type) => [type.name, type]))
  const [input, output] = [new TypeReader(byName, true, name), new TypeReader(byName, false, name)]
  const signatureOf = ({ params, returns }: DescribedOverload): Signature => ({
    params: params.map((param, i) => input.param(param, params.slice(i))),
    result: returns && output.type(returns.type),
  })
  return procedures.map((procedure) => methodOf(procedure, signatureOf))
}

function methodOf(procedure: DescribedProcedure, signatureOf: (of: DescribedOverload) => Signature): Method {
  const { name, overloads, protocols = allProtocols, subscription = false, idempotent = false, throws = [] } = procedure
  return {
    name,
    ...signatureOf(procedure),
    overloads: overloads?.map(signatureOf),
    structure: procedure.paramsObject ? 'object' : 'either',
    protocols,
    xml: !subscription && isCallableBy('xml-rpc', procedure),
    subscription,
    idempotent,
    security: readSecurity(procedure.security),
    errors: [...new Set(throws.flatMap(({ code }) => code ?? []))].sort((a, b) => a - b),
  }
}

/** The bounds of an `Int`. */
export const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }
export const integer: Limits = [['multipleOf', 1]]
const int: Limits = [...limitsOf(int32), ...integer]

/** The text of a bigint in JSON. */
export const bigintText = '^-?\\d+$'

/** Scalars as params (`isParam`) or in results. A param `double` accepts an `<int>`, so all numbers are one element. */
export function scalarsFor(isParam: boolean) {
  const element = (name: string) => (isParam ? 'number' : name)
  const bigint = scalar('text', 'bigint', isParam ? 'string' : 'i8', [['pattern', bigintText]])
  return {
    any: { kind: 'any', limits: [] },
    null: nullType,
    undefined: nullType,
    void: nullType,
    boolean: { kind: 'boolean' },
    int: scalar('number', 'Int', element('int'), int),
    double: scalar('number', 'Double', element('double')),
    number: scalar('number', 'number', 'number'),
    integer: scalar('number', 'integer', 'number', integer),
    string: scalar('text', 'string', 'string'),
    url: scalar('text', 'URL', 'string', [['format', 'uri']]),
    // A result is the date-time of RFC 3339, a param may have further forms.
    date: scalar('text', 'Date', 'dateTime.iso8601', [['format', isParam ? 'Date' : 'date-time']]),
    bytes: scalar('text', 'bytes', 'base64', [['format', 'base64']]),
    // A param is decimal text or an integer.
    bigint: isParam ? { kind: 'union', branches: [bigint, scalar('number', 'integer', 'number', integer)] } : bigint,
  } as const satisfies Readonly<Record<string, Type>>
}

/** Reads the types of one description and direction. A named type is the same object wherever it is used. */
class TypeReader {
  readonly #types: TypesByName
  readonly #isParam: boolean
  readonly #file: string
  readonly #scalars: ReturnType<typeof scalarsFor>
  readonly #references = new Map<string, Reference>()

  constructor(types: TypesByName, isParam: boolean, file: string) {
    this.#types = types
    this.#isParam = isParam
    this.#file = file
    this.#scalars = scalarsFor(isParam)
  }

  /** By position an optional param can only be left out if none that follows has to be sent; it then accepts null. */
  param(param: DescribedParam, following: readonly DescribedParam[]): Param {
    const { name, rest = false, optional = false } = param
    const type = this.type(param.type)
    const required = following.some((each) => !each.rest && this.#isRequired(each))
    return { name, required, rest, type: rest ? list([], 0, type) : optional ? nullable(type) : type }
  }

  type(type: DescribedType): Type {
    return limited(this.#ofKind(type), limitsOf({ ...type.constraints }))
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
        return scalar('text', type.text, 'string', [['pattern', type.pattern]])
      case 'array':
        return list([], 0, this.type(type.element))
      case 'set': {
        // With a limit of its size it rejects equal elements, since it contains them once.
        const isUnique = this.#isParam && hasSizeLimit(type)
        return limited(list([], 0, this.type(type.element)), isUnique ? [['uniqueItems', true]] : [])
      }
      case 'tuple':
        return this.#tuple(type)
      case 'map': {
        const value = this.type(type.value)
        return object(
          [],
          type.keys
            ? [
                [type.keys.pattern, value],
                [undefined, never],
              ]
            : [[undefined, value]],
        )
      }
      case 'struct': {
        const members = type.members.map((each) => [each.name, this.#member(each)] as const)
        return object(
          members,
          (type.indexes ?? []).map((each) => [each.keys?.pattern, this.type(each.type)]),
        )
      }
      case 'union':
        return { kind: 'union', branches: type.branches.map((each) => this.type(each)) }
      case 'custom': {
        const { format, pattern } = type.schema ?? {}
        return limited(this.type(type.wire), limitsOf({ format, pattern }))
      }
      default:
        return this.#scalars[type.kind]
    }
  }

  /** An element that may be missing may also be null. */
  #tuple({ elements, required, rest }: Extract<DescribedType, { readonly kind: 'tuple' }>): Type {
    const all = elements.map((each, i) => (i < required ? this.type(each) : nullable(this.type(each))))
    return list(all, required, rest && this.type(rest))
  }

  #bigint(value: string): Type {
    const text = { kind: 'literal', value, element: this.#isParam ? 'string' : 'i8' } as const
    const isNumber = this.#isParam && Number.isSafeInteger(Number(value))
    return isNumber ? { kind: 'union', branches: [text, literal(Number(value), true)] } : text
  }

  /** A member that callers may leave out may also be sent as null. */
  #member(member: { readonly type: DescribedType; readonly optional?: boolean }): Member {
    const type = this.type(member.type)
    return { type: member.optional && this.#isParam ? nullable(type) : type, optional: !this.#isRequired(member) }
  }

  #reference(name: string): Type {
    const known = this.#references.get(name)
    if (known) return known
    const named = this.#types.get(name)
    if (!named) throw new UsageError(`${this.#file} refers to the type ${name}, which it does not have`)
    let type: Type | undefined
    const reference: Reference = { kind: 'ref', name, type: () => (type ??= this.type(named.type)) }
    this.#references.set(name, reference)
    return reference
  }
}
