#!/usr/bin/env node
import { cacheFolder, holding, keyOf, nameOf, readManifest } from './cache/fresh.js'

const argv = process.argv.slice(2)
const cwd = process.cwd()

if (!(await isDone())) {
  // Node 20 has none. The compiler is half of what a small run costs.
  const loading = process.getBuiltinModule('node:module') as object as { enableCompileCache?(): unknown }
  loading.enableCompileCache?.()
  const { main } = await import('./main.js')
  process.exitCode = await main(argv)
}

/** Says so when the same command has nothing to do; no module but this file's two was loaded then. */
async function isDone(): Promise<boolean> {
  const folder = cacheFolder(cwd)
  const key = keyOf(cwd, argv)
  const manifest = folder === undefined ? undefined : readManifest(folder, key)
  const held = manifest && holding(manifest)
  if (folder === undefined || !held) return false
  const seconds = (performance.now() / 1000).toFixed(2)
  process[held.quiet ? 'stderr' : 'stdout'].write(`${held.line} (unchanged), ${seconds} s\n`)
  if (held !== manifest) (await import('./cache/store.js')).store(folder, `${nameOf(key)}.manifest.json`, held)
  return true
}
