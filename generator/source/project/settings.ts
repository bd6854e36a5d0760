import { hashOf } from '../../cache/fresh.js'
import type { Options } from '../../options.js'
import type { Documents } from './host.js'
import type { Config } from './tsconfig.js'

/** All that a source's part depends on beside files: the options, the tsconfig's, and rpc-gen itself. */
export function settingsOf(config: Config, options: Options, tool: string): string {
  return hashOf(JSON.stringify([compilerSettingsOf(config), options, tool]))
}

/** Returns a function from a tsconfig to its parsed sources, which are those of the call before if no setting has changed. */
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

/** All that the parsed sources of a project depend on beside files. */
function compilerSettingsOf({ compilerOptions, references, path }: Config): string {
  // The parsed tsconfig is in its options, and refers to itself.
  const { configFile, ...plain } = compilerOptions
  return hashOf(JSON.stringify([plain, references, path]))
}
