import { dirname, join } from 'node:path'
import type { ApiInfo } from '../../runtime/openrpc/info.js'
import type { RpcConfig } from '../../runtime/server/config.js'
import { expectedOf, type OptionRow, type OptionType, optionTable } from '../option-table.js'
import { type GenerateOptions, lockName, UsageError } from '../options.js'

const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isSwitch = (value: unknown) => typeof value === 'boolean'

const isOfType: Readonly<Record<OptionType, (value: unknown, row: OptionRow) => boolean>> = {
  switch: isSwitch,
  file: isText,
  files: (value) => isText(value) || isTexts(value),
  text: isText,
  texts: isTexts,
  choice: (value, { choices = [] }) => isText(value) && choices.includes(value as string),
  switchOrFile: (value) => isSwitch(value) || isText(value),
  modules: (value) => isObject(value) && Object.values(value as object).every(isText),
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

/**
 * Returns the targets of a configuration, several if it is a list. Throws UsageError that names the invalid target and
 * key.
 */
export function checkConfig(value: unknown, path: string): readonly RpcConfig[] {
  if (!Array.isArray(value)) return [checkTarget(value, path)]
  if (value.length === 0) throw new UsageError(`${path} has no target: the list is empty`)
  const targets = value.map((each, i) => checkTarget(each, `${path}: target ${nameIn(each) ?? i + 1}`))
  if (targets.length === 1) return targets
  for (const [i, { name }] of targets.entries()) {
    if (!name) throw new UsageError(`${path}: target ${i + 1} has no name: each of several targets needs one`)
    const duplicate = targets.findIndex((each) => each.name === name)
    if (duplicate < i)
      throw new UsageError(`${path}: target ${duplicate + 1} and target ${i + 1} are both named ${name}`)
  }
  return targets
}

function nameIn(target: unknown): string | undefined {
  const name = (target as RpcConfig | null)?.name
  return isText(name) && name !== '' ? name : undefined
}

function checkTarget(value: unknown, at: string): RpcConfig {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${at} is not a configuration: expected an object with the options`)
  }
  for (const [name, each] of Object.entries(value)) {
    const row = keys.get(name)
    if (!row) throw new UsageError(`${at}: unknown option ${name}: the options are ${[...keys.keys()].join(', ')}`)
    if (!isOfType[row.type](each, row)) throw new UsageError(`${at}: ${name}: expected ${expectedOf(row)}`)
  }
  return value
}

/** Merges the options of the command line over those of a configuration, whose paths are relative to its own folder. */
export function withConfig(options: GenerateOptions, config: RpcConfig, configFile: string): GenerateOptions {
  const folder = dirname(configFile)
  const located = Object.entries(config).map(([name, value]) => [name, locate(value, keys.get(name)?.type, folder)])
  const { name: _name, paths = [], RPC_METHODS_MODULES: methodsModules = [], ...rest } = Object.fromEntries(located)
  return { ...rest, methodsModules, configFile, ...options, paths: options.paths.length > 0 ? options.paths : paths }
}

function locate(value: unknown, type: OptionType | undefined, folder: string): unknown {
  if (type === 'files') return [value].flat().map((path) => join(folder, path as string))
  if (type === 'modules') {
    const modules = Object.entries(value as Readonly<Record<string, string>>)
    return Object.fromEntries(modules.map(([name, path]) => [name, join(folder, path)]))
  }
  if (type !== 'file' && type !== 'switchOrFile') return value
  return value === false ? undefined : join(folder, value === true ? lockName : (value as string))
}
