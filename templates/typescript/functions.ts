// Procedures as types: their functions as sources declare them, over JSON and in a client, their parameters by name and their errors:
//
//   'order.place': (order: OrderJson, at?: string) => OrderJson | null
import type { ModelType, NamedType, OverloadModel, ParamModel, ProcedureModel } from '../../generator/model/model.js'
import { innerTypesOf } from '../../runtime/description/described-types.js'
import { minArguments, parameterLists } from '../../runtime/description/description.js'
import { type Dialect, typeLayout } from './kinds.js'
import { alternatives, generic, group, grouped, type Layout, members, type Name, unknownType } from './layout.js'
import { codegen, createScope } from './scope.js'

type Types = ReadonlyMap<string, NamedType>

/** A parameter as a function type has it. */
interface PrintedParameter {
  readonly name: string
  readonly type: Layout
  readonly optional?: boolean
  readonly rest?: boolean
}

/** One signature of a function: `(a: number)` and `number`. */
interface SignatureLayout {
  readonly params: Layout
  readonly result: Layout
}

/** The functions of a procedure as a type: `(a: number, b: number) => number`. */
export function functionType(procedure: ProcedureModel, dialect: Dialect): Layout {
  return joinSignatures(signaturesOf(procedure, dialect))
}

/** The signatures of an overloaded function, each as a call signature. */
export function overloadSignatures(procedure: ProcedureModel, dialect: Dialect): Layout[] {
  return signaturesOf(procedure, dialect).map(callSignature)
}

function signaturesOf(procedure: ProcedureModel, dialect: Dialect): SignatureLayout[] {
  const { overloads = [procedure], subscription } = procedure
  const iterable = dialect.name === 'client' ? 'AsyncIterableIterator' : 'AsyncIterable'
  return overloads.map(({ params, returns }) => {
    const all = params.map((each) => ({ ...each, type: typeLayout(each.type, dialect) }))
    const own = typeLayout(returns.type, dialect)
    const result = dialect.name === 'client' ? generic('Promise', [own]) : own
    return {
      params: parameterList(all, dialect.name === 'json' ? 'null' : 'undefined'),
      result: subscription ? generic(iterable, [own]) : result,
    }
  })
}

/** The functions of a procedure as the source declares them, with wider types where they cannot be imported. */
export function compiledType(procedure: ProcedureModel, dialect: Dialect, types: Types): Layout {
  const { overloads = [procedure] } = procedure
  return joinSignatures(overloads.map((each) => sourceSignature(each, procedure, dialect, types)))
}

function sourceSignature(
  { params, returns }: Pick<OverloadModel, 'params' | 'returns'>,
  { contextAt, subscription }: ProcedureModel,
  dialect: Dialect,
  types: Types,
): SignatureLayout {
  const all = params.map((each): PrintedParameter => {
    return {
      ...each,
      type: isNameable(each.type, types) ? typeLayout(each.type, { ...dialect, optional: 'required' }) : neverType,
    }
  })
  for (const at of contextAt) all.splice(at, 0, { name: 'context', type: codegen('RpcContext') })
  const list = parameterList(all, 'undefined')
  if (returns.promise === 'maybe') return { params: list, result: unknownType }
  const own = supertype(returns.type, dialect, types)
  const result = subscription ? generic('AsyncIterable', [own]) : own
  return { params: list, result: returns.promise === 'yes' ? generic('Promise', [result]) : result }
}

/** A type, or a wider one where a part of it cannot be imported: `object` for a generic type with arguments. */
function supertype(type: ModelType, dialect: Dialect, types: Types): Layout {
  if (isNameable(type, types)) return typeLayout(type, { ...dialect, optional: 'undefined' })
  const target = type.kind === 'ref' ? (types.get(type.name) as NamedType).type : type
  if (objectKinds.has(target.kind)) return 'object'
  if (target.kind !== 'union') return target.kind === 'template' ? 'string' : unknownType
  return alternatives(target.branches.map((each) => supertype(each, dialect, types)))
}

const objectKinds: ReadonlySet<string> = new Set(['struct', 'array', 'tuple', 'set', 'map'])

/** The type of a parameter whose type cannot be imported. */
const neverType: Name = { name: 'never' }

function joinSignatures(signatures: readonly SignatureLayout[]): Layout {
  const [only, ...others] = signatures
  if (only && others.length === 0) return [only.params, ' => ', only.result]
  return members(signatures.map(callSignature))
}

function callSignature({ params, result }: SignatureLayout): Layout {
  return [params, ': ', result]
}

/**
 * Parameters as a function type has them. A parameter with a default before a required one keeps its position in TypeScript:
 * callers pass undefined for it, which is null in JSON.
 */
function parameterList(params: readonly PrintedParameter[], leftOut: 'undefined' | 'null'): Layout {
  const least = minArguments(params.map(({ optional = false, rest = false }) => ({ optional, rest })))
  const scope = createScope([])
  const texts = params.map(({ name, type, optional, rest }, i): Layout => {
    // Names on the wire, and labels of tuples, may be words that are not valid as variables.
    const own = scope.claim(name, `${name}$`)
    if (rest) return [`...${own}: `, grouped(type), '[]']
    if (i >= least) return [`${own}${optional ? '?' : ''}: `, type]
    return [`${own}: `, optional && type !== neverType ? alternatives([type, leftOut]) : type]
  })
  return group('()', texts, { isTerminated: !params.some(({ rest }) => rest) })
}

/** The parameters of a procedure by name: one object of them for each signature, or the params object. */
export function paramsType(procedure: ProcedureModel, dialect: Dialect): Layout {
  const [object] = procedure.params
  if (procedure.paramsObject && object) {
    const text = typeLayout(object.type, dialect)
    return dialect.name === 'json' ? generic(codegen('ParamsObject'), [text]) : text
  }
  const texts = parameterLists(procedure).map((each) =>
    each.length === 0 ? 'Record<string, never>' : objectOfParams(each, dialect),
  )
  return alternatives(texts)
}

/** By name a rest parameter is sent as a list. */
function objectOfParams(params: readonly ParamModel[], dialect: Dialect): Layout {
  const all = params.map(({ name, type, optional, rest }) => ({
    name,
    type: rest ? ({ kind: 'array', element: type } as const) : type,
    ...(optional || rest ? { optional: true } : {}),
  }))
  return typeLayout({ kind: 'struct', members: all }, dialect)
}

/** The declared errors of a procedure that have a code: `RpcError<4444, { id: number }> | RpcError<410>`. */
export function errorsType({ throws = [] }: ProcedureModel, dialect: Dialect): Layout | undefined {
  const texts = throws.flatMap(({ code, data }) => {
    if (code === undefined) return []
    return [generic(codegen('RpcError'), [`${code}`, ...(data ? [typeLayout(data, dialect)] : [])])]
  })
  return texts.length === 0 ? undefined : alternatives(texts)
}

/** How many objects without a name are written out in a type: an object that two members have is written twice. */
const MAX_OBJECTS = 100

/** True if a type consists of types that can be imported, and of some objects without a name that consist of such types. */
function isNameable(type: ModelType, types: Types): boolean {
  let objects = 0
  const visit = (part: ModelType, around: readonly string[]): boolean => {
    if (part.kind === 'ref') {
      const { declared, anonymous, brand, type: target } = types.get(part.name) as NamedType
      if (declared !== undefined || target.kind === 'custom') return true
      if (!anonymous || brand || target.kind !== 'struct' || around.includes(part.name)) return false
      objects += 1
      return objects <= MAX_OBJECTS && visit(target, [...around, part.name])
    }
    const indexes = part.kind === 'struct' ? (part.indexes ?? []) : part.kind === 'map' ? [part] : []
    if (indexes.some(({ keys }) => keys && keys.text !== 'number')) return false
    // Under exactOptionalPropertyTypes the index signature of such an object is another one.
    if (part.kind === 'struct' && part.indexes && part.members.some(({ optional }) => optional)) return false
    return innerTypesOf(part).every((each) => visit(each, around))
  }
  return visit(type, [])
}
