import { Project, ts } from 'ts-morph'
import type { Options } from '../options.js'
import type { FoundFiles } from './files.js'
import type { Problems } from './problems.js'
import { type Config, readProjectConfig } from './tsconfig.js'
import { checkTypePackages } from './unresolved.js'

/** The user's program, read once and never changed. */
export interface OpenProject {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly config: Config
  /** The sources under the paths, in the order of their names. */
  readonly sources: readonly ts.SourceFile[]
  /** The file names of the modules that the older generation picks up. */
  readonly methodsModules: ReadonlySet<string>
  /** What stands for the generated file: to the analysis it is an empty module, whatever lies on disk. */
  readonly generated: ts.SourceFile | undefined
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

/** Opens the program that holds the files. What is wrong with the tsconfig or the syntax of a file is reported. */
export function openProject({ files, pickedUp }: FoundFiles, options: Options, problems: Problems): OpenProject {
  const config = readProjectConfig(files[0], options, problems)
  const project = new Project({
    compilerOptions: { ...config.compilerOptions, ...forced },
    skipFileDependencyResolution: true,
  })
  // What an older run left there must not change what this one finds.
  project.createSourceFile(options.out, 'export {}\n', { overwrite: true })
  for (const file of new Set([...config.rootNames, ...files])) {
    if (file !== options.out) project.addSourceFileAtPathIfExists(file)
  }
  const program = project.getProgram().compilerObject
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? [])
  for (const source of sources) reportSyntax(program, source, problems)
  checkTypePackages(program, config, problems)
  return {
    program,
    checker: program.getTypeChecker(),
    config,
    sources,
    methodsModules: pickedUp,
    generated: program.getSourceFile(options.out),
  }
}

function reportSyntax(program: ts.Program, source: ts.SourceFile, problems: Problems): void {
  for (const each of program.getSyntacticDiagnostics(source)) {
    const message = ts.flattenDiagnosticMessageText(each.messageText, ' ')
    problems.add({ code: 'RPC104', message, position: problems.positionIn(source, each.start) })
  }
}
