// Compiles projects with one version of TypeScript, given as JSON. Prints the errors of each as JSON.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [typescript, projects] = JSON.parse(process.argv[2])
const ts = createRequire(import.meta.url)(typescript)
const declarations = new Map()

console.log(JSON.stringify(projects.map(errorsOf)))

function errorsOf({ folder, options = {}, isEmitted = false }) {
  const configHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (error) => {
      throw new Error(textOf(error))
    },
  }
  const given = ts.convertCompilerOptionsFromJson(options, folder)
  if (given.errors.length > 0) throw new Error(given.errors.map(textOf).join('\n'))
  const config = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), given.options, configHost)
  const program = ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
    host: createHost(config.options),
  })
  const files = program.getSourceFiles().filter(isChecked)
  const errors = [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ...program.getGlobalDiagnostics(),
    ...(isEmitted ? program.emit().diagnostics : []),
  ]
  return errors.map(textOf)
}

/** The errors of other packages, which users without skipLibCheck get too, are not ours. */
function isChecked({ fileName }) {
  return !fileName.includes('/node_modules/') || fileName.includes('/node_modules/rpc-gen/')
}

/** A host that parses the declarations of packages once for all projects, as the language server does. */
function createHost(options) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (path, parsing, ...rest) => {
    if (!path.endsWith('.d.ts') || !path.includes('/node_modules/')) return getSourceFile(path, parsing, ...rest)
    const key = JSON.stringify([path, parsing.languageVersion, parsing.impliedNodeFormat, parsing.jsDocParsingMode])
    if (!declarations.has(key)) declarations.set(key, getSourceFile(path, parsing, ...rest))
    return declarations.get(key)
  }
  return host
}

function textOf({ file, start = 0, code, messageText }) {
  const text = `TS${code}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  return file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${text}` : text
}
