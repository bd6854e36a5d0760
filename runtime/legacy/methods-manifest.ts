import { type AnyTypes, byName } from '../call/procedure.js'
import type { Manifest, Procedure } from '../call/types.js'

const mark = Symbol('rpc-gen.RPC_METHODS_MODULES')

/** Like `manifest`, for a build with RPC_METHODS_MODULES: `rpcApp` accepts it, also if it has no procedures. */
export function methodsManifest<Name extends string>(...procedures: readonly Procedure[]): AnyTypes<Name> {
  return Object.freeze(Object.defineProperty(byName(procedures), mark, { value: true })) as AnyTypes<Name>
}

/** True if RPC_METHODS_MODULES was set when the manifest was generated. */
export function hasMethodsModules(manifest: Manifest): boolean {
  return mark in manifest
}
