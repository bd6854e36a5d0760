// Loaded before anything is decided: nothing but node built-ins may be imported here.
import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a run was made of, and what it said. While all of it still holds, running again would give the same bytes. */
export interface Manifest {
  readonly format: typeof format
  /** The working directory, the arguments, and where this rpc-gen lies. */
  readonly key: string
  /** When the run began, in milliseconds. */
  readonly at: number
  /** Files that were read or written, and their bytes; without a hash, files that were only found to be there. */
  readonly files: readonly Entry[]
  /** Folders that were listed, and the names in them. */
  readonly folders: readonly Entry[]
  /** What was looked for and was not there. */
  readonly absent: readonly string[]
  /** Paths that lead elsewhere, and where to. */
  readonly links: readonly (readonly [path: string, target: string])[]
  /** What the run wrote: such a name says nothing about a folder. */
  readonly outputs: readonly string[]
  /** `2 procedures in 3 files → src/rpc.gen.ts` */
  readonly line: string
  /** Whether the line goes to stderr, since stdout is for data. */
  readonly quiet: boolean
}

export type Entry = readonly [path: string, stamp: string, hash: string]

/** Of this file's form; another one is not read. */
export const format = 1

/** A change within this time of the one before may leave the times of a file as they were (FAT has two seconds). */
const coarsest = 2000

/** Size, times and identity of a file: another stamp means that its bytes may be others. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
}

/** Whether a stamp that was taken at a time says anything: not where the file had just changed. */
export function isSettled({ mtimeMs, ctimeMs }: Stats, at: number): boolean {
  return Math.max(mtimeMs, ctimeMs) < at - coarsest
}

/** Undefined where nothing is there, or nothing that can be looked at. */
export function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function hashOf(bytes: Uint8Array | string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(bytes).digest('base64')
}

/** The names in a folder that can matter: folders, and files that are sources or configuration. */
export function namesIn(path: string): string[] {
  const names: string[] = []
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const { name } = entry
    const isFile = entry.isFile()
    if (name.startsWith('.') || (isFile ? !/\.(?:[mc]?[jt]sx?|json)$/i.test(name) : name === 'node_modules')) continue
    names.push(isFile ? name : entry.isDirectory() ? `${name}/` : `${name}@`)
  }
  return names.sort()
}

/** Of the names in a folder without those of outputs: whether these are there is not for the folder to say. */
export function hashOfNames(path: string, names: readonly string[], outputs: ReadonlySet<string>): string {
  return hashOf(names.filter((name) => !outputs.has(`${path}/${name}`)).join('\0'))
}

/** The folder of the cache: beside the nearest package.json; without one nothing is cached. */
export function cacheFolder(cwd: string): string | undefined {
  if (statAt(join(cwd, 'package.json'))) return join(cwd, '.rpc-gen')
  const above = dirname(cwd)
  return above === cwd ? undefined : cacheFolder(above)
}

/** A short name for a key: FNV-1a, twice 32 bits. What has the name says its key itself. */
export function nameOf(key: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193]
  for (let i = 0; i < key.length; i += 1) {
    const code = key.charCodeAt(i)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code, 0x5bd1e995)
  }
  return [one, other].map((part) => (part >>> 0).toString(36)).join('')
}

/** What a command is known by: where it is given, what it says, and which rpc-gen it is given to. */
export function keyOf(cwd: string, argv: readonly string[]): string {
  return JSON.stringify([cwd, realpathSync(process.argv[1] ?? ''), ...argv])
}

/** The manifest of the same command in the same folder; undefined where there is none that can be read. */
export function readManifest(folder: string, key: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, `${nameOf(key)}.manifest.json`), 'utf8'))
    return manifest.format === format && manifest.key === key ? manifest : undefined
  } catch {
    return undefined
  }
}

/**
 * The manifest when all of it still holds, with new stamps where bytes were compared; undefined when anything is another.
 * A manifest of another form counts as none.
 */
export function holding(manifest: Manifest): Manifest | undefined {
  const now = Date.now()
  try {
    if (manifest.absent.some((path) => statAt(path) !== undefined)) return undefined
    if (manifest.links.some(([path, target]) => realpathSync(path) !== target)) return undefined
    const outputs = new Set(manifest.outputs)
    const files = renewed(manifest.files, manifest.at, (path) => hashOf(readFileSync(path)))
    const folders = files && renewed(manifest.folders, manifest.at, (path) => hashOfNames(path, namesIn(path), outputs))
    if (!files || !folders) return undefined
    if (files === manifest.files && folders === manifest.folders) return manifest
    return { ...manifest, at: now, files, folders }
  } catch {
    return undefined
  }
}

/** The same list when every stamp says enough; a new one when hashes had to; undefined when one differs. */
function renewed(
  entries: readonly Entry[],
  at: number,
  hashNow: (path: string) => string,
): readonly Entry[] | undefined {
  const doubtful = new Map<number, Entry>()
  for (const [i, [path, stamp, hash]] of entries.entries()) {
    const stats = statAt(path)
    if (!stats) return undefined
    if (hash === '' || (stampOf(stats) === stamp && isSettled(stats, at))) continue
    if (hashNow(path) !== hash) return undefined
    doubtful.set(i, [path, stampOf(stats), hash])
  }
  return doubtful.size === 0 ? entries : entries.map((entry, i) => doubtful.get(i) ?? entry)
}
