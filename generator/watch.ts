import { type FSWatcher, watch as watchFolder } from 'node:fs'
import { dirname } from 'node:path'
import type { Command } from './arguments.js'
import type { Memory } from './build.js'
import { hashOf, holding, type Manifest } from './cache/fresh.js'
import { readParts } from './cache/parts.js'
import type { Cache } from './cache/store.js'
import { manifestOf, ownFiles } from './cache/write-manifest.js'
import { runOf } from './command.js'
import { createDisk, type Disk, firstAbsent } from './disk.js'
import { say } from './main.js'
import { UsageError } from './options.js'
import { doneLine, report } from './report.js'
import { noDocuments } from './source/host.js'
import { writeFiles } from './write.js'

/** Editors write in several steps: events within this time, in milliseconds, are one. */
const together = 15

/** Where the system gives no more watchers, or none of this kind, the files are looked at so often. */
const polling = 500

/** Runs on every change until the process is told to stop; throws UsageError where the first run does. */
export async function watch(command: Command, cache: Cache | undefined): Promise<0> {
  const own = ownFiles()
  const tool = hashOf(own.map(([path, , hash]) => `${path} ${hash}`).join('\n'))
  const documents = noDocuments()
  let parts = cache && readParts(cache.folder, `${cache.name}.parts.json`)
  let disk = createDisk()
  let manifest: Manifest | undefined

  const run = async (first: boolean): Promise<void> => {
    const since = first ? 0 : performance.now()
    const at = Date.now()
    disk = createDisk(disk.seen)
    const memory: Memory = { disk, documents, parts, tool }
    let outputs: Parameters<typeof manifestOf>[0]['outputs'] = []
    try {
      const built = await runOf(command, memory, cache)
      if (built.diagnostics.length > 0) report(built.diagnostics, command)
      else {
        const changed = writeFiles(built.files)
        outputs = built.files
        parts = built.parts ?? parts
        say(doneLine(built), changed.length === 0, command, since)
      }
    } catch (error) {
      if (first || !(error instanceof UsageError)) throw error
      process.stderr.write(`rpc-gen: ${error.message}\n`)
    }
    manifest = manifestOf({ key: '', at, seen: disk.seen, outputs, line: '', quiet: false, own })
  }

  await run(true)
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let busy = false
    const folders = createFolders(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void settle().catch(fail), together)
    })
    const settle = async (): Promise<void> => {
      if (busy) return
      busy = true
      // What changed while a run was on is seen after it.
      for (let held = isHeld(); !held && !stopped; held = isHeld()) {
        await run(false)
        folders.watch(foldersOf(disk))
      }
      busy = false
    }
    const isHeld = (): boolean => {
      const held = manifest && holding(manifest)
      if (held) manifest = held
      return held !== undefined
    }
    let stopped = false
    const end = (): void => {
      stopped = true
      clearTimeout(timer)
      folders.close()
      process.off('SIGINT', end).off('SIGTERM', end)
      resolve(0)
    }
    const fail = (error: unknown): void => {
      end()
      reject(error)
    }
    process.on('SIGINT', end).on('SIGTERM', end)
    folders.watch(foldersOf(disk))
    settle().catch(fail)
  })
}

/** The folders in which something could change what was seen. */
function foldersOf({ seen }: Disk): ReadonlySet<string> {
  const { files, present, absent, folders } = seen
  return new Set([...[...files.keys(), ...present, ...[...absent].map(firstAbsent)].map(dirname), ...folders.keys()])
}

interface Folders {
  /** Watches these, and no others any more. */
  watch(paths: ReadonlySet<string>): void
  close(): void
}

function createFolders(onChange: () => void): Folders {
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
