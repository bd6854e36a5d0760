import { join, relative } from 'node:path'
import ts from 'typescript'
import { root } from './paths.js'

/** The files that no test changes. */
const unchanging = ['node_modules', 'dist', 'runtime', 'generator'].map((name) =>
  `${join(root, name)}/`.replaceAll('\\', '/'),
)
const parsed = new Map<string, ts.SourceFile | undefined>()

/** A host that parses the declarations of packages, and the sources of this one, once for all programs of a worker. */
export function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, parsing, ...rest) => {
    if (!unchanging.some((folder) => path.startsWith(folder))) return getSourceFile(path, parsing, ...rest)
    const { languageVersion, impliedNodeFormat, jsDocParsingMode } =
      typeof parsing === 'object' ? parsing : { languageVersion: parsing }
    const key = JSON.stringify([path, languageVersion, impliedNodeFormat, jsDocParsingMode, options.strict])
    if (!parsed.has(key)) parsed.set(key, getSourceFile(path, parsing, ...rest))
    return parsed.get(key)
  }
  return host
}

/**
 * Compiles the project in a folder and writes its outputs, as tsc does. Returns the errors in the project and in rpc-gen, as tsc prints
 * them; errors in the declarations of other packages are not ours.
 */
export function compile(folder: string): string[] {
  const errors: ts.Diagnostic[] = []
  const config = ts.getParsedCommandLineOfConfigFile(
    join(folder, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (error) => errors.push(error) },
  )
  if (config) {
    const { options, fileNames: rootNames, errors: configFileParsingDiagnostics } = config
    const program = ts.createProgram({ rootNames, options, configFileParsingDiagnostics, host: createHost(options) })
    const files = program.getSourceFiles().filter(isChecked)
    errors.push(
      ...program.getConfigFileParsingDiagnostics(),
      ...program.getOptionsDiagnostics(),
      ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
      ...program.getGlobalDiagnostics(),
      ...program.emit().diagnostics,
    )
  }
  return errors.map((error) => textOf(error, folder))
}

function isChecked({ fileName }: ts.SourceFile): boolean {
  return !fileName.includes('/node_modules/') || fileName.includes('/node_modules/rpc-gen/')
}

/** Returns the line that tsc prints in a folder: `file(line,column): error TS1: text`. */
export function textOf({ file, start = 0, code, messageText }: ts.Diagnostic, folder: string): string {
  const text = `error TS${code}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  if (!file) return text
  const { line, character } = file.getLineAndCharacterOfPosition(start)
  return `${relative(folder, file.fileName)}(${line + 1},${character + 1}): ${text}`
}
