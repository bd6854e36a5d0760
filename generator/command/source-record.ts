import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSource, recordPath, type SourceRecord } from '../../runtime/source-record.js'
import { storeFile } from '../build/cache/store.js'
import type { Disk } from '../disk/disk.js'
import { hashOf } from '../disk/stamps.js'
import { slashes } from '../paths.js'
import type { Command } from './arguments.js'
import type { BuiltTarget } from './targets.js'

/**
 * Records what each generated module was generated from, for servers in development. The outputs have been written. Without the cache
 * only a record that exists is renewed, because it does not apply any more.
 */
export function recordSources(
  targets: readonly BuiltTarget[],
  disk: Disk,
  { noCache }: Pick<Command, 'noCache'>,
): void {
  for (const target of targets) {
    const module = target.files.find(({ path }) => path === target.options.out)
    const path = module && recordPath(slashes(realpathSync(module.path)))
    if (path && (!noCache || existsSync(path))) storeFile(path, JSON.stringify(recordOf(target, module.text, disk)))
  }
}

function recordOf({ options, parts }: BuiltTarget, module: string, disk: Disk): SourceRecord {
  const sources = parts?.parts.map(([file]) => file) ?? []
  const imported = parts ? [...parts.ambient.files, ...parts.parts.flatMap(([, { files }]) => files)] : []
  const own = [...new Set([...sources, ...imported])].filter(
    (file) => !file.includes('/node_modules/') && disk.hashOf(file),
  )
  const isBelow = (folder: string) => options.paths.some((path) => `${folder}/`.startsWith(`${path}/`))
  const folders = [...new Set(sources.map(dirname))].filter(isBelow)
  return {
    module: hashOf(module),
    files: Object.fromEntries(own.map((file) => [file, disk.hashOf(file) ?? ''])),
    folders: Object.fromEntries(folders.map((folder) => [folder, disk.list(folder).files.filter(isSource)])),
  }
}
