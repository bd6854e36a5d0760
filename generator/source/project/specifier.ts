import { ts } from 'ts-morph'
import type { Part } from '../../model/part.js'
import type { ImportExt, Options } from '../../options.js'
import type { Config } from './tsconfig.js'

/** How the generated file writes the import of a module that stands on disk as `./procedures/math.ts`. */
export function createSpecifier(
  { compilerOptions }: Config,
  parts: Iterable<Part>,
  options: Options,
): (module: string) => string {
  const ext = options.importExt ?? inferExt(compilerOptions, [...parts])
  const jsx = ext === 'js' && isJsxCompiled(compilerOptions) ? '.js' : '.jsx'
  return (module) => write(module, ext).replace(/\.jsx$/, jsx)
}

/** Whether `a.jsx` becomes `a.js`; else a bundler reads it where it is. */
function isJsxCompiled({ noEmit, jsx }: ts.CompilerOptions): boolean {
  return !noEmit && jsx !== undefined && jsx !== ts.JsxEmit.Preserve
}

const builtExt: Readonly<Record<string, string>> = { '.ts': '.js', '.tsx': '.js', '.mts': '.mjs', '.cts': '.cjs' }

function write(module: string, ext: ImportExt): string {
  const [, stem = module, own = ''] = /^(.*?)((?:\.d)?\.[mc]?[tj]sx?)$/.exec(module) ?? []
  if (ext === 'ts') return module
  // Only these two endings are ever looked up when the ending is left out.
  if (ext === 'none' && /^\.[tj]sx?$/.test(own)) return stem
  const source = own.replace('.d', '')
  return stem + (builtExt[source] ?? source)
}

/** What the tsconfig demands, else what most of the sources' own relative imports do. */
function inferExt(compilerOptions: ts.CompilerOptions, parts: readonly Part[]): ImportExt {
  if (compilerOptions.allowImportingTsExtensions || compilerOptions.rewriteRelativeImportExtensions) return 'ts'
  if (requiresExt(compilerOptions)) return 'js'
  const relative = parts.reduce((sum, { imports }) => sum + imports.relative, 0)
  const bare = parts.reduce((sum, { imports }) => sum + imports.bare, 0)
  return bare * 2 > relative ? 'none' : 'js'
}

/** How many relative imports a source has, and how many of them have no ending. */
export function countImports(source: ts.SourceFile): Part['imports'] {
  const specifiers = relativeImports(source)
  return {
    relative: specifiers.length,
    bare: specifiers.filter((specifier) => !/\.[mc]?[tj]sx?$/.test(specifier)).length,
  }
}

function requiresExt({ module, moduleResolution }: ts.CompilerOptions): boolean {
  const strict = [ts.ModuleResolutionKind.Node16, ts.ModuleResolutionKind.NodeNext]
  if (moduleResolution !== undefined) return strict.includes(moduleResolution)
  return module === undefined || (module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext)
}

function relativeImports(source: ts.SourceFile): string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier } = statement
    return moduleSpecifier && ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text.startsWith('.')
      ? [moduleSpecifier.text]
      : []
  })
}
