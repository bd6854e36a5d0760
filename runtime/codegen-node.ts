/**
 * The imports of a generated module on Node, Bun and Deno. In development they report, once, that the module is older than its sources.
 *
 * @module
 */

import * as codegen from './codegen.js'
import { newerSource } from './source-record.js'

export * from './codegen.js'

// An export of one's own hides one of the same name.
export const manifest: typeof codegen.manifest = (...lists) => {
  warnIfOlder(manifest)
  return codegen.manifest(...lists)
}

export const methodsModulesManifest: typeof codegen.methodsModulesManifest = (...lists) => {
  warnIfOlder(methodsModulesManifest)
  return codegen.methodsModulesManifest(...lists)
}

/** What is used of Node. */
interface Node {
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>>; cwd(): string }
  readonly Error: { captureStackTrace?(target: object, below: unknown): void }
}

/** Prints a warning if the module that calls a function is older than one of its sources. `NODE_ENV=production` turns it off. */
function warnIfOlder(called: unknown): void {
  const { process, Error: NodeError } = globalThis as unknown as Node
  if (!process || process.env['NODE_ENV'] === 'production' || !NodeError.captureStackTrace) return
  const trace: { stack?: unknown } = {}
  NodeError.captureStackTrace(trace, called)
  const module = typeof trace.stack === 'string' ? pathIn(trace.stack) : undefined
  const newer = module && newerSource(module)
  if (!newer) return
  const shown = (path: string) => path.replace(`${process.cwd().replaceAll('\\', '/')}/`, '')
  const remedy = process.env['RPC_GEN_DEV']
    ? 'correct the errors above, if there are any; rpc-gen dev generates it then'
    : 'run rpc-gen, or start the server by rpc-gen dev'
  console.warn(`rpc-gen: ${shown(module)} is older than ${shown(newer)}: ${remedy}`)
}

/** Returns the path of the first location in a stack trace: `    at file:///app/src/rpc.gen.ts:40:33`. */
function pathIn(stack: string): string | undefined {
  const location = /^\s*at (?:.*\()?((?:file:\/\/)?[^()]*?)(?:\?[^()]*)?:\d+:\d+\)?$/m.exec(stack)?.[1]
  if (location === undefined) return undefined
  if (!location.startsWith('file://')) return location.replaceAll('\\', '/')
  // On Windows the path has a slash before the drive.
  return decodeURIComponent(new URL(location).pathname).replace(/^\/(?=[A-Za-z]:)/, '')
}
