import type { ts } from 'ts-morph'

/** Whether a file is of the platform: the language's own library, or the types of Node. */
export function isPlatformSource(source: ts.SourceFile, program: ts.Program): boolean {
  return program.isSourceFileDefaultLibrary(source) || source.fileName.includes('/node_modules/@types/node/')
}
