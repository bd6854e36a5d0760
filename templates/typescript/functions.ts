// Procedures as types: their functions as sources declare them, over JSON and in a client, their parameters by name and their errors:
//
//   'order.place': (order: OrderJson, at?: string) => OrderJson | null
import type { ModelType, NamedType, OverloadModel, ParamModel, ProcedureModel } from '../../generator/model/model.js'
import { innerTypesOf } from '../../runtime/description/described-types.js'
import { minArguments, parameterLists } from '../../runtime/description/description.js'
import { alternatives, generic, group, type Layout, members } from '../layout.js'
import { type Dialect, grouped, textOf } from './kinds.js'
import { codegen, createScope } from './scope.js'

/** A parameter as a function type has it. */
interface Parameter {
  readonly name: string
  readonly type: Layout
  readonly optional?: boolean
  readonly rest?: boolean
}

/** The functions of a procedure as a type: `(a: number, b: number) => number`. */
export function functionText(procedure: ProcedureModel, dialect: Dialect): Layout {
  return joinSignatures(signatureLayouts(procedure, dialect))
}

/** The signatures of an overloaded function, each as a call signature. */
export function overloadTexts(procedure: ProcedureModel, dialect: Dialect): Layout[] {
  return signatureLayouts(procedure, dialect).map(callSignature)
}

function signatureLayouts(procedure: ProcedureModel, dialect: Dialect): SignatureLayout[] {
  const { overloads = [procedure], subscription } = procedure
  const signatures = overloads.map(({ params, returns }) => {
    const all = params.map((each) => ({ ...each, type: textOf(each.type, dialect) }))
    const result = textOf(returns.type, dialect)
    if (subscription) {
      const iterable = dialect.name === 'client' ? 'AsyncIterableIterator' : 'AsyncIterable'
      return { params: all, result: generic(iterable, [result]) }
    }
    return { params: all, result: dialect.name === 'client' ? generic('Promise', [result]) : result }
  })
  return layoutsOf(signatures, dialect.name === 'json' ? 'null' : 'undefined')
}

/** The functions of a procedure as the source declares them, with wider types where they cannot be imported. */
export function sourceText(procedure: ProcedureModel, dialect: Dialect, types: (name: string) => NamedType): Layout {
  const { overloads = [procedure] } = procedure
  const signatures = overloads.map((each) => sourceSignature(each, procedure, dialect, types))
  return joinSignatures(layoutsOf(signatures, 'undefined'))
}

function sourceSignature(
  { params, returns }: Pick<OverloadModel, 'params' | 'returns'>,
  { contextAt, subscription }: ProcedureModel,
  dialect: Dialect,
  types: (name: string) => NamedType,
) {
  const all = params.map((each): Parameter => {
    return {
      ...each,
      type: isNameable(each.type, types) ? textOf(each.type, { ...dialect, optional: 'required' }) : 'never',
    }
  })
  for (const at of contextAt) all.splice(at, 0, { name: 'context', type: codegen('RpcContext') })
  if (returns.promise === 'maybe') return { params: all, result: 'unknown' }
  const own = supertypeText(returns.type, dialect, types)
  const text = subscription ? generic('AsyncIterable', [own]) : own
  return { params: all, result: returns.promise === 'yes' ? generic('Promise', [text]) : text }
}

/** A type, or a wider one where a part of it cannot be imported: `object` for a generic type with arguments. */
function supertypeText(type: ModelType, dialect: Dialect, types: (name: string) => NamedType): Layout {
  if (isNameable(type, types)) return textOf(type, { ...dialect, optional: 'undefined' })
  const target = type.kind === 'ref' ? types(type.name).type : type
  if (objectKinds.has(target.kind)) return 'object'
  if (target.kind !== 'union') return target.kind === 'template' ? 'string' : 'unknown'
  const texts = target.branches.map((each) => supertypeText(each, dialect, types))
  return texts.some((each) => each === 'unknown') ? 'unknown' : alternatives(texts)
}

const objectKinds: ReadonlySet<string> = new Set(['struct', 'array', 'tuple', 'set', 'map'])

type Signature = { readonly params: readonly Parameter[]; readonly result: Layout }

interface SignatureLayout {
  readonly params: Layout
  readonly result: Layout
}

function layoutsOf(signatures: readonly Signature[], leftOut: 'undefined' | 'null'): SignatureLayout[] {
  return signatures.map(({ params, result }) => ({ params: parameterList(params, leftOut), result }))
}

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
function parameterList(params: readonly Parameter[], leftOut: string): Layout {
  const least = minArguments(params.map(({ optional = false, rest = false }) => ({ optional, rest })))
  const scope = createScope([])
  const texts = params.map(({ name, type, optional, rest }, i): Layout => {
    // Names on the wire, and labels of tuples, may be words that are not valid as variables.
    const own = scope.claim(name, `${name}$`)
    if (rest) return [`...${own}: `, grouped(type), '[]']
    if (i >= least) return [`${own}${optional ? '?' : ''}: `, type]
    const acceptsOmitted = !optional || ['unknown', 'never', leftOut].some((each) => isBranch(each, type))
    return [`${own}: `, acceptsOmitted ? type : alternatives([type, leftOut])]
  })
  return group('(', texts, ')')
}

/** True if a type is a keyword, or a union that has it. */
function isBranch(keyword: string, type: Layout): boolean {
  if (typeof type === 'string') return type === keyword
  return 'separator' in type && type.separator === ' |' && type.items.some((each) => isBranch(keyword, each))
}

/** The parameters of a procedure by name: one object of them for each signature, or the params object. */
export function paramsText(procedure: ProcedureModel, dialect: Dialect): Layout {
  const [object] = procedure.params
  if (procedure.paramsObject && object) {
    const text = textOf(object.type, dialect)
    return dialect.name === 'json' ? generic(codegen('ParamsObject'), [text]) : text
  }
  const texts = parameterLists(procedure).map((each) =>
    each.length === 0 ? 'Record<string, never>' : byName(each, dialect),
  )
  return alternatives(texts)
}

/** By name a rest parameter is sent as a list. */
function byName(params: readonly ParamModel[], dialect: Dialect): Layout {
  const all = params.map(({ name, type, optional, rest }) => ({
    name,
    type: rest ? ({ kind: 'array', element: type } as const) : type,
    ...(optional || rest ? { optional: true } : {}),
  }))
  return textOf({ kind: 'struct', members: all }, dialect)
}

/** The declared errors of a procedure that have a code: `RpcError<4444, { id: number }> | RpcError<410>`. */
export function errorsText({ throws = [] }: ProcedureModel, dialect: Dialect): Layout | undefined {
  const texts = throws.flatMap(({ code, data }) => {
    if (code === undefined) return []
    return [generic(codegen('RpcError'), [`${code}`, ...(data ? [textOf(data, dialect)] : [])])]
  })
  return texts.length === 0 ? undefined : alternatives(texts)
}

/** How many objects without a name are written out in a type: an object that two members have is written twice. */
const mostObjects = 100

/** True if a type consists of types that can be imported, and of some objects without a name that consist of such types. */
function isNameable(type: ModelType, types: (name: string) => NamedType): boolean {
  let objects = 0
  const visit = (part: ModelType, around: readonly string[]): boolean => {
    if (part.kind === 'ref') {
      const { declared, anonymous, brand, type: target } = types(part.name)
      if (declared !== undefined || target.kind === 'custom') return true
      if (!anonymous || brand || target.kind !== 'struct' || around.includes(part.name)) return false
      objects += 1
      return objects <= mostObjects && visit(target, [...around, part.name])
    }
    const indexes = part.kind === 'struct' ? (part.indexes ?? []) : part.kind === 'map' ? [part] : []
    if (indexes.some(({ keys }) => keys && keys.text !== 'number')) return false
    // Under exactOptionalPropertyTypes the index signature of such an object is another one.
    if (part.kind === 'struct' && part.indexes && part.members.some(({ optional }) => optional)) return false
    return innerTypesOf(part).every((each) => visit(each, around))
  }
  return visit(type, [])
}
