import { dirname, resolve } from 'node:path'
import type { ts } from 'ts-morph'
import type { Disk } from '../../disk.js'
import { slashes } from '../../options.js'

/** Members of a program that TypeScript does not declare. */
interface KnownImports {
  readonly imports?: readonly ts.StringLiteralLike[]
  readonly moduleAugmentations?: readonly ts.Node[]
  readonly externalModuleIndicator?: unknown
}

interface KnownResolutions {
  getResolvedModuleFromModuleSpecifier(
    specifier: ts.StringLiteralLike,
    source: ts.SourceFile,
  ): { readonly resolvedModule?: { readonly resolvedFileName: string } } | undefined
}

/** Returns a function from a file to all files that its types can depend on: itself and its imports, transitively. */
export function createClosures(program: ts.Program): (file: string) => readonly string[] {
  const direct = new Map<string, readonly string[]>()
  const directOf = (file: string): readonly string[] => {
    const source = program.getSourceFile(file)
    const known = direct.get(file) ?? (source ? importedBy(source, program) : [])
    direct.set(file, known)
    return known
  }
  return (file) => {
    const found = new Set([file])
    for (const each of found) for (const other of directOf(each)) found.add(other)
    return [...found].sort()
  }
}

function importedBy(source: ts.SourceFile, program: ts.Program): string[] {
  const { getResolvedModuleFromModuleSpecifier: resolved } = program as unknown as KnownResolutions
  const { imports = [] } = source as KnownImports
  const modules = imports.flatMap((specifier) => resolved(specifier, source)?.resolvedModule?.resolvedFileName ?? [])
  const named = source.referencedFiles.map(({ fileName }) => slashes(resolve(dirname(source.fileName), fileName)))
  return [...modules, ...named].filter((file) => program.getSourceFile(file))
}

/** Returns the files whose declarations are visible without an import: scripts, and modules that augment others. */
export function globalFiles(program: ts.Program): string[] {
  return program
    .getSourceFiles()
    .filter((source) => isGlobal(source) && !program.isSourceFileDefaultLibrary(source))
    .map(({ fileName }) => fileName)
    .sort()
}

function isGlobal(source: ts.SourceFile): boolean {
  const { externalModuleIndicator, moduleAugmentations = [] } = source as KnownImports
  return !externalModuleIndicator || moduleAugmentations.length > 0
}

/**
 * Returns the files of a tsconfig that can change types without being imported: declarations, scripts, and
 * modules that augment others. The other files of a project are read, but not compiled.
 */
export function ambientFiles(files: readonly string[], disk: Disk): string[] {
  return files.filter((file) => isAmbient(file, disk.read(file))).sort()
}

function isAmbient(file: string, text: string | undefined): boolean {
  if (text === undefined) return false
  if (/\.d\.[^/]*$/.test(file)) return true
  return !/^\s*(?:import|export)\b/m.test(text) || /\bdeclare\s+(?:module|global)\b/.test(text)
}
