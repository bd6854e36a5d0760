import type { LowerPlan, ParamPlan, ProcedurePlan, RevivePlan } from '../../templates/procedure.js'
import type { AuthModel, ModelType, ParamModel, ProcedureModel } from '../model/model.js'
import { planConditions } from './conditions.js'
import { needsConvert, takesWire } from './conversion.js'
import { convertExpression, convertFunction } from './convert.js'
import { planOverloads } from './overloads.js'
import { parameterList, parameterName } from './parameter.js'
import type { Planner } from './planner.js'
import { testExpression } from './predicate.js'
import { typeText } from './typescript.js'
import { memberTexts } from './value.js'
import { wireExpression } from './wire.js'

/** Results of these kinds travel as they are: the runtime checks them by their kind. */
const plainResults = new Set(['int', 'double', 'number', 'string', 'boolean', 'null', 'undefined', 'void', 'any'])

/** A procedure and the local name of its function, for what is planned after it. */
export interface PlannedProcedure {
  readonly model: ProcedureModel
  readonly plan: ProcedurePlan
  /** The function's type without what the server fills in: `(a: Int) => Int`. */
  readonly type: string
}

/** Whether the module serves it; else it is only compiled, for who registers it. */
export function isServed({ model }: Pick<PlannedProcedure, 'model'>): boolean {
  return !model.registered
}

/** Decides all that is written of one procedure. */
export function planProcedure(model: ProcedureModel, planner: Planner): PlannedProcedure {
  const wanted = model.export === 'default' ? lastPart(model.name) : model.export
  const imported = planner.imports.value(model.module, model.export, wanted)
  const fn = model.member === undefined ? imported : `${imported}.${model.member}`
  const texts = model.params.map((param, i) => parameterType(param, i, model, fn, planner))
  const parameters = parameterList(model.params, texts)
  const result = resultText(model, fn, planner)
  const revive = planRevive(model.params, planner)
  const lower = planLower(model.returns.type, planner)
  const { protocols, timeoutMs, bodyBytes, deprecated, pickedUp } = model
  const auth = model.auth === undefined ? undefined : planAuth(model.auth, planner)
  const overloads = model.overloads
    ? planOverloads(model, model.overloads, fn, wanted, planner, (param) => planParam(param, planner))
    : undefined
  const plan: ProcedurePlan = {
    ...(model.registered ? {} : { constant: planner.scope.claim(`${wanted}$`) }),
    fn,
    name: model.name,
    help: model.help,
    signatures: model.signatures,
    params: model.params.map((param) => planParam(param, planner)),
    returns: { type: wireExpression(model.returns.type, planner), ...doc(model.returns.doc) },
    context: model.contextAt.length > 0,
    ...(overloads ?? {
      tuple: `[${parameters}]`,
      conditions: planConditions(model.params, planner),
      invoke: planInvoke(model, fn, result),
    }),
    ...(protocols ? { protocols } : {}),
    ...(auth === undefined ? {} : { auth }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(bodyBytes === undefined ? {} : { bodyBytes }),
    ...(deprecated ? { deprecated } : {}),
    ...planDocs(model),
    ...(pickedUp ? { pickedUp } : {}),
    ...(revive === undefined ? {} : { revive }),
    ...(lower === undefined ? {} : { lower }),
  }
  const isAsked = [...texts, result].some((text) => text.includes(`typeof ${fn}`))
  const shown = isAsked ? parameterList(beside(imported, model.params), texts) : parameters
  return { model, plan, type: overloads ? `typeof ${fn}` : `(${shown}) => ${result}` }
}

/** Parameters that do not hide a function from the types beside them: `codes: (codes: Parameters<typeof codes>[0])` is a circle. */
function beside(fn: string, params: readonly ParamModel[]): readonly ParamModel[] {
  return params.map((param) => (param.name === fn ? { ...param, name: `${param.name}_` } : param))
}

/** What the docs say for schemas and pages only. */
function planDocs(model: ProcedureModel): Partial<ProcedurePlan> {
  const { deprecation, since, idempotent, mcp, readonly, destructive, throws, examples } = model
  return {
    ...(deprecation === undefined ? {} : { deprecation }),
    ...(since === undefined ? {} : { since }),
    ...(idempotent ? { idempotent } : {}),
    ...(mcp === undefined ? {} : { mcp }),
    ...(readonly ? { readonly } : {}),
    ...(destructive === undefined ? {} : { destructive }),
    ...(throws ? { throws: throws.map(({ data: _, ...each }) => memberTexts(each)) } : {}),
    ...(examples ? { examples: examples.map(memberTexts) } : {}),
  }
}

/** `isStaff`, `[isStaff, isAdmin]` or `'public'`. */
function planAuth(auth: AuthModel, { imports }: Planner): string {
  if (auth === 'public') return "'public'"
  const names = auth.map(({ module, name }) => imports.value(module, name, name))
  return names.length === 1 ? (names[0] ?? '[]') : `[${names.join(', ')}]`
}

function lastPart(name: string): string {
  return name.split(/[^\p{ID_Continue}$]+/u).at(-1) ?? name
}

function doc(text: string | undefined): { readonly doc?: string } {
  return text === undefined ? {} : { doc: text }
}

function planParam({ name, type, optional, rest, doc: text }: ParamModel, planner: Planner): ParamPlan {
  return {
    name,
    type: wireExpression(type, planner),
    ...(optional ? { optional } : {}),
    ...(rest ? { rest } : {}),
    ...doc(text),
  }
}

/** `Int`; by way of the function where a type has no name to import. */
function parameterType(param: ParamModel, index: number, model: ProcedureModel, fn: string, planner: Planner): string {
  const position = positionsOf(model)[index] ?? index
  return typeText(param.type, planner) ?? `Parameters<typeof ${fn}>[${position}]`
}

function resultText(model: ProcedureModel, fn: string, planner: Planner): string {
  const { type, promise } = model.returns
  const text = promise === 'maybe' ? undefined : typeText(type, planner)
  if (text === undefined) return `ReturnType<typeof ${fn}>`
  return promise === 'yes' ? `Promise<${text}>` : text
}

/** Where each parameter that travels stands among all parameters of the function. */
function positionsOf({ params, contextAt }: ProcedureModel): number[] {
  const all = Array.from({ length: params.length + contextAt.length }, (_each, i) => i)
  return all.filter((position) => !contextAt.includes(position))
}

/** The call as the source would write it; a parameter gives way to the function of the same name. */
function planInvoke(model: ProcedureModel, fn: string, result: string): ProcedurePlan['invoke'] {
  const first = model.contextAt.length > 0 ? 'context, ' : ''
  if (model.params.some(({ element }) => element) && model.contextAt.every((position) => position === 0)) {
    return { takes: first === '' ? '(args)' : '(args, context)', result, call: [`${fn}(${first}...args)`] }
  }
  const local = (name: string) => (name === fn || name === 'context' ? `${name}$` : parameterName(name))
  const locals = model.params.map(({ name, rest }) => `${rest ? '...' : ''}${local(name)}`)
  const passed = [...locals]
  for (const position of model.contextAt) passed.splice(position, 0, 'context')
  const args = locals.length > 0 ? `[${locals.join(', ')}]` : '_args'
  const takes = model.contextAt.length > 0 ? `(${args}, context)` : locals.length > 0 ? `(${args})` : '()'
  return { takes, result, call: [`${fn}(${passed.join(', ')})`] }
}

function planRevive(params: readonly ParamModel[], planner: Planner): RevivePlan | undefined {
  if (!params.some(({ type }) => needsConvert(type, 'revive', planner))) return undefined
  const converts = params.filter(({ rest }) => !rest).map(({ type }) => convertFunction(type, 'revive', planner))
  const rest = params.find((param) => param.rest)
  planner.imports.codegen('reviveArguments')
  return { converts, ...(rest ? { rest: convertFunction(rest.type, 'revive', planner) } : {}) }
}

function planLower(type: ModelType, planner: Planner): LowerPlan | undefined {
  if (plainResults.has(type.kind) && !type.constraints) return undefined
  planner.imports.codegen('unfit')
  return {
    takes: takesWire(type, 'lower', planner) ? '(result, wire)' : '(result)',
    test: testExpression(type, 'result', planner),
    result: convertExpression(type, 'result', 'lower', planner),
  }
}
