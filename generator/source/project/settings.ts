import { hashOf } from '../../cache/fresh.js'
import type { Options } from '../../options.js'
import type { Config } from './tsconfig.js'

/** All that a source's part depends on beside files: the options, the tsconfig's, and rpc-gen itself. */
export function settingsOf({ compilerOptions, references, path }: Config, options: Options, tool: string): string {
  // The parsed tsconfig hangs in its options, and refers to itself.
  const { configFile, ...plain } = compilerOptions
  return hashOf(JSON.stringify([plain, references, path, options, tool]))
}
