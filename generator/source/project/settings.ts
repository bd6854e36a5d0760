import { hashOf } from '../../cache/fresh.js'
import type { Options } from '../../options.js'
import type { Config } from './tsconfig.js'

/** All that a source's part depends on beside files: the options, the tsconfig's, and rpc-gen itself. */
export function settingsOf(config: Config, options: Options, tool: string): string {
  return hashOf(JSON.stringify([compilerSettingsOf(config), options, tool]))
}

/** All that the parsed sources of a project depend on beside files. */
export function compilerSettingsOf({ compilerOptions, references, path }: Config): string {
  // The parsed tsconfig is in its options, and refers to itself.
  const { configFile, ...plain } = compilerOptions
  return hashOf(JSON.stringify([plain, references, path]))
}
