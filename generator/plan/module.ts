import { namesIn } from '../../runtime/schema/parts.js'
import type { InterfacePlan } from '../../templates/interface.js'
import type { ModulePlan, TypePlan } from '../../templates/module.js'
import type { Model, ModelType, ParamModel, ProcedureModel } from '../model/model.js'
import { codegenNames } from './codegen-names.js'
import type { Direction } from './conversion.js'
import { planConverts } from './convert-named.js'
import { createJsonTypes, type JsonTypes } from './json.js'
import { parameterList } from './parameter.js'
import { createPlanner, type Planner } from './planner.js'
import { planPredicate } from './predicate.js'
import { type PlannedProcedure, planProcedure } from './procedure.js'
import { structText } from './typescript.js'
import { planWire } from './wire.js'

/**
 * Model to plan: every name, import, order and expression of the module. `specifier` writes a module in an import;
 * `methods` says whether RPC_METHODS_MODULES is set.
 */
export function planModule(model: Model, specifier: (module: string) => string, methods = false): ModulePlan {
  const planner = createPlanner(model, codegenNames, specifier)
  const procedures = model.procedures.map((procedure) => planProcedure(procedure, planner))
  const served = procedures.filter((each) => !each.model.registered)
  const types = planTypes(model, planner)
  const json = createJsonTypes(planner)
  const interfaces: ModulePlan['interfaces'] = [
    planInterface(served),
    planJsonInterface(served, json),
    planParamsInterface(served, json),
  ]
  const manifest = methods ? 'methodsManifest' : 'manifest'
  for (const name of [manifest, 'procedure', 'RpcServer']) planner.imports.codegen(name)
  for (const name of ['Manifest', 'Router']) planner.imports.codegenType(name)
  return {
    imports: planner.imports.plans(),
    manifest,
    types,
    procedures: procedures.map(({ plan }) => plan),
    interfaces,
    jsonTypes: json.plans(),
  }
}

/** The types that procedures use, each after those that it contains; a type that contains itself refers to itself. */
function planTypes(model: Model, planner: Planner): TypePlan[] {
  const directions = new Map<string, Set<Direction>>()
  const order = new Map<string, number>()
  for (const { params, returns } of model.procedures) {
    for (const { type } of params) reach(type, 'revive', planner, directions)
    reach(returns.type, 'lower', planner, directions)
  }
  const visiting = new Set<string>()
  const visit = (name: string): void => {
    if (visiting.has(name) || !directions.has(name)) return
    visiting.add(name)
    for (const inner of namesIn(planner.typeOf(name).type)) visit(inner)
    order.set(name, order.size)
  }
  for (const name of directions.keys()) visit(name)
  if (order.size > 0) planner.imports.codegenType('WireType')
  return [...order].map(([name, at]) => {
    const named = planner.typeOf(name)
    return {
      // Itself, and what is written behind it.
      wire: planWire(named, planner, { has: (other) => (order.get(other) ?? -1) >= at }),
      predicate: planPredicate(named, planner),
      converts: planConverts(named, directions.get(name) ?? new Set(), planner),
    }
  })
}

function reach(type: ModelType, direction: Direction, planner: Planner, reached: Map<string, Set<Direction>>): void {
  for (const name of namesIn(type)) {
    const known = reached.get(name) ?? new Set()
    if (known.has(direction)) continue
    reached.set(name, known.add(direction))
    reach(planner.typeOf(name).type, direction, planner, reached)
  }
}

function planInterface(procedures: readonly PlannedProcedure[]): InterfacePlan {
  return {
    name: 'Procedures',
    exported: true,
    doc: 'Method name to function type, in TypeScript values.',
    members: procedures.map(({ model, type }) => ({
      name: model.name,
      type,
      doc: model.description,
    })),
  }
}

function planJsonInterface(procedures: readonly PlannedProcedure[], json: JsonTypes): InterfacePlan {
  return {
    name: 'JsonProcedures',
    exported: true,
    doc: 'The same as JSON carries it: Date, bigint and bytes are strings, Set is an array, Map an object.',
    members: procedures.map(({ model }) => ({
      name: model.name,
      type: jsonFunction(model, json),
      doc: model.description,
    })),
  }
}

function planParamsInterface(procedures: readonly PlannedProcedure[], json: JsonTypes): InterfacePlan {
  return {
    name: 'JsonParams',
    exported: true,
    doc: 'The parameters by name, as JSON carries them.',
    members: procedures.map(({ model }) => ({ name: model.name, type: jsonParams(model, json), doc: '' })),
  }
}

/** One object of them for each signature. */
function jsonParams({ params, overloads }: ProcedureModel, json: JsonTypes): string {
  const all = overloads?.map((each) => each.params) ?? [params]
  const texts = all.map((each) => (each.length === 0 ? 'Record<string, never>' : structText(structOf(each), json.text)))
  return [...new Set(texts)].join(' | ')
}

/** By name, what a rest parameter takes is a list. */
function structOf(params: readonly ParamModel[]): Extract<ModelType, { kind: 'struct' }> {
  const members = params.map(({ name, type, optional, rest }) => ({
    name,
    type: rest ? ({ kind: 'array', element: type } as const) : type,
    ...(optional || rest ? { optional: true } : {}),
  }))
  return { kind: 'struct', members }
}

function jsonFunction({ params, returns, overloads }: ProcedureModel, json: JsonTypes): string {
  const parameters = (all: readonly ParamModel[]) =>
    parameterList(
      all,
      all.map(({ type }) => json.text(type)),
      'null',
    )
  if (!overloads) return `(${parameters(params)}) => ${json.text(returns.type)}`
  return `{ ${overloads.map((each) => `(${parameters(each.params)}): ${json.text(each.returns.type)}`).join('; ')} }`
}
