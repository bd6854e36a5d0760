import type { ContentDescriptor } from '../../runtime/openrpc/openrpc.js'
import type { Api, ApiMethod } from './api.js'
import { type AnySchema, foreign } from './foreign.js'
import { groupTypes } from './groups.js'
import { isRest } from './rest.js'
import type { Type } from './type.js'
import { createTypes } from './types.js'

export interface ParamType {
  readonly name: string
  readonly required: boolean
  /** Whether calls by position have its elements themselves in its place. */
  readonly rest: boolean
  readonly type: Type
}

/** The types of one signature. */
export interface SignatureTypes {
  readonly params: readonly ParamType[]
  /** Undefined for what answers nothing; of an overload where nothing says what it answers. */
  readonly result: Type | undefined
}

/** The types of one method. */
export interface MethodTypes extends SignatureTypes {
  /** Undefined where it has one signature. */
  readonly overloads: readonly SignatureTypes[] | undefined
}

/** The types of every method of some APIs, grouped over all of them. Throws UsageError for a reference that leads nowhere. */
export function typesOfApis(apis: readonly Api[]): ReadonlyMap<ApiMethod, MethodTypes>[] {
  const types = createTypes()
  const all = apis.map((api) => {
    const typeOf = types.of(api)
    return new Map(api.methods.map((method) => [method, methodTypes(method, typeOf)]))
  })
  groupTypes(all.flatMap((each) => [...each.values()].flatMap(typesIn)))
  return all
}

type TypeOf = (schema: AnySchema) => Type

function methodTypes(method: ApiMethod, typeOf: TypeOf): MethodTypes {
  const overloads = method.overloads?.map((each) => signatureTypes(each, typeOf))
  return { ...signatureTypes(method, typeOf), overloads }
}

function signatureTypes({ params, result }: Signature, typeOf: TypeOf): SignatureTypes {
  return {
    params: params.map((param) => ({
      name: param.name,
      required: param.required ?? false,
      rest: isRest(param),
      type: typeOf(foreign(param.schema)),
    })),
    result: result && typeOf(foreign(result.schema)),
  }
}

interface Signature {
  readonly params: readonly ContentDescriptor[]
  readonly result?: ContentDescriptor | undefined
}

function typesIn({ overloads = [], ...method }: MethodTypes): Type[] {
  return [method, ...overloads].flatMap(({ params, result }) => [
    ...params.map(({ type }) => type),
    ...(result ? [result] : []),
  ])
}
