import { join } from 'node:path'
import { root } from './paths.js'
import { requireBuild } from './project.js'
import { mustRun } from './run.js'
import { temporaryFolder } from './temporary-folder.js'

/** The package as npm would publish it. */
export interface Packed {
  readonly tarball: string
  /** The paths of its files. */
  readonly files: readonly string[]
  /** Bytes of the tarball. */
  readonly size: number
}

/** Packs dist/, which has to be built. */
export async function pack(): Promise<Packed> {
  requireBuild()
  const folder = temporaryFolder('tarball')
  const report = await mustRun(root, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder)
  const [{ filename, files, size }] = JSON.parse(report)
  return { tarball: join(folder, filename), files: files.map(({ path }: { path: string }) => path), size }
}
