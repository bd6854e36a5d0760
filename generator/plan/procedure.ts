import type { ParamPlan, ProcedurePlan } from '../../templates/procedure.js'
import type { ModelType, ParamModel, ProcedureModel } from '../model/model.js'
import { convertExpression, convertFunction, needsConvert } from './convert.js'
import type { Planner } from './planner.js'
import { testExpression, withoutBrackets } from './predicate.js'
import { grouped, typeText } from './typescript.js'
import { wireExpression } from './wire.js'

/** Results of these kinds travel as they are: the runtime checks them by their kind. */
const plainResults = new Set(['int', 'double', 'number', 'string', 'boolean', 'null', 'undefined', 'void', 'any'])

/** A procedure and the local name of its function, for what is planned after it. */
export interface PlannedProcedure {
  readonly model: ProcedureModel
  readonly plan: ProcedurePlan
  /** The types of the parameters and the result as TypeScript writes them. */
  readonly parameters: string
  readonly result: string
}

/** Decides all that is written of one procedure. */
export function planProcedure(model: ProcedureModel, planner: Planner): PlannedProcedure {
  const fn = planner.imports.value(
    model.module,
    model.export,
    model.export === 'default' ? lastPart(model.name) : model.export,
  )
  const texts = model.params.map((param, i) => parameterText(param, i, model, fn, planner))
  const result = resultText(model, fn, planner)
  const revive = planRevive(model.params, planner)
  const lower = planLower(model.returns.type, planner)
  const { protocols, deprecated } = model
  const plan: ProcedurePlan = {
    constant: planner.scope.claim(`${fn}$`),
    fn,
    name: model.name,
    help: model.help,
    signatures: model.signatures,
    params: model.params.map((param) => planParam(param, planner)),
    returns: { type: wireExpression(model.returns.type, planner), ...doc(model.returns.doc) },
    context: model.contextAt.length > 0,
    tuple: `[${texts.join(', ')}]`,
    conditions: planConditions(model.params, planner),
    invoke: planInvoke(model, fn, result),
    ...(protocols ? { protocols } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...(revive === undefined ? {} : { revive }),
    ...(lower === undefined ? {} : { lower }),
  }
  return { model, plan, parameters: texts.join(', '), result }
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

/** `a: Int`, `b?: Int`, `...rest: string[]`; by way of the function where a type has no name to import. */
function parameterText(param: ParamModel, index: number, model: ProcedureModel, fn: string, planner: Planner): string {
  const position = positionsOf(model)[index] ?? index
  const text = typeText(param.type, planner) ?? `Parameters<typeof ${fn}>[${position}]`
  if (param.rest) return `...${param.name}: ${grouped(text)}[]`
  return `${param.name}${param.optional ? '?' : ''}: ${text}`
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

function planConditions(params: readonly ParamModel[], planner: Planner): string[] {
  const rest = params.find((param) => param.rest)
  const least = params.filter((param) => !param.optional && !param.rest).length
  const most = rest ? undefined : params.length
  const length = [
    ...(least === most ? [`args.length === ${least}`] : []),
    ...(least !== most && least > 0 ? [`args.length >= ${least}`] : []),
    ...(least !== most && most !== undefined ? [`args.length <= ${most}`] : []),
  ]
  return [...length, ...params.flatMap((param, i) => planCondition(param, i, planner))]
}

function planCondition({ type, optional, rest }: ParamModel, i: number, planner: Planner): string[] {
  const value = rest ? `args.slice(${i})` : `args[${i}]`
  const test = testExpression(rest ? { kind: 'array', element: type } : type, value, planner)
  if (test === 'true' || (rest && type.kind === 'any')) return []
  return optional ? [`(${value} === undefined || ${test})`] : [test]
}

/** The call as the source would write it; a parameter gives way to the function of the same name. */
function planInvoke(model: ProcedureModel, fn: string, result: string): ProcedurePlan['invoke'] {
  const clash = (name: string) => (name === fn || name === 'context' ? `${name}$` : name)
  const locals = model.params.map(({ name, rest }) => `${rest ? '...' : ''}${clash(name)}`)
  const passed = [...locals]
  for (const position of model.contextAt) passed.splice(position, 0, 'context')
  const args = locals.length > 0 ? `[${locals.join(', ')}]` : '_args'
  const takes = model.contextAt.length > 0 ? `(${args}, context)` : locals.length > 0 ? `(${args})` : '()'
  return { takes, result, call: `${fn}(${passed.join(', ')})` }
}

function planRevive(params: readonly ParamModel[], planner: Planner): string | undefined {
  if (!params.some(({ type }) => needsConvert(type, 'revive', planner))) return undefined
  const converts = params.filter(({ rest }) => !rest).map(({ type }) => convertFunction(type, 'revive', planner))
  const rest = params.find((param) => param.rest)
  const restConvert = rest ? `, ${convertFunction(rest.type, 'revive', planner)}` : ''
  return `(args, wire) => ${planner.imports.codegen('reviveArguments')}(args, [${converts.join(', ')}], wire${restConvert})`
}

function planLower(type: ModelType, planner: Planner): string | undefined {
  if (plainResults.has(type.kind)) return undefined
  const test = withoutBrackets(testExpression(type, 'result', planner))
  const lowered = convertExpression(type, 'result', 'lower', planner)
  const takes = /\bwire\b/.test(lowered) ? '(result, wire)' : '(result)'
  return `${takes} => (${test} ? ${lowered} : ${planner.imports.codegen('unfit')})`
}
