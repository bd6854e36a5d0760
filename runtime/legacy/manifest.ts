import { type CompiledFunctions, manifest } from '../call/procedure.js'
import type { Manifest } from '../call/types.js'

const manifests = new WeakSet<Manifest>()

/**
 * Returns the procedures of a build with RPC_METHODS_MODULES, as `manifest` does: `rpcApp` accepts them, even if there are none.
 *
 * @throws TypeError if a function or its auth is undefined, as in an import cycle
 */
export function methodsModulesManifest(
  procedures: CompiledFunctions,
  ...registered: readonly CompiledFunctions[]
): Manifest {
  const made = manifest(procedures, ...registered)
  manifests.add(made)
  return made
}

/** True if RPC_METHODS_MODULES was set when the manifest was generated. */
export function hasMethodsModules(manifest: Manifest): boolean {
  return manifests.has(manifest)
}
