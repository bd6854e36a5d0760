import type { ModelType, ProcedureModel, ThrowsModel } from '../../generator/model/model.js'
import { errorText } from '../../runtime/description/description.js'
import { ErrorCode } from '../../runtime/error.js'
import type { Declarations } from './declarations.js'
import { call, docstring, print, tuple } from './layout.js'
import type { PythonScope } from './names.js'
import { annotationOf, branchesOf, converter, distinctTypes } from './types.js'

/** The errors of one code: a class. */
export interface ErrorClass {
  readonly code: number
  readonly name: string
  readonly all: readonly ThrowsModel[]
  /** The types of its data; absent if they are not all declared. */
  readonly data?: readonly ModelType[]
}

/** The codes whose classes every client has. */
const known: ReadonlyMap<number, string> = new Map([
  [ErrorCode.METHOD_NOT_FOUND, 'MethodNotFound'],
  [ErrorCode.INVALID_PARAMS, 'InvalidParams'],
  [ErrorCode.INTERNAL_ERROR, 'InternalError'],
  [ErrorCode.AUTHENTICATION, 'AuthenticationError'],
  [ErrorCode.FORBIDDEN, 'ForbiddenError'],
])

/** Returns the errors that procedures declare, by code. Those of one code are one class: a client cannot distinguish them. */
export function errorClasses(
  procedures: readonly ProcedureModel[],
  scope: PythonScope,
): ReadonlyMap<number, ErrorClass> {
  const byCode = new Map<number, ThrowsModel[]>()
  for (const each of procedures.flatMap(({ throws = [] }) => throws)) {
    if (each.code === undefined) continue
    byCode.set(each.code, [...(byCode.get(each.code) ?? []), each])
  }
  return new Map(Array.from(byCode, ([code, all]) => [code, errorClass(code, all, scope)]))
}

function errorClass(code: number, all: readonly ThrowsModel[], scope: PythonScope): ErrorClass {
  const own = known.get(code)
  if (own !== undefined) return { code, name: own, all }
  const names = [...new Set(all.map(({ name }) => name))]
  const [only = ''] = names
  const isClass = names.length === 1 && /^[\p{L}_$]/u.test(only) && only !== 'RpcError'
  const name = scope.claim(isClass ? only : `Error${code}`.replace('-', 'Minus'))
  const data = all.flatMap((each) => (each.data ? [each.data] : []))
  return { code, name, all, ...(data.length === all.length ? { data } : {}) }
}

/** The classes of errors that every client does not have. */
export function errorsText(errors: ReadonlyMap<number, ErrorClass>, own: Declarations): string[] {
  const others = [...errors.values()].filter(({ code }) => !known.has(code))
  return others.map(({ code, name, all, data }) => {
    const texts = [...new Set(all.map((each) => described(each, name)))]
    const doc = docstring(`${code}: ${texts.join('\n')}`, 4)
    if (!data) return `class ${name}(RpcError):\n${doc}`.trimEnd()
    const type = annotationOf(data.map((each) => branchesOf(each, own)))
    return `class ${name}(RpcError):\n${doc}\n    ${print(['data: ', type], 4)}`
  })
}

function described(error: ThrowsModel, name: string): string {
  const text = errorText(error)
  return error.name === name || error.name === 'RpcError' || /^-?\d*$/.test(error.name) || text === error.name
    ? text
    : `${error.name}: ${text}`
}

/** The entries of the table of errors: the class and the type of the data, by code. */
export function errorEntries(errors: ReadonlyMap<number, ErrorClass>, own: Declarations): string[] {
  const declared = [...errors.values()].filter(({ code }) => !known.has(code))
  const all = [...Array.from(known, ([code, name]) => ({ code, name, data: undefined })), ...declared]
  return all.map(({ code, name, data }) => {
    const types = distinctTypes((data ?? []).map((each) => converter(each, own)))
    const [only = 'None'] = types
    const type = types.length > 1 ? call('_Union', types) : only
    return `    ${print([`${code}: `, tuple([name, type]), ','], 4)}`
  })
}
