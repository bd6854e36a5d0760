import type { InterfacePlan } from '../../templates/interface.js'
import type { ModulePlan, TypePlan } from '../../templates/module.js'
import type { Model, ModelType, ParamModel, ProcedureModel } from '../model/model.js'
import { codegenNames } from './codegen-names.js'
import { type Direction, partsOf } from './conversion.js'
import { planConverts } from './convert-named.js'
import { createJsonTypes, type JsonTypes } from './json.js'
import { parameter } from './parameter.js'
import { createPlanner, type Planner } from './planner.js'
import { planPredicate } from './predicate.js'
import { type PlannedProcedure, planProcedure } from './procedure.js'
import { planWire } from './wire.js'

/** Model to plan: every name, import, order and expression of the module. `specifier` writes a module in an import. */
export function planModule(model: Model, specifier: (module: string) => string): ModulePlan {
  const planner = createPlanner(model, codegenNames, specifier)
  const procedures = model.procedures.map((procedure) => planProcedure(procedure, planner))
  const served = procedures.filter((each) => !each.model.registered)
  const types = planTypes(model, planner)
  const json = createJsonTypes(planner)
  const interfaces: ModulePlan['interfaces'] = [planInterface(served), planJsonInterface(served, json)]
  for (const name of ['manifest', 'procedure', 'RpcServer']) planner.imports.codegen(name)
  for (const name of ['Manifest', 'Router']) planner.imports.codegenType(name)
  return {
    imports: planner.imports.plans(),
    types,
    procedures: procedures.map(({ plan }) => plan),
    interfaces,
    jsonTypes: json.plans(),
  }
}

/** The types that procedures use, each after those that it contains; a type that contains itself refers to itself. */
function planTypes(model: Model, planner: Planner): TypePlan[] {
  const directions = new Map<string, Set<Direction>>()
  const order: string[] = []
  const open = new Map<string, ReadonlySet<string>>()
  for (const { params, returns } of model.procedures) {
    for (const { type } of params) reach(type, 'revive', planner, directions)
    reach(returns.type, 'lower', planner, directions)
  }
  const unwritten = new Set(directions.keys())
  const visiting = new Set<string>()
  const visit = (name: string): void => {
    if (visiting.has(name) || !unwritten.has(name)) return
    visiting.add(name)
    for (const inner of namesIn(planner.typeOf(name).type)) visit(inner)
    open.set(name, new Set(unwritten))
    order.push(name)
    unwritten.delete(name)
  }
  for (const name of directions.keys()) visit(name)
  if (order.length > 0) planner.imports.codegenType('WireType')
  return order.map((name) => {
    const named = planner.typeOf(name)
    return {
      wire: planWire(named, planner, open.get(name) ?? new Set()),
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

/** The names that a type refers to directly. */
function namesIn(type: ModelType): string[] {
  return type.kind === 'ref' ? [type.name] : partsOf(type).flatMap(namesIn)
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

function jsonFunction({ params, returns, overloads }: ProcedureModel, json: JsonTypes): string {
  const parameters = (all: readonly ParamModel[]) =>
    all.map((param) => parameter(param, json.text(param.type))).join(', ')
  if (!overloads) return `(${parameters(params)}) => ${json.text(returns.type)}`
  return `{ ${overloads.map((each) => `(${parameters(each.params)}): ${json.text(each.returns.type)}`).join('; ')} }`
}
