import { header } from './header.js'
import { type AliasPlan, type InterfacePlan, renderInterface, renderType } from './interface.js'
import {
  type ConvertPlan,
  type PredicatePlan,
  renderConvert,
  renderPredicate,
  renderWire,
  type WirePlan,
} from './predicate.js'
import { type ProcedurePlan, renderProcedure } from './procedure.js'
import { type ImportPlan, importLine, known, list } from './text.js'

/** A generated module, decided: names, imports, order and expressions. */
export interface ModulePlan {
  readonly imports: readonly ImportPlan[]
  /** What makes the manifest. */
  readonly manifest: string
  /** In the order of first use; what each needs of wire type, predicate and conversions. */
  readonly types: readonly TypePlan[]
  readonly procedures: readonly ProcedurePlan[]
  /** What is exported as types: TypeScript values, JSON values, parameters by name. */
  readonly interfaces: readonly InterfacePlan[]
  /** The types that the JSON interface needs. */
  readonly jsonTypes: readonly (InterfacePlan | AliasPlan)[]
}

/** What is written of one named type. */
export interface TypePlan {
  readonly wire: WirePlan
  readonly predicate: PredicatePlan
  readonly converts: readonly ConvertPlan[]
}

/** The text of a generated module. `texts` has what is known of the texts of its parts, and is added to. */
export function renderModule(plan: ModulePlan, texts?: WeakMap<object, string>): string {
  const constants = plan.procedures.flatMap(({ constant }) => constant ?? [])
  const blocks = [
    header() + plan.imports.map(importLine).join('\n'),
    ...plan.types.map((type) => known(type, renderNamed, texts)),
    ...plan.procedures.map((procedure) => known(procedure, renderProcedure, texts)),
    `/** The procedures, by name. */\n${list(`export const procedures: Manifest<keyof Procedures, Procedures, JsonProcedures, JsonParams> = ${plan.manifest}(`, constants, ')')}`,
    '/** A server of these procedures, with all defaults. */\nexport const server: RpcServer<Procedures, JsonParams> = new RpcServer({ procedures })',
    "/** A Hono app that serves them at its `/`: `app.route('/rpc', router)`. */\nexport const router: Router = server.router()",
    ...plan.interfaces.map((each) => renderInterface(each, texts)),
    ...plan.jsonTypes.map((type) => known(type, renderType, texts)),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderNamed({ wire, predicate, converts }: TypePlan): string {
  return [renderWire(wire), renderPredicate(predicate), ...converts.map(renderConvert)].join('\n\n')
}
