import { dirname, join } from 'node:path'
import type { RpcConfig } from '../../runtime/server/config.js'
import { type GenerateOptions, lockName } from '../options.js'

/** The options of the command line over those of a configuration, whose paths start from its own folder. */
export function withConfig(options: GenerateOptions, config: RpcConfig, configFile: string): GenerateOptions {
  const { paths, lock, RPC_METHODS_MODULES: modules, ...rest } = config
  const inFolder = (path: string) => join(dirname(configFile), path)
  const files = ['out', 'project', 'jsonSchema', 'openrpc', 'client'] as const
  const placed = files.flatMap((name) => (rest[name] === undefined ? [] : [[name, inFolder(rest[name])] as const]))
  return {
    ...rest,
    ...Object.fromEntries(placed),
    ...(lock ? { lock: inFolder(lock === true ? lockName : lock) } : {}),
    methodsModules: asList(modules).map(inFolder),
    ...options,
    paths: options.paths.length > 0 ? options.paths : asList(paths).map(inFolder),
  }
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
