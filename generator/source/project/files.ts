import { type Dirent, existsSync, readdir, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileSystemAdapter, glob } from 'tinyglobby'
import type { Diagnostic, Position } from '../../diagnostic.js'
import type { Disk } from '../../disk.js'
import { type Options, relativeTo, slashes, UsageError } from '../../options.js'
import type { Problems } from '../problems.js'
import type { OpenProject } from './project.js'

const sources = '**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'
const left = ['**/*.d.{ts,mts,cts}', '**/*.{test,spec}.*', '**/__tests__/**', '**/*.gen.*', '**/node_modules/**']

/** The sources that a run looks at. */
export interface FoundFiles {
  /** Sorted by path. */
  readonly files: readonly string[]
  /** Those of the modules that the legacy entry points serve. */
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

const script = /\.(?:[mc]?js|jsx)$/

/** Leaves out the compiled output of a source that is there too: a folder may hold both, side by side. */
function withoutTwins(files: readonly string[]): string[] {
  const all = new Set(files)
  const isTwin = (file: string) => sourcesOf(file).some((source) => all.has(source))
  return files.filter((file) => !script.test(file) || !isTwin(file))
}

/** What a script may be compiled from: `a.js` of `a.ts` or `a.tsx`, `a.mjs` of `a.mts`, `a.jsx` of `a.tsx`. */
function sourcesOf(file: string): string[] {
  const stem = file.replace(script, '')
  const [, kind] = /\.([mc])js$/.exec(file) ?? []
  return kind === undefined ? [`${stem}.ts`, `${stem}.tsx`] : [`${stem}.${kind}ts`]
}

/** The project without what its own build wrote. */
export function withoutOutput(project: OpenProject): OpenProject {
  const sources = project.sources.filter(({ fileName }) => !isOutput(fileName, project))
  return sources.length === project.sources.length ? project : { ...project, sources }
}

/** Reports scripts that are marked while the tsconfig takes no JavaScript: the program has left them out. */
export function checkScripts(project: OpenProject, problems: Problems): void {
  const { program } = project
  for (const file of program.getRootFileNames()) {
    if (!script.test(file) || program.getSourceFile(file) || isOutput(file, project) || !existsSync(file)) continue
    const position = markIn(readFileSync(file, 'utf8'), problems.relative(file))
    if (!position) continue
    const message = `${position.file} is marked @rpc, and the tsconfig takes no JavaScript`
    problems.add({
      code: 'RPC103',
      message,
      position,
      hint: 'set "allowJs" to true, or leave the file out of the paths',
    })
  }
}

function markIn(text: string, file: string): Position | undefined {
  const at = text.indexOf('@rpc')
  if (at === -1) return undefined
  const lines = text.slice(0, at).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

/** Whether a script lies in the folder that the tsconfig's own output goes to. */
function isOutput(file: string, { config: { compilerOptions, path } }: OpenProject): boolean {
  const { outDir } = compilerOptions
  if (outDir === undefined || path === undefined || !script.test(file)) return false
  const [folder, own] = [slashes(outDir), slashes(dirname(path))]
  return folder.startsWith(`${own}/`) && file.startsWith(`${folder}/`)
}
