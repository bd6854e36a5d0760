// The tsconfig of the sources, as tsc reads it, and the errors in it:
//
//   src/api/orders.ts  →  tsconfig.json beside package.json, with what it extends
import { dirname, isAbsolute, join } from 'node:path'
import { ts } from 'ts-morph'
import { type Diagnostic, type Position, UsageError } from '../../diagnostics/diagnostic.js'
import type { Disk } from '../../disk/disk.js'
import { foldersFrom } from '../../paths.js'
import type { Problems } from './problems.js'
import type { ProjectConfig, Run } from './project.js'
import { syntaxErrorsIn } from './sources.js'

/** The options of a project without a tsconfig. */
const defaultOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  allowJs: true,
}

/** Reads the tsconfig of the sources: the specified one, or the nearest one above them. */
export function readProjectConfig(firstSource: string | undefined, run: Run): ProjectConfig {
  const { options, disk } = run
  const path =
    options.project === undefined
      ? foldersFrom(dirname(firstSource ?? options.cwd))
          .map(configFileOf)
          .find(disk.isFile)
      : namedConfig(options.project, run)
  return path === undefined
    ? { compilerOptions: defaultOptions, rootNames: [], references: [], path }
    : readConfig(path, run)
}

/** Accepts a file or the folder that contains it, as tsc does. */
function namedConfig(path: string, { disk, problems }: Run): string {
  const config = configFileOf(path)
  if (disk.isFile(config)) return config
  throw new UsageError(`the tsconfig ${problems.relative(config)} does not exist`)
}

/** Returns the tsconfig of a path, which may be its folder. */
export function configFileOf(path: string): string {
  return path.endsWith('.json') ? path : join(path, 'tsconfig.json')
}

function readConfig(path: string, run: Run): ProjectConfig {
  const { disk, problems } = run
  const unrecoverable: ts.Diagnostic[] = []
  const parsed = ts.getParsedCommandLineOfConfigFile(path, {}, configHost(disk, unrecoverable))
  const file = parsed?.options['configFile'] as ts.TsConfigSourceFile | undefined
  const wrong = [
    ...unrecoverable,
    ...(file ? syntaxErrorsIn(file) : []),
    ...(parsed?.errors ?? []),
    ...contradictions(parsed),
  ].filter(({ code }) => !ignoredErrors.has(code))
  for (const each of wrong) problems.add(configProblem(each, path, problems))
  // An error may be why there are no files.
  if (parsed && wrong.length === 0) checkHasFiles(parsed, path, problems)
  if (parsed) checkResolution(parsed.options, path, run)
  return {
    compilerOptions: parsed?.options ?? defaultOptions,
    rootNames: parsed?.fileNames ?? [],
    references: parsed?.projectReferences ?? [],
    path,
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

/** Access to the file system for parsing a tsconfig. What ends the parsing is added to `unrecoverable`. */
function configHost(disk: Disk, unrecoverable: ts.Diagnostic[]): ts.ParseConfigFileHost {
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
    onUnRecoverableConfigFileDiagnostic: (each) => void unrecoverable.push(each),
  }
}

/** Returns contradictions between options, which TypeScript reports for a program; it can be empty. */
function contradictions(parsed: ts.ParsedCommandLine | undefined): readonly ts.Diagnostic[] {
  if (!parsed) return []
  const host = ts.createCompilerHost(parsed.options)
  return ts.createProgram({ rootNames: [], options: parsed.options, host }).getOptionsDiagnostics()
}

/**
 * Errors that are ignored. No inputs: reported in rpc-gen's own words. Deprecated or removed options: the analysis still supports them.
 * Output locations: nothing is emitted here.
 */
const noInputs = new Set([18002, 18003])
const ignoredErrors = new Set([...noInputs, 5101, 5102, 5107, 5108, 5011])

function configProblem(each: ts.Diagnostic, path: string, problems: Problems): Diagnostic {
  const text = ts.flattenDiagnosticMessageText(each.messageText, ' ')
  const shown = (quoted: string) => (isAbsolute(quoted) ? problems.relative(quoted) : quoted)
  const message = `TS${each.code}: ${text.replace(/'([^']*)'/g, (_all, quoted: string) => `'${shown(quoted)}'`)}`
  if (!each.file || each.start === undefined) {
    return { code: 'RPC103', message, position: { file: problems.relative(path), line: 1, column: 1 } }
  }
  return { code: 'RPC103', message, position: problems.positionIn(each.file, each.start) }
}

/** Reports a tsconfig that only references others, which has no options for the sources, and one without files. */
function checkHasFiles(
  { fileNames, projectReferences = [], errors, options }: ts.ParsedCommandLine,
  path: string,
  problems: Problems,
): void {
  if (fileNames.length > 0 || (projectReferences.length === 0 && !errors.some(({ code }) => noInputs.has(code)))) return
  const [first] = projectReferences
  const position = optionPosition(options, first ? 'references' : 'files', path, problems)
  const message = `the tsconfig contains no files${first ? ', it only references other projects' : ''}`
  const hint = first
    ? `name the one that contains the sources: --project ${problems.relative(configFileOf(first.path))}`
    : 'add the sources to "files" or "include"'
  problems.add({ code: 'RPC109', message, position, hint })
}

/** Reports node10 and classic, which do not read the exports of a package, so that the generated module would not compile. */
function checkResolution(options: ts.CompilerOptions, path: string, { disk, problems }: Run): void {
  const resolution = resolutionWithoutExports(options, path, disk)
  if (resolution === undefined) return
  const option = options.moduleResolution === undefined ? 'module' : 'moduleResolution'
  problems.add({
    code: 'RPC106',
    message: `${resolution} does not read the exports of a package, so rpc-gen/codegen/v1 is not found`,
    position: optionPosition(options, option, path, problems),
    hint: 'set "moduleResolution" to "bundler", "node16" or "nodenext"',
  })
}

function resolutionWithoutExports(options: ts.CompilerOptions, path: string, disk: Disk): string | undefined {
  const { module = ts.ModuleKind.CommonJS, moduleResolution } = options
  if (moduleResolution === ts.ModuleResolutionKind.Node10) return 'moduleResolution node10'
  if (moduleResolution === ts.ModuleResolutionKind.Classic) return 'moduleResolution classic'
  // Those of the modules of browsers, such as AMD, have classic.
  if (module !== ts.ModuleKind.CommonJS && module < ts.ModuleKind.ES2015)
    return `module ${ts.ModuleKind[module]} without "moduleResolution"`
  // The user's compiler may have other defaults than the one that analyses: before TypeScript 6 they are node10 and classic.
  if (moduleResolution !== undefined || module >= ts.ModuleKind.Node16) return undefined
  const version = installedTypeScript(dirname(path), disk)
  return version !== undefined && Number.parseInt(version, 10) < 6
    ? `TypeScript ${version} without "moduleResolution"`
    : undefined
}

/** The version of TypeScript that a project has installed; undefined for none. */
function installedTypeScript(folder: string, disk: Disk): string | undefined {
  const path = foldersFrom(folder)
    .map((each) => join(each, 'node_modules/typescript/package.json'))
    .find(disk.isFile)
  return path && (ts.readConfigFile(path, disk.read).config as { readonly version?: string } | undefined)?.version
}

/** Returns the position of an option in a tsconfig; that of its beginning if an extended one sets the option. */
export function optionPosition(options: ts.CompilerOptions, name: string, path: string, problems: Problems): Position {
  const file = options['configFile'] as ts.TsConfigSourceFile | undefined
  const find = (node: ts.Node): ts.Node | undefined =>
    ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name) && node.name.text === name
      ? node
      : ts.forEachChild(node, find)
  const found = file && find(file)
  if (!file || !found) return { file: problems.relative(path), line: 1, column: 1 }
  return problems.positionIn(file, found.getStart(file))
}
