// What one run leaves for the next one: parsed sources, the part of each source with all that it depends on, the model, and printed texts:
//
//   orders.ts has changed, users.ts and all that it imports have not  →  the part of users.ts is reused
import type { TextMemo } from '../../../templates/typescript/memo.js'
import { type Disk, snapshotOf } from '../../disk/disk.js'
import { type Entry, hashOf, type Snapshot } from '../../disk/stamps.js'
import { createMerge, type Merge } from '../../model/merge.js'
import type { Part } from '../../model/part.js'
import type { Documents } from '../../source/program/open-project.js'
import type { FoundProject, OpenProject, ProjectConfig } from '../../source/program/project.js'
import { type Cache, readCached } from './fresh.js'
import { store } from './store.js'

/** What the runs of one target leave for the next one: in memory while watching, else in files of the cache. */
export interface Memory {
  /** The parts of the sources, from the last run without problems. */
  parts: StoredParts | undefined
  readonly documentsOf: DocumentsOf
  readonly merge: Merge
  /** The texts of types and procedures; absent if no later run uses them. */
  readonly memo?: TextMemo
}

/** Returns the parsed sources of a project, which several targets may share. */
type DocumentsOf = (config: ProjectConfig) => Documents

/** Returns the memory of a target that runs once. */
export function createMemory(documentsOf = createDocuments()): Memory {
  return { parts: undefined, documentsOf, merge: createMerge() }
}

/** The memories of a command's targets. */
export interface Memories {
  /** Returns what the next run of a target reuses. The target is `''` if it is the only one. */
  of(target: string): Memory
  /** Stores what the last runs have left. */
  store(cache: Cache): void
}

/** Returns memories with what an earlier process has stored. */
export function createMemories(cache?: Cache): Memories {
  const read = <T>(kind: 'parts' | 'texts') => (cache && readCached<Record<string, T>>(cache, kind)) ?? {}
  const [parts, texts] = [read<StoredParts>('parts'), read<StoredTexts>('texts')]
  const memories = new Map<string, Memory & { readonly memo: StoredMemo }>()
  const documentsOf = createDocuments()
  const hash = createHash()
  return {
    of(target) {
      const last = memories.get(target)
      const memo = createMemo(last?.memo.stored() ?? texts[target], hash)
      const merge = last?.merge ?? createMerge()
      const memory = { parts: last ? last.parts : parts[target], documentsOf, merge, memo }
      memories.set(target, memory)
      return memory
    },
    store(to) {
      const all = [...memories]
      store(to, 'parts', Object.fromEntries(all.map(([target, memory]) => [target, memory.parts])))
      store(to, 'texts', Object.fromEntries(all.map(([target, { memo }]) => [target, memo.stored()])))
    },
  }
}

/** The parts of an earlier run, and what they depend on. */
export interface StoredParts {
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
interface Closure {
  readonly files: readonly string[]
  readonly hash: string
}

/** Returns the closure of files as they are now: their bytes, whether each is a source, and the indexes that apply to `file`. */
function closureOf(files: readonly string[], found: FoundProject, file?: string): Closure {
  const { disk } = found
  const indexes = file === undefined ? [] : found.indexesAbove(file)
  const all = [...new Set([...files, ...indexes])].sort()
  const lines = all.map((each) => {
    disk.read(each)
    return `${each} ${disk.hashOf(each)} ${found.files.has(each)}`
  })
  return { files: [...files], hash: hashOf([...lines, 'indexes', ...indexes].join('\n')) }
}

/** Returns the parts that are still valid. Empty if a common dependency has changed. */
export function validParts(stored: StoredParts | undefined, found: FoundProject): ReadonlyMap<string, Part> {
  const { disk } = found
  if (!stored || stored.settings !== settingsOf(found) || !isResolutionUnchanged(stored.resolution, disk))
    return new Map()
  if (closureOf(stored.ambient.files, found).hash !== stored.ambient.hash) return new Map()
  const isUnchanged = ([file, { files, hash }]: StoredParts['parts'][number]) =>
    found.files.has(file) && closureOf(files, found, file).hash === hash
  return new Map(stored.parts.filter(isUnchanged).map(([file, , part]) => [file, part]))
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
interface Learned extends FoundProject, Pick<OpenProject, 'globals' | 'closureOf'> {
  readonly parts: ReadonlyMap<string, Part>
  /** The files of the program, and the files that each run checks by itself. */
  readonly knownFiles: ReadonlySet<string>
}

/** Combines the parts of this run with the cached parts of sources that were not analysed again. */
export function storedParts(learned: Learned, before: StoredParts | undefined): StoredParts {
  const { globals, parts, disk, knownFiles } = learned
  const old = new Map(before?.parts.map((entry) => [entry[0], entry]))
  return {
    settings: settingsOf(learned),
    globals,
    ambient: closureOf([...new Set(globals.flatMap(learned.closureOf))].sort(), learned),
    resolution: snapshotOf(disk.seen, knownFiles),
    parts: [...parts].map(([file, part]) => {
      const entry = old.get(file)
      return entry && entry[2] === part ? entry : [file, closureOf(learned.closureOf(file), learned, file), part]
    }),
  }
}

/** Everything that a source's part depends on besides files: the options, and those of the tsconfig. */
function settingsOf({ config, options }: FoundProject): string {
  return hashOf(JSON.stringify([compilerSettingsOf(config), options]))
}

/** Returns a function from a tsconfig to its parsed sources, which are reused if no setting has changed since the last call. */
export function createDocuments(): DocumentsOf {
  const projects = new Map<string, { readonly settings: string; readonly documents: Documents }>()
  return (config) => {
    const [path, settings] = [config.path ?? '', compilerSettingsOf(config)]
    const known = projects.get(path)
    if (known?.settings === settings) return known.documents
    const documents: Documents = new Map()
    projects.set(path, { settings, documents })
    return documents
  }
}

/** Everything that the parsed sources of a project depend on besides files. */
function compilerSettingsOf({ compilerOptions, references, path }: ProjectConfig): string {
  // The options contain the parsed tsconfig, which refers to itself.
  const { configFile, ...plain } = compilerOptions
  return hashOf(JSON.stringify([plain, references, path]))
}

/** What a run has printed, by the hashes of the inputs: objects of texts and lists. */
type StoredTexts = Readonly<Record<string, object>>

/** The memo of one run. */
interface StoredMemo extends TextMemo {
  /** What this run has used; what the run before had stored if this one printed nothing. */
  stored(): StoredTexts
}

/** Returns the memo of one run. `hash` remembers the hashes of records: while watching, most are the same objects as before. */
export function createMemo(before: StoredTexts = {}, hash = createHash()): StoredMemo {
  const used: Record<string, object> = {}
  return {
    reuse<T extends object>(key: () => string, make: () => T): T {
      const known = key()
      const value = (before[known] as T | undefined) ?? make()
      used[known] = value
      return value
    },
    hash,
    stored: () => (Object.keys(used).length > 0 ? used : before),
  }
}

/** Returns a function that hashes records, and parts of them, once. */
function createHash(): TextMemo['hash'] {
  const hashes = new WeakMap<object, WeakMap<object, string>>()
  return <T extends object>(record: T, part: (record: T) => object = wholeRecord): string => {
    const known = hashes.get(part) ?? new WeakMap<object, string>()
    hashes.set(part, known)
    const hash = known.get(record)
    if (hash !== undefined) return hash
    const made = hashOf(JSON.stringify(part(record)))
    known.set(record, made)
    return made
  }
}

function wholeRecord<T>(record: T): T {
  return record
}
