import { type Dirent, readdir } from 'node:fs'
import { type FileSystemAdapter, glob } from 'tinyglobby'
import type { Diagnostic } from '../../diagnostic.js'
import type { Disk } from '../../disk.js'
import { type Options, relativeTo, slashes, UsageError } from '../../options.js'
import { withoutTwins } from './scripts.js'

const sources = '**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'
const left = ['**/*.d.{ts,mts,cts}', '**/*.{test,spec}.*', '**/__tests__/**', '**/*.gen.*', '**/node_modules/**']

/** The sources that a run looks at. */
export interface FoundFiles {
  /** Sorted by path. */
  readonly files: readonly string[]
  /** Those of the modules that the older generation picks up. */
  readonly pickedUp: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Finds the sources that the paths name. A folder gives what lies in it; tests, declarations and generated files are
 * left out. Throws UsageError for a path that does not exist, and for a folder that cannot be read.
 */
export async function findFiles(options: Options, disk: Disk): Promise<FoundFiles> {
  const paths = [...options.paths, ...options.methodsModules]
  const found = await Promise.all(paths.map((path) => filesAt(path, options, disk)))
  const files = [...new Set(found.flat())].filter((file) => file !== options.out)
  const empty = paths.filter((_path, i) => found[i]?.length === 0)
  return {
    files: withoutTwins(files.sort()),
    pickedUp: new Set(found.slice(options.paths.length).flat()),
    diagnostics: empty.map((path) => noSource(path, options)),
  }
}

async function filesAt(path: string, { cwd }: Options, disk: Disk): Promise<string[]> {
  const unreadable: string[] = []
  const fs = listing(disk, unreadable)
  const found = await filesOf(path, cwd, disk, fs)
  const [first] = unreadable
  // Procedures in it would be left out in silence.
  if (first !== undefined)
    throw new UsageError(`the folder ${relativeTo(cwd, first)} cannot be read: check its permissions`)
  return found
}

async function filesOf(path: string, cwd: string, disk: Disk, fs: FileSystemAdapter): Promise<string[]> {
  if (disk.isFolder(path) || disk.isFile(path)) {
    if (disk.isFolder(path)) return glob(sources, { cwd: path, absolute: true, ignore: left, fs })
    return isSource(path) ? [path] : []
  }
  if (!/[*?[\]{}]/.test(path)) throw new UsageError(`there is no file or folder ${relativeTo(cwd, path)}`)
  return glob(path, { absolute: true, ignore: left, fs })
}

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void

/** The file system for the glob, which skips what it cannot read; the folders that it looks at are noted, and those. */
function listing(disk: Disk, unreadable: string[]): FileSystemAdapter {
  return {
    readdir: ((path: string, options: { withFileTypes: true }, done: Listed) => {
      const folder = slashes(path).replace(/(?<=.)\/+$/, '')
      disk.list(folder)
      readdir(path, options, (error, entries) => {
        // What was deleted meanwhile is not there to be read.
        if (error && error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push(folder)
        done(error, entries)
      })
    }) as typeof readdir,
  }
}

function isSource(path: string): boolean {
  return /\.([mc]?[jt]s|[jt]sx)$/.test(path) && !/\.d\.[mc]?ts$/.test(path)
}

function noSource(path: string, { cwd }: Options): Diagnostic {
  return {
    code: 'RPC102',
    message: `${relativeTo(cwd, path)} holds no TypeScript or JavaScript source`,
    hint: 'declarations (.d.ts), tests and generated files do not count',
  }
}
