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

/** The types of one method. */
export interface MethodTypes {
  readonly params: readonly ParamType[]
  readonly result: Type | undefined
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

function methodTypes({ params, result }: ApiMethod, typeOf: (schema: AnySchema) => Type): MethodTypes {
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

export function typesIn({ params, result }: MethodTypes): Type[] {
  return [...params.map(({ type }) => type), ...(result ? [result] : [])]
}
