import { dirname, join } from 'node:path'
import type { ApiInfo } from '../../runtime/openrpc/info.js'
import type { RpcConfig } from '../../runtime/server/config.js'
import { expectedOf, type OptionRow, type OptionType, optionTable } from '../option-table.js'
import { type GenerateOptions, lockName, UsageError } from '../options.js'

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isSwitch = (value: unknown) => typeof value === 'boolean'

const isOfType: Readonly<Record<OptionType, (value: unknown, row: OptionRow) => boolean>> = {
  switch: isSwitch,
  file: isText,
  files: (value) => isText(value) || isTexts(value),
  text: isText,
  texts: isTexts,
  choice: (value, { choices = [] }) => isText(value) && choices.includes(value as string),
  switchOrFile: (value) => isSwitch(value) || isText(value),
  info: isInfo,
}

function isInfo(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { title, version, description, servers = [] } = value as Partial<Record<keyof ApiInfo, unknown>>
  const isServer = (each: unknown) => isText((each as { url?: unknown } | null)?.url)
  const isDescribed = description === undefined || isText(description)
  return isText(title) && isText(version) && isDescribed && Array.isArray(servers) && servers.every(isServer)
}

const rows: Readonly<Record<string, OptionRow>> = optionTable
const keys = new Map(Object.entries(rows).filter(([, { only }]) => only !== 'flag'))

/** Returns the value if it is a configuration. Throws UsageError that names the key which is wrong. */
export function checkConfig(value: unknown, path: string): RpcConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${path} holds no configuration: export an object as its default`)
  }
  for (const [name, each] of Object.entries(value)) {
    const row = keys.get(name)
    if (!row)
      throw new UsageError(`${path}: there is no option ${name}: the options are ${[...keys.keys()].join(', ')}`)
    if (!isOfType[row.type](each, row)) throw new UsageError(`${path}: ${name} is ${expectedOf(row)}`)
  }
  return value
}

/** The options of the command line over those of a configuration, whose paths start from its own folder. */
export function withConfig(options: GenerateOptions, config: RpcConfig, configFile: string): GenerateOptions {
  const folder = dirname(configFile)
  const located = Object.entries(config).map(([name, value]) => [name, locate(value, keys.get(name)?.type, folder)])
  const { paths = [], RPC_METHODS_MODULES: methodsModules = [], ...rest } = Object.fromEntries(located)
  return { ...rest, methodsModules, ...options, paths: options.paths.length > 0 ? options.paths : paths }
}

function locate(value: unknown, type: OptionType | undefined, folder: string): unknown {
  if (type === 'files') return [value].flat().map((path) => join(folder, path as string))
  if (type !== 'file' && type !== 'switchOrFile') return value
  return value === false ? undefined : join(folder, value === true ? lockName : (value as string))
}
