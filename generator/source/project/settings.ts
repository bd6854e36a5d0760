import { hashOf } from '../../cache/fresh.js'
import type { Options } from '../../options.js'
import type { Documents } from './host.js'
import type { Config } from './tsconfig.js'

/** Everything that a source's part depends on besides files: the options, the tsconfig's options and the version of rpc-gen. */
export function settingsOf(config: Config, options: Options, tool: string): string {
  return hashOf(JSON.stringify([compilerSettingsOf(config), options, tool]))
}

/** Returns a function from a tsconfig to its parsed sources, which are reused if no setting has changed since the last call. */
export function createProjectDocuments(): (config: Config) => Documents {
  const projects = new Map<string, { readonly settings: string; readonly documents: Documents }>()
  return (config) => {
    const [path, settings] = [config.path ?? '', compilerSettingsOf(config)]
    const known = projects.get(path)
    if (known?.settings === settings) return known.documents
    const documents: Documents = new Map()
    projects.set(path, { settings, documents })
    return documents
  }
}

/** Everything that the parsed sources of a project depend on besides files. */
function compilerSettingsOf({ compilerOptions, references, path }: Config): string {
  // The options contain the parsed tsconfig, which refers to itself.
  const { configFile, ...plain } = compilerOptions
  return hashOf(JSON.stringify([plain, references, path]))
}
