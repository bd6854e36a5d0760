// Makes dist/: a bundle for each entry point of package.json with the chunks that they share, the command, and the types.
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'rolldown'
import { root } from '../run.mjs'
import { licensesOf } from './licenses.mjs'
import { writeTypes } from './types.mjs'

const dist = join(root, 'dist')
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const packages = Object.keys({ ...packageJson.dependencies, ...packageJson.peerDependencies })

/** The sources of the entry points without their extension: `runtime/index`, `runtime/client/index`. */
const entryPoints = entryPointsOf('default')

const common = {
  cwd: root,
  tsconfig: false,
  transform: {
    target: 'es2023',
    jsx: { importSource: 'hono/jsx' },
    // Constructors assign them: without the declarations a bundle has 0.2 kB less.
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
  treeshake: { moduleSideEffects: false },
  // The part of Python clients that is written in Python.
  moduleTypes: /** @type {const} */ ({ '.py': 'text' }),
  onLog: (level, { message }) => {
    if (level === 'warn') throw new Error(message)
  },
}
const output = { comments: { jsdoc: false } }

/** Chunks that entry points share. The first two do not import Hono; the client needs no definitions. */
const runtimeChunks = [
  commonChunk('shared', 3, ['runtime/client/index', 'runtime/client/websocket']),
  commonChunk('definitions', 2, ['runtime/standard-schema']),
  commonChunk('server', 1, ['runtime/codegen', 'runtime/node', 'runtime/websocket/index']),
  // Without a map.
  chunk('fast-xml-parser', 1, (id) => id.includes('node_modules')),
  chunk('assets', 1, (id) => id.endsWith('assets.gen.ts')),
]

/**
 * Chunks that would otherwise be several small ones, each without the modules of those before it. The command loads only the first
 * if there is nothing to do; the last is for the outputs that describe an API.
 */
const generatorChunks = [
  chunk('fresh', 5, (id, graph) => isReached(id, graph, 'generator/build/cache/store')),
  chunk('shared', 4, (id, graph) => isReached(id, graph, 'generator/command/main')),
  chunk('render', 3, (id, graph) => {
    return isReached(id, graph, 'generator/build/render') || isReached(id, graph, 'generator/text')
  }),
  chunk(
    'build',
    2,
    (id, graph) => isReached(id, graph, 'generator/build/build') || isReached(id, graph, 'generator/build/write'),
  ),
  chunk('diff', 1, (id) => /\/generator\/(?:diff\/|command\/diff\b)/.test(id)),
  chunk('documents', 1, (id) => /\/(?:runtime\/description|generator\/build\/json-schema)\b/.test(id)),
]

rmSync(dist, { recursive: true, force: true })
// The generator shares no state with the runtime: as a separate bundle it does not add to the runtime's chunks.
const bundles = build([
  bundle('runtime', 'neutral', [...entryPointsIn('runtime'), ...entryPointsOf('node').map((path) => basename(path))]),
  // The command loads `main` and `store`.
  bundle('generator', 'node', [...entryPointsIn('generator'), 'command/main', 'build/cache/store']),
  command(),
])
writeTypes(dist, entryPoints)
// The maps refer to them. What runs in the browser is in assets.gen.ts.
const isSource = (path) => !/(?:\.json|browser|\.gen\.ts)$/.test(path)
cpSync(join(root, 'runtime'), join(dist, 'src/runtime'), { recursive: true, filter: isSource })
const outputs = (await bundles).flatMap((bundled) => bundled.output)
writeFileSync(
  join(dist, 'LICENSES.txt'),
  licensesOf(outputs.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))),
)
chmodSync(join(dist, 'generator/cli.cjs'), 0o755)

/** The sources that a condition of `exports` leads to; entry points on Node have the types of the default. */
function entryPointsOf(condition) {
  return Object.values(packageJson.exports).flatMap((conditions) => {
    return /^\.\/dist\/(.*)\.js$/.exec(conditions.import?.[condition])?.[1] ?? []
  })
}

/** The entry points of a directory, relative to it. */
function entryPointsIn(folder) {
  return entryPoints.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
}

/** @returns {import('rolldown').BuildOptions} */
function bundle(folder, platform, names) {
  return {
    ...common,
    platform,
    input: Object.fromEntries(
      names.map((name) => [folder === 'generator' ? basename(name) : name, join(root, folder, `${name}.ts`)]),
    ),
    external: packages.map((name) => new RegExp(`^${name}(?:/|$)`)),
    resolve: {
      alias: { 'ts-morph': join(root, 'generator/source/program/required.ts') },
      mainFields: ['module', 'main'],
    },
    output: {
      ...output,
      dir: join(dist, folder),
      format: 'esm',
      chunkFileNames: '[name]-[hash].js',
      codeSplitting: {
        groups: folder === 'runtime' ? runtimeChunks : generatorChunks,
      },
      // The maps of the runtime refer to the sources beside them. Those of the generator would be a quarter of the package.
      sourcemap: folder === 'runtime',
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (source, map) => {
        const path = relative(root, join(dirname(map), source))
        return relative(dirname(map), join(dist, 'src', path)).replaceAll('\\', '/')
      },
    },
  }
}

/**
 * A chunk of the modules that the main entry point shares with one of these. Each further file adds more than half a
 * millisecond to an import.
 */
function commonChunk(name, priority, others) {
  return chunk(name, priority, (id, graph) => {
    return isReached(id, graph, 'runtime/index') && others.some((path) => isReached(id, graph, path))
  })
}

function chunk(name, priority, contains) {
  return { name: (id, graph) => (contains(id, graph) ? name : undefined), debugName: name, priority }
}

/** True if a module imports another one statically, directly or not, or is that module. */
function isReached(id, graph, path) {
  return reachedFrom(join(root, `${path}.ts`), graph).has(id)
}

/** The modules that a module imports statically, directly or not, and itself. */
function reachedFrom(start, graph) {
  const found = new Set([start])
  for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next)
  return found
}

/**
 * One CommonJS file, which Node starts in a tenth less time than a module: a run with nothing to do is hardly more than
 * that start. It imports the rest of the generator when there is something to do.
 *
 * @returns {import('rolldown').BuildOptions}
 */
function command() {
  return {
    ...common,
    platform: 'node',
    input: join(root, 'generator/command/cli.ts'),
    plugins: [{ name: 'lazy', resolveDynamicImport: (id) => ({ id: `./${basename(id)}`, external: 'relative' }) }],
    output: { ...output, file: join(dist, 'generator/cli.cjs'), format: 'cjs' },
  }
}
