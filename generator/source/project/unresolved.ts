import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ts } from 'ts-morph'
import type { Problems } from '../problems.js'
import { specifierOf } from './imports.js'
import type { OpenProject } from './project.js'
import { type Config, configFileOf, optionPosition } from './tsconfig.js'

/** TypeScript's "cannot find type definition file for …". */
const noTypeDefinition = 2688

/** Reports packages in the tsconfig's `types` that are not installed. */
export function checkTypePackages(program: ts.Program, { compilerOptions, path }: Config, problems: Problems): void {
  if (path === undefined || !compilerOptions.types?.length) return
  for (const each of program.getOptionsDiagnostics()) {
    if (each.code !== noTypeDefinition) continue
    const [, name = ''] = /'(.*?)'/.exec(ts.flattenDiagnosticMessageText(each.messageText, ' ')) ?? []
    problems.add({
      code: 'RPC108',
      message: `the tsconfig lists the types of ${name}, but they are not installed`,
      position: optionPosition(compilerOptions, 'types', path, problems),
      hint: `npm install --save-dev ${typesPackage(name)}`,
    })
  }
}

/**
 * Reports why types are unresolved if an import shows it: it refers to a project that is not built, or to a package without
 * types. Called only if a type is unresolved, because other imports do no harm.
 */
export function explainUnresolved(project: OpenProject, problems: Problems): void {
  const codes = new Set(problems.list.map(({ code }) => code))
  // If exports of packages are not read, that is the reason.
  if (!codes.has('RPC120') || codes.has('RPC106')) return
  const { program, checker } = project
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || program.isSourceFileFromExternalLibrary(source)) continue
    for (const statement of source.statements) {
      const specifier = specifierOf(statement)
      if (specifier && !checker.getSymbolAtLocation(specifier)) explain(specifier, project, problems)
    }
  }
}

function explain(specifier: ts.StringLiteral, { config }: OpenProject, problems: Problems): void {
  const { text } = specifier
  const folder = dirname(specifier.getSourceFile().fileName)
  const reference = config.references.find(({ path }) => refersTo(text, folder, dirname(configFileOf(path))))
  if (reference) {
    const shown = problems.relative(reference.path)
    problems.at(specifier, 'RPC107', `${text} is the project ${shown}, which is not built`, {
      hint: `build it first: tsc --build ${shown}`,
    })
  } else if (isRelative(text)) return
  else if (isInstalled(packageName(text), folder)) {
    problems.at(specifier, 'RPC108', `the package ${packageName(text)} has no types`, {
      hint: `npm install --save-dev ${typesPackage(packageName(text))}`,
    })
  }
}

/** True if an import refers to a project: by the name of its package, or by a path into its folder. */
function refersTo(specifier: string, from: string, folder: string): boolean {
  if (isRelative(specifier)) return `${resolve(from, specifier)}/`.startsWith(`${resolve(folder)}/`)
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return false
  const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
  return name === packageName(specifier)
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true
  const above = dirname(folder)
  return above !== folder && isInstalled(name, above)
}

/** `@scope/name` of `@scope/name/part`. */
function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** `@types/scope__name` of `@scope/name`. */
function typesPackage(name: string): string {
  return name.startsWith('@types/') ? name : `@types/${name.replace(/^@(.*?)\//, '$1__')}`
}
