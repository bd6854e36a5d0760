import { referencedNames } from '../../runtime/schema/described-types.js'
import type { ModulePlan, TypePlan } from '../../templates/module.js'
import type { Model, ModelType, NamedType } from '../model/model.js'
import { askedOf, directionsOf, plannerOf, type TypeAsked } from './asked.js'
import { codegenNames } from './codegen-names.js'
import type { Direction } from './conversion.js'
import { planConverts } from './convert-named.js'
import { jsonForm } from './form.js'
import { noMemory, type PlanMemory, remembered } from './memory.js'
import { planErrors, planInterfaces } from './module-interfaces.js'
import { createOwnTypes } from './own-types.js'
import { planAgain } from './plan-again.js'
import type { PlannedModule } from './planned-module.js'
import { createPlanner, type Planner } from './planner.js'
import { planPredicate } from './predicate.js'
import { isServed, planProcedure } from './procedure.js'
import { planWire } from './wire.js'

/**
 * Model to plan: every name, import, order and expression of the module. `specifier` writes a module in an import;
 * `methods` says whether RPC_METHODS_MODULES is set.
 */
export function planModule(
  model: Model,
  specifier: (module: string) => string,
  methods = false,
  memory: PlanMemory = noMemory,
): ModulePlan {
  const planned = planAgain(model, specifier, methods, memory) ?? planAnew(model, specifier, methods, memory)
  if (memory !== noMemory) memory.last = planned
  return planned.plan
}

function planAnew(
  model: Model,
  specifier: (module: string) => string,
  methods: boolean,
  memory: PlanMemory,
): PlannedModule {
  const specifiers = new Map<string, string>()
  const planner = createPlanner(model, codegenNames, (module) => {
    const text = specifier(module)
    specifiers.set(module, text)
    return text
  })
  const asked = askedOf(planner)
  const procedures = model.procedures.map((procedure) =>
    remembered(memory.procedures, procedure, asked, (answers) => planProcedure(procedure, plannerOf(answers))),
  )
  const types = planTypes(model, planner, memory)
  const json = createOwnTypes(planner.types, planner.scope, jsonForm)
  const served = procedures.filter(isServed)
  const errors = planErrors(served, json)
  const interfaces = [...planInterfaces(served, json), ...(errors ? [errors] : [])]
  const manifest = methods ? 'methodsManifest' : 'manifest'
  for (const name of [manifest, 'procedure', 'RpcServer']) planner.imports.codegen(name)
  for (const name of ['Manifest', 'Router', ...(errors ? ['RpcError'] : [])]) planner.imports.codegenType(name)
  const plan = {
    imports: planner.importPlans(),
    manifest,
    types,
    procedures: procedures.map((each) => each.plan),
    interfaces,
    jsonTypes: json.plans(),
  }
  return { plan, types: model.types, procedures, json, methods, specifiers, asked }
}

/** The types that procedures use, each after those that it contains; a type that contains itself refers to itself. */
function planTypes(model: Model, planner: Planner, memory: PlanMemory): TypePlan[] {
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
    for (const inner of referencedNames(planner.typeOf(name).type)) visit(inner)
    order.set(name, order.size)
  }
  for (const name of directions.keys()) visit(name)
  if (order.size > 0) planner.imports.codegenType('WireType')
  const asked = askedOf(planner)
  return [...order].map(([name, at]) => {
    const named = planner.typeOf(name)
    const typeAsked: TypeAsked = {
      ...asked,
      isOpen: (other) => (order.get(other) ?? -1) >= at,
      travels: (direction) => directions.get(name)?.has(direction as Direction) ?? false,
    }
    return remembered(memory.types, named, typeAsked, (answers) => planType(named, answers))
  })
}

function planType(named: NamedType, asked: TypeAsked): TypePlan {
  const planner = plannerOf(asked)
  return {
    wire: planWire(named, planner, { has: asked.isOpen }),
    predicate: planPredicate(named, planner),
    converts: planConverts(named, directionsOf(asked), planner),
  }
}

function reach(type: ModelType, direction: Direction, planner: Planner, reached: Map<string, Set<Direction>>): void {
  for (const name of referencedNames(type)) {
    const known = reached.get(name) ?? new Set()
    if (known.has(direction)) continue
    reached.set(name, known.add(direction))
    reach(planner.typeOf(name).type, direction, planner, reached)
  }
}
