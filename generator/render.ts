import { contractOf, openRpcOf } from '../runtime/openrpc/document.js'
import type { OpenRpc } from '../runtime/openrpc/openrpc.js'
import { renderClient } from '../templates/client.js'
import { renderModule } from '../templates/module.js'
import type { Memory } from './build.js'
import { lockText } from './diff/lock.js'
import type { Disk } from './disk.js'
import type { GeneratedFile } from './index.js'
import { apiInfo } from './info.js'
import type { Model } from './model/model.js'
import type { Options } from './options.js'
import { type OutputName, targetsOf } from './outputs.js'
import { planClient } from './plan/client.js'
import { planModule } from './plan/module.js'
import { jsonSchema } from './schema/index.js'

/** The text of every output; `specifier` writes a module in an import of the generated one. */
export function render(
  model: Model,
  specifier: (module: string) => string,
  options: Options,
  { disk, plans }: Pick<Memory, 'disk' | 'plans'>,
): GeneratedFile[] {
  const plan = planModule(model, specifier, options.methodsModules.length > 0, plans)
  const module = renderModule(plan, plans?.texts)
  const further = targetsOf(options).map(({ output, path }) => ({
    path,
    text: texts[output.name](model, options, disk),
  }))
  return [{ path: options.out, text: module }, ...further]
}

const texts: Readonly<Record<OutputName, (model: Model, options: Options, disk: Disk) => string>> = {
  jsonSchema: (model) => json(jsonSchema(model)),
  openrpc: (model, options, disk) => json(openRpc(model, options, disk)),
  client: (model) => renderClient(planClient(model)),
  lock: (model) => lockText(contract(model)),
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function openRpc(model: Model, options: Options, disk: Disk): OpenRpc {
  const { servers, ...info } = apiInfo(options, disk)
  return openRpcOf(served(model), info, servers)
}

/** All that callers rely on, in both protocols. */
export function contract(model: Model): OpenRpc {
  return contractOf(served(model))
}

/** What is marked `@rpc`. */
function served(model: Model): Model {
  return { ...model, procedures: model.procedures.filter(({ registered }) => !registered) }
}
