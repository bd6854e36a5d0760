import { manifest } from '../call/procedures.js'
import type { Manifest } from '../call/types.js'

const mark = Symbol('rpc-gen.RPC_METHODS_MODULES')

/** Like `manifest`, for a build with RPC_METHODS_MODULES: `rpcApp` accepts it, also if it has no procedures. */
export function methodsManifest(...functions: Parameters<typeof manifest>): Manifest {
  return Object.freeze(Object.defineProperty({ ...manifest(...functions) }, mark, { value: true })) as Manifest
}

/** True if RPC_METHODS_MODULES was set when the manifest was generated. */
export function hasMethodsModules(manifest: Manifest): boolean {
  return mark in manifest
}
