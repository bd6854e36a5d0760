import { join } from 'node:path'
import { mustRun } from './run.js'

/** A folder with a tsconfig.json. */
export interface Project {
  readonly folder: string
  /** Compiler options beside those of the tsconfig, in its format. */
  readonly options?: object
  /** True if the outputs are written. Default: false. */
  readonly isEmitted?: boolean
}

const program = join(import.meta.dirname, 'compile-projects.mjs')

/**
 * Compiles projects with the TypeScript in a folder, in one process. Returns the errors of each: those of its own files
 * and of rpc-gen.
 */
export async function compileProjects(
  typescript: string,
  projects: readonly Project[],
): Promise<readonly (readonly string[])[]> {
  return JSON.parse(await mustRun('.', process.execPath, program, JSON.stringify([typescript, projects])))
}
