import { type FSWatcher, watch as watchFolder } from 'node:fs'
import { dirname } from 'node:path'
import { firstAbsent, type Seen } from './disk.js'

/** Where the system gives no more watchers, or none of this kind, the files are looked at so often, in milliseconds. */
const polling = 500

/** The folders in which something could change what was seen. */
export function foldersOf({ files, present, absent, folders }: Seen): ReadonlySet<string> {
  return new Set([...[...files.keys(), ...present, ...[...absent].map(firstAbsent)].map(dirname), ...folders.keys()])
}

/** Folders that are watched for any change of what is in them. */
export interface Folders {
  /** Watches these, and no others any more. */
  watch(paths: ReadonlySet<string>): void
  close(): void
}

export function createFolders(onChange: () => void): Folders {
  const watchers = new Map<string, FSWatcher>()
  let poll: NodeJS.Timeout | undefined
  const drop = (path: string): void => {
    watchers.get(path)?.close()
    watchers.delete(path)
  }
  const add = (path: string): void => {
    try {
      const watcher = watchFolder(path, onChange)
      watcher.on('error', () => {
        drop(path)
        onChange()
      })
      watchers.set(path, watcher)
    } catch (error) {
      // What is not there is seen to come by the folder above it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') poll ??= setInterval(onChange, polling)
    }
  }
  return {
    watch(paths) {
      for (const path of watchers.keys()) if (!paths.has(path)) drop(path)
      for (const path of paths) if (!watchers.has(path)) add(path)
    },
    close() {
      clearInterval(poll)
      for (const path of [...watchers.keys()]) drop(path)
    },
  }
}
