import { ts } from 'ts-morph'
import type { Problems } from '../problems.js'
import type { OpenProject } from './project.js'

/** The types that a generated file exports: whatever else is imported of it is a value. */
const generatedTypes = new Set(['Procedures', 'JsonProcedures', 'JsonParams', 'JsonErrors'])

/**
 * Reports imports of values of the generated file. It imports the sources, so that the two would wait for each other; an
 * import of its types is gone when the program runs.
 */
export function checkImports({ sources, checker, generated }: OpenProject, problems: Problems): void {
  for (const source of sources) {
    for (const statement of source.statements) {
      const specifier = specifierOf(statement)
      if (!specifier || !importsValue(statement)) continue
      if (checker.getSymbolAtLocation(specifier)?.valueDeclaration !== generated) continue
      problems.at(
        specifier,
        'RPC105',
        'a value of the generated file is imported here, and that file imports this one',
        {
          hint: 'import it where the server is made, outside the paths, or import a type only',
        },
      )
    }
  }
}

/** What an import or a re-export names as its module. */
export function specifierOf(statement: ts.Statement): ts.StringLiteral | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined
  const { moduleSpecifier } = statement
  return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier : undefined
}

function importsValue(statement: ts.Statement): boolean {
  if (ts.isExportDeclaration(statement)) return !statement.isTypeOnly && namesValue(statement.exportClause)
  if (!ts.isImportDeclaration(statement)) return false
  const { importClause } = statement
  if (!importClause) return true
  if (importClause.isTypeOnly) return false
  return importClause.name !== undefined || namesValue(importClause.namedBindings)
}

function namesValue(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!names || ts.isNamespaceImport(names) || ts.isNamespaceExport(names)) return true
  const elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] = names.elements
  return elements.some(
    ({ isTypeOnly, propertyName, name }) => !isTypeOnly && !generatedTypes.has((propertyName ?? name).text),
  )
}
