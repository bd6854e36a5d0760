import type { OpenRpc } from '../runtime/openrpc/openrpc.js'
import type { Disk } from './disk.js'
import type { Model } from './model/model.js'
import type { Options } from './options.js'
import { type OutputName, targetsOf } from './outputs.js'
import type { TextMemo } from './plan/memo.js'
import { moduleText } from './plan/module.js'

/** An output and its text. */
interface Rendered {
  readonly path: string
  readonly text: string
}

/** What the outputs are made from. */
export interface Rendering {
  readonly model: Model
  readonly options: Options
  readonly disk: Disk
  /** Writes a module in an import of the generated one. */
  readonly specifier: (module: string) => string
  readonly memo?: TextMemo | undefined
}

/** The text of every output. */
export async function render(rendering: Rendering): Promise<Rendered[]> {
  const { model, options, specifier, memo } = rendering
  const further = targetsOf(options).map(async ({ output, path }): Promise<Rendered> => {
    return { path, text: await texts[output.name](rendering) }
  })
  return [
    { path: options.out, text: moduleText(model, { specifier, methods: options.methodsModules.length > 0 }, memo) },
    ...(await Promise.all(further)),
  ]
}

/** What makes them is loaded where they are asked for: a run that does not ask would pay for half as many files again. */
const texts: Readonly<Record<OutputName, (rendering: Rendering) => Promise<string>>> = {
  async jsonSchema({ model }) {
    const { jsonSchema } = await import('./schema/index.js')
    return json(jsonSchema(model))
  },
  async openrpc({ model, options, disk }) {
    const { openRpcOf } = await import('../runtime/openrpc/document.js')
    const { apiInfo } = await import('./info.js')
    const { servers, ...info } = apiInfo(options, disk)
    return json(openRpcOf(served(model), info, servers))
  },
  async client({ model }) {
    const { clientText } = await import('./plan/client.js')
    return clientText(model)
  },
  async lock({ model }) {
    const { lockText } = await import('./diff/lock.js')
    return lockText(await contract(model))
  },
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** All that callers rely on, in both protocols. */
export async function contract(model: Model): Promise<OpenRpc> {
  const { contractOf } = await import('../runtime/openrpc/document.js')
  return contractOf(served(model))
}

/** What is marked `@rpc`. */
function served(model: Model): Model {
  return { ...model, procedures: model.procedures.filter(({ registered }) => !registered) }
}
