// The sources that the paths of a run mean, folders and globs among them:
//
//   src/api  →  src/api/orders.ts, src/api/users.ts, but not src/api/users.d.ts
import { type Dirent, readdir } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { type FileSystemAdapter, glob } from 'tinyglobby'
import { type Diagnostic, UsageError } from '../../diagnostics/diagnostic.js'
import type { Disk } from '../../disk/disk.js'
import type { Options } from '../../options/options.js'
import { foldersFrom, relativeTo, slashes } from '../../paths.js'
import { positionAt } from './problems.js'
import type { FoundFiles, OpenProject, ProjectConfig, Run } from './project.js'

const sourceGlob = '**/*.{ts,mts,cts,tsx,js,mjs,cjs,jsx}'
const typeScriptGlob = '**/*.{ts,mts,cts,tsx}'
const ignoredGlobs = [
  '**/*.d.{ts,mts,cts}',
  '**/*.{test,spec}.*',
  '**/__tests__/**',
  '**/*.gen.*',
  '**/node_modules/**',
]

/**
 * Finds the sources that the paths specify. A folder includes everything below it, except tests, declarations and generated
 * files. Throws UsageError for a path that does not exist, and for a folder that cannot be read.
 */
export async function findFiles(run: Run): Promise<FoundFiles> {
  const { options, disk, problems } = run
  const paths = [...options.paths, ...options.methodsModules]
  const found = await Promise.all(paths.map((path) => filesAt(path, options, disk)))
  const files = [...new Set(found.flatMap((each) => each.files))].filter((file) => file !== options.out)
  const hidden = [...new Set(found.flatMap((each) => each.hidden))].filter((file) => !files.includes(file))
  for (const path of paths.filter((_path, i) => found[i]?.files.length === 0)) problems.add(noSource(path, options))
  for (const file of files.filter(hasBackslash)) reportLeftOut(file, withBackslash, run)
  for (const file of files.filter((each) => each.endsWith('.tsx') && disk.isFile(each.slice(0, -1))))
    reportLeftOut(file, besideAnother, run)
  for (const file of hidden) reportLeftOut(file, hiddenSource, run)
  const sources = withoutCompiled(files.filter((file) => !hasBackslash(file)).sort())
  return {
    files: new Set(sources),
    indexesAbove: createIndexes(sources),
    methodsModules: new Set(found.slice(options.paths.length).flatMap((each) => each.files)),
  }
}

/** True for a file whose name has a backslash, which only systems other than Windows allow: globs return forward slashes. */
function hasBackslash(file: string): boolean {
  return file.includes('\\')
}

/** TypeScript reads the path of such a source as that of another file. */
const withBackslash = {
  code: 'RPC113',
  message: 'the generated file cannot import a module with \\ in its path',
  hint: 'rename the file or the folder',
} as const

/** Both would be imported as `orders.js`. */
const besideAnother = {
  code: 'RPC113',
  message: 'the generated file cannot import a .tsx beside a .ts of the same name: both are compiled to one file',
  hint: 'rename one of them',
} as const

/** As TypeScript does, globs leave out hidden names. */
const hiddenSource = {
  code: 'RPC142',
  message: '@rpc has no effect: names of files and folders that begin with a dot are left out',
  hint: 'rename it, or specify it as a path of its own',
} as const

/** Reports a file that is left out at its `@rpc`: its procedures would be left out silently. */
function reportLeftOut(file: string, why: Diagnostic, { options: { cwd }, disk, problems }: Run): void {
  const text = disk.read(file) ?? ''
  const mark = text.indexOf('@rpc')
  if (mark === -1) return
  const shown = hasBackslash(file) ? relative(cwd, file) : problems.relative(file)
  problems.add({ ...why, position: positionAt(text, mark, shown) })
}

/** The sources at a path, and those with hidden names. */
interface FilesAtPath {
  readonly files: readonly string[]
  readonly hidden: readonly string[]
}

async function filesAt(path: string, { cwd }: Options, disk: Disk): Promise<FilesAtPath> {
  const skipped: Skipped = { unreadable: [], unmatched: [], hidden: [] }
  const fs = recordingFileSystem(disk, skipped)
  const found = await sourcesAt(path, cwd, disk, fs)
  // Their procedures would be left out silently.
  for (const folder of skipped.unreadable)
    throw new UsageError(`the folder ${relativeTo(cwd, folder)} cannot be read: check its permissions`)
  for (const each of skipped.unmatched)
    throw new UsageError(`the name of ${relativeTo(cwd, each)} has a line break: rename it`)
  const isBelow = (name: string) => disk.isFolder(path) && name.startsWith(`${path}/`)
  const hidden = await Promise.all(skipped.hidden.filter(isBelow).map((name) => hiddenAt(name, disk)))
  return { files: found, hidden: hidden.flat() }
}

/** Returns the sources at a hidden name. Beside a package.json such folders are those of tools, perhaps with copies of sources. */
async function hiddenAt(name: string, disk: Disk): Promise<string[]> {
  if (!disk.isFolder(name)) return isSource(name) ? [name] : []
  if (disk.isFile(`${dirname(name)}/package.json`)) return []
  const fs = recordingFileSystem(disk, { unreadable: [], unmatched: [], hidden: [] })
  return glob(typeScriptGlob, { cwd: name, absolute: true, ignore: ignoredGlobs, dot: true, fs })
}

/** What a glob does not find. */
interface Skipped {
  /** Folders. */
  readonly unreadable: string[]
  /** Files and folders whose names have a line break, which patterns do not match. */
  readonly unmatched: string[]
  /** Files and folders whose names begin with a dot. */
  readonly hidden: string[]
}

async function sourcesAt(path: string, cwd: string, disk: Disk, fs: FileSystemAdapter): Promise<string[]> {
  if (disk.isFolder(path)) return glob(sourceGlob, { cwd: path, absolute: true, ignore: ignoredGlobs, fs })
  if (disk.isFile(path)) return isSource(path) ? [path] : []
  // The names of the folders above may have brackets.
  const pattern = relativeTo(cwd, path)
  if (/^!(?!\()/.test(pattern))
    throw new UsageError(`${pattern} would exclude files, which a path cannot do: name those to read`)
  if (!/[*?[\]{}]|[@+!]\(/.test(pattern)) throw new UsageError(`${pattern} does not exist`)
  return glob(pattern, { cwd, absolute: true, ignore: ignoredGlobs, fs })
}

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void

/** The file system for the glob. It records the folders that it lists, and what the glob skips. */
function recordingFileSystem(disk: Disk, { unreadable, unmatched, hidden }: Skipped): FileSystemAdapter {
  return {
    readdir: ((path: string, options: { withFileTypes: true }, done: Listed) => {
      const folder = slashes(path).replace(/(?<=.)\/+$/, '')
      disk.list(folder)
      readdir(path, options, (error, entries) => {
        // A file that was deleted meanwhile.
        if (error && error.code !== 'ENOENT' && error.code !== 'ENOTDIR') unreadable.push(folder)
        for (const { name } of entries ?? []) {
          if (/[\n\r\u2028\u2029]/.test(name)) unmatched.push(`${folder}/${name}`)
          else if (name.startsWith('.')) hidden.push(`${folder}/${name}`)
        }
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
    message: `${relativeTo(cwd, path)} contains no TypeScript or JavaScript sources`,
    hint: 'declarations (.d.ts), tests and generated files are ignored',
  }
}

const script = /\.(?:[mc]?js|jsx)$/

/** Leaves out the compiled output of a source: a folder may contain both. */
function withoutCompiled(files: readonly string[]): string[] {
  const all = new Set(files)
  const isCompiled = (file: string) => sourcesOf(file).some((source) => all.has(source))
  return files.filter((file) => !script.test(file) || !isCompiled(file))
}

/** Returns the sources that a script may be compiled from: `a.ts` or `a.tsx` for `a.js`, `a.mts` for `a.mjs`, `a.tsx` for `a.jsx`. */
function sourcesOf(file: string): string[] {
  const stem = file.replace(script, '')
  const [, kind] = /\.([mc])js$/.exec(file) ?? []
  return kind === undefined ? [`${stem}.ts`, `${stem}.tsx`] : [`${stem}.${kind}ts`]
}

/** The names of files whose tags apply to their whole folder. */
export const indexNames = ['ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'].map(
  (extension) => `index.${extension}`,
)

/** Returns the function that finds the indexes above a file among the sources. */
function createIndexes(files: readonly string[]): (file: string) => string[] {
  const byFolder = new Map<string, string[]>()
  for (const file of files.filter((each) => indexNames.includes(basename(each))))
    byFolder.set(dirname(file), [...(byFolder.get(dirname(file)) ?? []), file])
  return (file) => {
    const outerFirst = foldersFrom(dirname(file)).reverse()
    return outerFirst.flatMap((folder) => byFolder.get(folder) ?? [])
  }
}

/** Reports marked scripts if the tsconfig does not allow JavaScript, in which case the program has left them out. */
export function checkScripts(project: OpenProject): void {
  const { program, config, problems } = project
  for (const file of program.getRootFileNames()) {
    if (!script.test(file) || program.getSourceFile(file) || isOutput(file, config)) continue
    const message = `${problems.relative(file)} has @rpc, but the tsconfig does not allow JavaScript`
    const hint = 'set "allowJs" to true, or leave the file out of the paths'
    reportLeftOut(file, { code: 'RPC103', message, hint }, project)
  }
}

/** True if a script is in the output folder of the tsconfig. */
export function isOutput(file: string, { compilerOptions, path }: ProjectConfig): boolean {
  const { outDir } = compilerOptions
  if (outDir === undefined || path === undefined || !script.test(file)) return false
  const [folder, own] = [slashes(outDir), slashes(dirname(path))]
  return folder.startsWith(`${own}/`) && file.startsWith(`${folder}/`)
}
