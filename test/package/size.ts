import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'

const dist = join(root, 'dist/runtime')

/** Sizes in bytes, minified and compressed with gzip. */
export interface Sizes {
  /** What an import loads at once. */
  readonly first: number
  /** What each of our lazy chunks loads in addition to `first`, by the name of the chunk. */
  readonly later: Readonly<Record<string, number>>
}

/** Returns the size of a user's bundle of a module; `@dist/` in the module is the published runtime. */
export async function sizeOf(module: string): Promise<Sizes> {
  requireBuild()
  const { outputFiles, metafile } = await build({
    stdin: { contents: module.replaceAll('@dist', dist), resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'error',
  })
  const bytes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), gzipSync(contents, { level: 9 }).length]),
  )
  const loadedBy = (path: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(path)) return seen
    seen.add(path)
    for (const { path: next, kind } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') loadedBy(next, seen)
    }
    return seen
  }
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((total, path) => total + (bytes.get(basename(path)) ?? 0), 0)
  const first = loadedBy('out/stdin.js')
  const later: Record<string, number> = {}
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const name = /dist\/runtime\/(\w+)-[\w-]{8}\.js$/.exec(entryPoint ?? '')?.[1]
    if (name) later[name] = sum([...loadedBy(path)].filter((each) => !first.has(each)))
  }
  return { first: sum(first), later }
}
