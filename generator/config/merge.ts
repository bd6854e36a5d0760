import { dirname, join } from 'node:path'
import type { RpcConfig } from '../../runtime/config.js'
import type { GenerateOptions } from '../options.js'

/** The options of the command line over those of a configuration, whose paths start from its own folder. */
export function withConfig(options: GenerateOptions, config: RpcConfig, configFile: string): GenerateOptions {
  const { paths, out, project, jsonSchema, RPC_METHODS_MODULES: modules, ...rest } = config
  const inFolder = (path: string) => join(dirname(configFile), path)
  return {
    ...rest,
    ...(out === undefined ? {} : { out: inFolder(out) }),
    ...(project === undefined ? {} : { project: inFolder(project) }),
    ...(jsonSchema === undefined ? {} : { jsonSchema: inFolder(jsonSchema) }),
    methodsModules: asList(modules).map(inFolder),
    ...options,
    paths: options.paths.length > 0 ? options.paths : asList(paths).map(inFolder),
  }
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}
