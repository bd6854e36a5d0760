import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Project, ts } from 'ts-morph'
import type { Diagnostic } from '../diagnostic.js'
import { type Options, UsageError } from '../options.js'
import type { FoundFiles } from './files.js'
import type { Problems } from './problems.js'

/** The user's program, read once and never changed. */
export interface OpenProject {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly compilerOptions: ts.CompilerOptions
  /** The sources under the paths, in the order of their names. */
  readonly sources: readonly ts.SourceFile[]
  /** The file names of the modules that the older generation picks up. */
  readonly methodsModules: ReadonlySet<string>
}

/**
 * What the analysis needs whatever the project says. Without strictNullChecks null and undefined vanish from the types;
 * without stableTypeOrdering the order of a union depends on which file was looked at first.
 */
const forced: ts.CompilerOptions = {
  strictNullChecks: true,
  stableTypeOrdering: true,
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
}

/** What a project without a tsconfig gets. */
const withoutConfig: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  allowJs: true,
}

/** Opens the program that holds the files. What is wrong with the tsconfig or the syntax of a file is reported. */
export function openProject({ files, pickedUp }: FoundFiles, options: Options, problems: Problems): OpenProject {
  const config =
    options.project === undefined
      ? findConfig(dirname(files[0] ?? options.cwd))
      : namedConfig(options.project, problems)
  const { compilerOptions, rootNames } = config
    ? readConfig(config, problems)
    : { compilerOptions: withoutConfig, rootNames: [] }
  const project = new Project({
    compilerOptions: { ...compilerOptions, ...forced },
    skipFileDependencyResolution: true,
  })
  for (const file of new Set([...rootNames, ...files])) project.addSourceFileAtPathIfExists(file)
  const program = project.getProgram().compilerObject
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? [])
  for (const source of sources) reportSyntax(program, source, problems)
  return { program, checker: program.getTypeChecker(), compilerOptions, sources, methodsModules: pickedUp }
}

/** As tsc has it, a file or the folder that it lies in. */
function namedConfig(path: string, problems: Problems): string {
  const config = path.endsWith('.json') ? path : join(path, 'tsconfig.json')
  if (existsSync(config)) return config
  throw new UsageError(`there is no tsconfig ${problems.relative(config)}`)
}

function findConfig(folder: string): string | undefined {
  const config = join(folder, 'tsconfig.json')
  if (existsSync(config)) return config
  const above = dirname(folder)
  return above === folder ? undefined : findConfig(above)
}

interface Config {
  readonly compilerOptions: ts.CompilerOptions
  readonly rootNames: readonly string[]
}

function readConfig(path: string, problems: Problems): Config {
  const unrecoverable: ts.Diagnostic[] = []
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (each: ts.Diagnostic) => unrecoverable.push(each) }
  const parsed = ts.getParsedCommandLineOfConfigFile(path, {}, host)
  for (const each of [...unrecoverable, ...syntaxErrors(parsed), ...(parsed?.errors ?? [])]) {
    if (!harmless.has(each.code)) problems.add(configProblem(each, path, problems))
  }
  return { compilerOptions: parsed?.options ?? withoutConfig, rootNames: parsed?.fileNames ?? [] }
}

/** What TypeScript reads over, and leaves to whoever asks the file itself. */
function syntaxErrors(parsed: ts.ParsedCommandLine | undefined): readonly ts.Diagnostic[] {
  const file = parsed?.options['configFile'] as { readonly parseDiagnostics?: readonly ts.Diagnostic[] } | undefined
  return file?.parseDiagnostics ?? []
}

/** No inputs: ours come from the paths. Deprecated or removed options: the analysis still knows them. */
const harmless = new Set([18002, 18003, 5101, 5107])

function configProblem(each: ts.Diagnostic, path: string, problems: Problems): Diagnostic {
  const text = ts.flattenDiagnosticMessageText(each.messageText, ' ')
  const message = `TS${each.code}: ${text.replace(/'([^']*)'/g, (_all, quoted: string) => `'${problems.relative(quoted)}'`)}`
  if (!each.file || each.start === undefined) {
    return { code: 'RPC103', message, position: { file: problems.relative(path), line: 1, column: 1 } }
  }
  return { code: 'RPC103', message, position: problems.positionIn(each.file, each.start) }
}

function reportSyntax(program: ts.Program, source: ts.SourceFile, problems: Problems): void {
  for (const each of program.getSyntacticDiagnostics(source)) {
    const message = ts.flattenDiagnosticMessageText(each.messageText, ' ')
    problems.add({ code: 'RPC104', message, position: problems.positionIn(source, each.start) })
  }
}
