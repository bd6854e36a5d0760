import type { Generated, GenerateOptions } from 'rpc-gen/generator'
import { build } from '../../generator/build/build.js'
import { createMemory } from '../../generator/build/cache/memory.js'
import { createDisk } from '../../generator/disk/disk.js'
import { buildOptionsOf, completeOptions } from '../../generator/options/options.js'
import type { Documents } from '../../generator/source/program/open-project.js'
import type { ProjectConfig } from '../../generator/source/program/project.js'

/** `generate` of the package, which parses the declarations of TypeScript and of packages once for all projects of a test file. */
export async function generate(options: GenerateOptions): Promise<Generated> {
  const disk = createDisk()
  return build(completeOptions(buildOptionsOf(options), disk), disk, createMemory(documentsOf))
}

const known = new Map<string, Documents>()

/** The projects of tests have separate folders: everything else that a parser depends on is in the other options. */
function documentsOf({ compilerOptions }: ProjectConfig): Documents {
  const { configFile, configFilePath, paths, pathsBasePath, baseUrl, typeRoots, ...parsing } = compilerOptions
  const key = JSON.stringify(parsing)
  const documents = known.get(key) ?? new Map()
  known.set(key, documents)
  return documents
}
