// The texts of all outputs of a run:
//
//   --client client.gen.ts  →  [{ path: 'rpc.gen.ts', text }, { path: 'client.gen.ts', text }]
import { dirname, join } from 'node:path'
import { type ApiInfo, defaultInfo } from '../../runtime/description/openrpc.js'
import type { TextMemo } from '../../templates/typescript/memo.js'
import { moduleText } from '../../templates/typescript/module.js'
import { jsonText } from '../diagnostics/printable.js'
import type { Disk } from '../disk/disk.js'
import { type Model, servedModel } from '../model/model.js'
import { type Options, outputsOf } from '../options/options.js'
import type { OutputName } from '../options/table.js'
import { foldersFrom, importPath } from '../paths.js'
import type { GeneratedFile } from './generated.js'

/** The input of the outputs. */
interface Rendering {
  readonly model: Model
  readonly options: Options
  readonly disk: Disk
  /** Returns how a module is written in an import of the generated one. */
  readonly specifier: (module: string) => string
  readonly memo?: TextMemo | undefined
}

/** Renders every output of a run, the module first. */
export function render(rendering: Rendering): Promise<GeneratedFile[]> {
  const all = outputsOf(rendering.options)
  return Promise.all(all.map(async ({ name, path }) => ({ path, text: await renderers[name](rendering) })))
}

/** The text of each output. The code of all but the module is loaded on demand: it would double the code that a run without them loads. */
const renderers: Readonly<Record<OutputName, (rendering: Rendering) => Promise<string>>> = {
  async out({ model, options, specifier, memo }) {
    return moduleText(model, { specifier, methods: options.methodsModules.length > 0 }, memo)
  },
  async jsonSchema({ model }) {
    const { jsonSchema } = await import('./json-schema.js')
    return json(jsonSchema(model))
  },
  async openrpc({ model, options, disk }) {
    const { openRpcOf } = await import('../../runtime/description/openrpc-document.js')
    const { servers, ...info } = options.info ?? packageInfo(dirname(options.out), disk)
    return json(openRpcOf(servedModel(model), info, servers))
  },
  async client({ model, options, specifier }) {
    const { clientText } = await import('../../templates/typescript/client.js')
    if (!options.clientCodecs) return clientText(servedModel(model))
    const folder = dirname(options.client ?? options.out)
    const specifierOf = (module: string) => specifier(importPath(folder, join(dirname(options.out), module)))
    return clientText(servedModel(model), specifierOf)
  },
  async pythonClient({ model, options }) {
    const { pythonText } = await import('../../templates/python/module.js')
    return pythonText(servedModel(model), pythonScalarsOf(options))
  },
  async lock({ model }) {
    const { lockText } = await import('../diff/lock.js')
    return lockText(servedModel(model))
  },
}

/** The Python classes of the configuration: a class is called with what was received, and `str` returns what is sent. */
function pythonScalarsOf({ pythonScalars = {} }: Options) {
  const entries = Object.entries(pythonScalars).map(([name, value]) => {
    const { type, decode = type, encode = 'str' } = typeof value === 'string' ? { type: value } : value
    return [name, { type, decode, encode }] as const
  })
  return new Map(entries)
}

/** Returns name and version of the package that contains a folder, or the default ones. */
function packageInfo(folder: string, disk: Disk): ApiInfo {
  const paths = foldersFrom(folder).map((each) => join(each, 'package.json'))
  const path = paths.find(disk.isFile)
  if (path === undefined) return defaultInfo
  try {
    const { name, version } = JSON.parse(disk.read(path) ?? '')
    return {
      title: typeof name === 'string' ? name : defaultInfo.title,
      version: typeof version === 'string' ? version : defaultInfo.version,
    }
  } catch {
    return defaultInfo
  }
}

function json(value: unknown): string {
  return `${jsonText(value, 2)}\n`
}
