import { ts } from 'ts-morph'
import { UsageError } from '../../diagnostics/diagnostic.js'
import type { Disk } from '../../disk/disk.js'
import { relativeTo } from '../../paths.js'
import { getLibFiles } from './required.js'

/** Parsed sources, kept from one program of a project to the next: unchanged text is not parsed again. */
export type Documents = Map<string, { readonly version: string; readonly source: ts.SourceFile }>

/** The folder of TypeScript's libraries in ts-morph, where they are texts and not files. */
const libraries = '/node_modules/typescript/lib'

const libraryTexts = new Map(getLibFiles().map(({ fileName, text }) => [`${libraries}/${fileName}`, text]))

/**
 * The compiler's access to the file system, which is recorded, and to the libraries. `out` is an empty module: the output of an older
 * run must not affect the analysis.
 */
export function createHost(
  options: ts.CompilerOptions,
  disk: Disk,
  documents: Documents,
  out: string,
  cwd: string,
): ts.CompilerHost {
  const isLibrary = (path: string) => path.startsWith(`${libraries}/`)
  const read = (path: string): string | undefined => {
    if (path === out) return 'export {}\n'
    return isLibrary(path) ? libraryTexts.get(path) : disk.read(path)
  }
  const sensitive = ts.sys.useCaseSensitiveFileNames
  return {
    getSourceFile(path, how) {
      const text = read(path)
      if (text === undefined) return undefined
      const format = typeof how === 'object' ? how.impliedNodeFormat : undefined
      const version = `${isLibrary(path) ? '' : path === out ? '' : (disk.hashOf(path) ?? text)} ${format}`
      const known = documents.get(path)
      if (known?.version === version) return known.source
      const source = parseSource(path, text, how, cwd)
      documents.set(path, { version, source })
      return source
    },
    // Doc comments are read from the text. The parser only reads those of scripts, which contain types.
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeInfo,
    getDefaultLibFileName: () => `${libraries}/${ts.getDefaultLibFileName(options)}`,
    getDefaultLibLocation: () => libraries,
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (path) => (sensitive ? path : path.toLowerCase()),
    useCaseSensitiveFileNames: () => sensitive,
    getNewLine: () => '\n',
    writeFile: () => {},
    readFile: read,
    fileExists: (path) => path === out || (isLibrary(path) ? libraryTexts.has(path) : disk.isFile(path)),
    directoryExists: (path) => path === libraries || disk.isFolder(path),
    getDirectories: (path) => [...disk.list(path).folders],
    realpath: (path) => (isLibrary(path) || path === out ? path : disk.realpath(path)),
  }
}

/** TypeScript's own matching of globs, which is not in its declarations. */
type MatchFiles = (
  root: string,
  extensions: readonly string[],
  excludes: readonly string[] | undefined,
  includes: readonly string[],
  ...host: [
    useCaseSensitiveFileNames: boolean,
    currentDirectory: string,
    depth: number | undefined,
    entriesOf: (path: string) => { readonly files: readonly string[]; readonly directories: readonly string[] },
    realpath: (path: string) => string,
  ]
) => string[]

/** Access to the file system for parsing a tsconfig. */
export function configHost(disk: Disk): ts.ParseConfigFileHost {
  const { useCaseSensitiveFileNames, getCurrentDirectory } = ts.sys
  const { matchFiles } = ts as unknown as { readonly matchFiles: MatchFiles }
  const entriesOf = (path: string) => {
    const { files, folders } = disk.list(path === '' ? '.' : path)
    return { files, directories: folders }
  }
  return {
    useCaseSensitiveFileNames,
    getCurrentDirectory,
    fileExists: disk.isFile,
    readFile: disk.read,
    // `ts.sys.readDirectory` does not return what it listed.
    readDirectory(root, extensions, excludes, includes, depth) {
      const host = [useCaseSensitiveFileNames, getCurrentDirectory(), depth] as const
      return matchFiles(root, extensions, excludes, includes, ...host, entriesOf, disk.realpath)
    },
    onUnRecoverableConfigFileDiagnostic: () => {},
  }
}

function parseSource(path: string, text: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions, cwd: string) {
  try {
    return ts.createSourceFile(path, text, how)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`${relativeTo(cwd, path)} nests too deeply to be parsed`)
  }
}
