import { ts } from 'ts-morph'
import type { Declared } from '../../model/model.js'
import { exportOf, exportsOf, importOf } from '../program/checker.js'
import { specifierOf } from '../program/imports.js'
import type { OpenProject } from '../program/project.js'
import { isOfPackage } from '../program/sources.js'
import type { Declaration } from './declarations.js'

/**
 * Returns how the generated module imports a symbol that a name in a comment of `source` refers to, in the comments of a declaration;
 * undefined if it cannot. It is never the specifier of another file without a check: `./auth.js` and `#auth` in a package of the workspace
 * mean other modules in the generated file.
 */
export function generatedImportOf(
  symbol: ts.Symbol,
  name: string,
  source: ts.SourceFile,
  declaration: Declaration,
  project: OpenProject,
): Declared | undefined {
  return exportOf(symbol, project) ?? importedName(name, source, project) ?? exportBeside(symbol, declaration, project)
}

/**
 * Returns the specifier by which a source imports a module of a package if the generated module can import it by the same one: `#lib`
 * and a package that is installed elsewhere can be another module there, or none. A relative path into node_modules is never one.
 */
export function packageSpecifier(specifier: string, source: ts.SourceFile, project: OpenProject): string | undefined {
  if (/^[./]/.test(specifier)) return undefined
  const file = project.resolveModule(specifier, source.fileName)
  return file !== undefined && file === project.resolveModule(specifier) ? specifier : undefined
}

/** Returns what the source of the comment imports by the name, from a module of the user or from a package. */
function importedName(name: string, source: ts.SourceFile, project: OpenProject): Declared | undefined {
  const { module: from, name: exported = '' } = importOf(name, source, project) ?? {}
  if (from === undefined) return undefined
  const isExported = typeof from === 'string' || exportsOf(from, project.checker).some(([each]) => each === exported)
  const module = typeof from === 'string' ? packageSpecifier(from, source, project) : project.moduleOf(from)
  return isExported && module !== undefined ? { name: exported, module } : undefined
}

/** Returns an export of the modules through which the generated module gets the function: those of the user, then the package. */
function exportBeside(
  symbol: ts.Symbol,
  { node, module, packageName }: Declaration,
  project: OpenProject,
): Declared | undefined {
  const { checker, program, moduleOf } = project
  const isExternal = (source: ts.SourceFile) => isOfPackage(source, project)
  const nameIn = (source: ts.SourceFile) => exportsOf(source, checker).find(([, each]) => each === symbol)?.[0]
  const inPackage = (specifier: string): Declared | undefined => {
    const file = project.resolveModule(specifier)
    const source = file === undefined ? undefined : program.getSourceFile(file)
    const name = source && nameIn(source)
    return name === undefined ? undefined : { module: specifier, name }
  }
  if (packageName !== undefined) return inPackage(packageName)
  const exporting = new Set(isExternal(module) ? [] : [module])
  // It grows while it is iterated.
  for (const source of exporting) {
    const name = nameIn(source)
    if (name !== undefined) return { module: moduleOf(source), name }
    for (const statement of source.statements) {
      const specifier = specifierOf(statement)
      const imported = specifier && checker.getSymbolAtLocation(specifier)?.valueDeclaration
      if (!imported || !ts.isSourceFile(imported)) continue
      if (!exportsOf(imported, checker).some(([, { declarations }]) => declarations?.includes(node))) continue
      if (!isExternal(imported)) exporting.add(imported)
      else if (packageSpecifier(specifier.text, source, project) !== undefined) {
        const found = inPackage(specifier.text)
        if (found) return found
      }
    }
  }
  return undefined
}
