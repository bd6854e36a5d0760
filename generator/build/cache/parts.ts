import { type Disk, snapshotOf } from '../../disk/disk.js'
import { type Entry, hashOf, type Snapshot } from '../../disk/stamps.js'
import type { Part } from '../../model/part.js'
import type { FoundFiles } from '../../source/program/project.js'

/** The parts of an earlier run, and what they depend on. */
export interface PartsCache {
  /** The hash of the options and of those of the tsconfig. */
  readonly settings: string
  /** The files whose declarations are visible in every other file. */
  readonly globals: readonly string[]
  /** These files and everything that they import, with a hash over all their bytes. */
  readonly ambient: Closure
  /** The files that module resolution depends on: package.json files and the like. */
  readonly resolution: Snapshot
  readonly parts: readonly (readonly [file: string, closure: Closure, part: Part])[]
}

/** Files, and one hash over all of them. */
export interface Closure {
  readonly files: readonly string[]
  readonly hash: string
}

/** Returns the closure of files as they are now: their bytes, whether each is a source, and the indexes that apply to `file`. */
function closureOf(files: readonly string[], disk: Disk, found: FoundFiles, file?: string): Closure {
  const indexes = file === undefined ? [] : found.indexesAbove(file)
  const all = [...new Set([...files, ...indexes])].sort()
  const lines = all.map((each) => {
    disk.read(each)
    return `${each} ${disk.hashOf(each)} ${found.files.has(each)}`
  })
  return { files: [...files], hash: hashOf([...lines, 'indexes', ...indexes].join('\n')) }
}

/** Returns the parts that are still valid. Empty if a common dependency has changed. */
export function validParts(
  cache: PartsCache | undefined,
  settings: string,
  found: FoundFiles,
  disk: Disk,
): ReadonlyMap<string, Part> {
  if (!cache || cache.settings !== settings || !isResolutionUnchanged(cache.resolution, disk)) return new Map()
  if (closureOf(cache.ambient.files, disk, found).hash !== cache.ambient.hash) return new Map()
  const isUnchanged = ([file, { files, hash }]: PartsCache['parts'][number]) =>
    found.files.has(file) && closureOf(files, disk, found, file).hash === hash
  return new Map(cache.parts.filter(isUnchanged).map(([file, , part]) => [file, part]))
}

/** True if every unchanged import resolves to the same file as before. */
function isResolutionUnchanged({ files, absent, links }: Snapshot, disk: Disk): boolean {
  const isSame = ([path, , hash]: Entry) =>
    hash === '' ? disk.isFile(path) : disk.read(path) !== undefined && disk.hashOf(path) === hash
  return (
    absent.every((path) => !disk.isFile(path) && !disk.isFolder(path)) &&
    links.every(([path, target]) => disk.realpath(path) === target) &&
    files.every(isSame)
  )
}

/** What a run has found out, for the next one. */
interface Learned extends FoundFiles {
  readonly settings: string
  readonly globals: readonly string[]
  readonly parts: ReadonlyMap<string, Part>
  readonly disk: Disk
  /** The files of the program, and the files that each run checks by itself. */
  readonly programFiles: ReadonlySet<string>
  closure(file: string): readonly string[]
}

/** Combines the parts of this run with the cached parts of sources that were not analysed again. */
export function partsCache(learned: Learned, before: PartsCache | undefined): PartsCache {
  const { settings, globals, parts, disk, programFiles, closure } = learned
  const old = new Map(before?.parts.map((entry) => [entry[0], entry]))
  return {
    settings,
    globals,
    ambient: closureOf([...new Set(globals.flatMap(closure))].sort(), disk, learned),
    resolution: snapshotOf(disk.seen, programFiles),
    parts: [...parts].map(([file, part]) => {
      const entry = old.get(file)
      return entry && entry[2] === part ? entry : [file, closureOf(closure(file), disk, learned, file), part]
    }),
  }
}
