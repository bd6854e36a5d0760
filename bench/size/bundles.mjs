// Bundles (esbuild, minified, gzip) and the time of importing them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { importTimes } from '../harness/import-times.mjs'
import { median, summarise } from '../harness/statistics.mjs'
import { digits, table } from '../harness/table.mjs'

const bench = fileURLToPath(new URL('..', import.meta.url))
const own = {
  'hono alone': "export { Hono } from 'hono'",
  'hono + rpc-gen': "export { Hono } from 'hono'; export { RpcServer } from 'rpc-gen'",
  'hono + rpc-gen + a module of 10 procedures': "export { Hono } from 'hono'; export * from './procedures.gen.js'",
}
const peers = {
  'json-rpc-2.0': "export * from 'json-rpc-2.0'",
  jayson: "export { default } from 'jayson'",
  '@trpc/server': "export * from '@trpc/server'; export * from '@trpc/server/adapters/fetch'",
  '@orpc/server': "export * from '@orpc/server'; export * from '@orpc/server/fetch'",
  fastify: "export { default } from 'fastify'",
  xmlrpc: "export { default } from 'xmlrpc'",
  davexmlrpc: "export { default } from 'davexmlrpc'",
  'fast-xml-parser': "export * from 'fast-xml-parser'",
  saxes: "export * from 'saxes'",
  zod: "export * from 'zod'",
  valibot: "export * from 'valibot'",
  ajv: "export * from 'ajv'",
}

export async function measureBundles({ projects: [{ folder }], count }) {
  const bundles = {}
  for (const [name, text] of Object.entries(own)) bundles[name] = await bundle(folder, folder, name, text)
  for (const [name, text] of Object.entries(peers)) bundles[name] = await bundle(folder, bench, name, text)
  const modules = Object.fromEntries(Object.entries(bundles).map(([name, { file }]) => [name, file]))
  const empty = join(folder, 'empty.js')
  writeFileSync(empty, '')
  const imports = importTimes({ empty, ...modules }, count)
  const installed = importTimes({ empty, ...sources(folder, bundles) }, count)
  const chunk = bundles['hono + rpc-gen'].later
  const text = [
    sizeTable(bundles, imports),
    `\nWhere the bundler makes files of what is needed both now and later, hono + rpc-gen is ${bytes(bundles['hono + rpc-gen'].split)}.`,
    `\nLoaded later, with the first XML request: ${bytes(chunk.codec)} of codec, ${bytes(chunk.parser)} of fast-xml-parser for documents with namespace prefixes other than ex:.`,
    '\nAs they are installed, without a bundle, the median of CPU: ' +
      Object.keys(own)
        .map((name) => `${name} ${digits(over(installed, name))} ms`)
        .join(', ') +
      '.',
  ]
  const figures = Object.fromEntries(
    Object.entries(bundles).map(([name, { now, split, later }]) => [
      name,
      { now, split, later, ms: over(imports, name), installed: name in own ? over(installed, name) : undefined },
    ]),
  )
  return { text: text.join('\n'), figures }
}

const sources = (_folder, bundles) => Object.fromEntries(Object.keys(own).map((name) => [name, bundles[name].entry]))

/**
 * `now` is what an import loads, as one file without later chunks, `later` what XML adds with its first request;
 * bytes of gzip. `split` is the size of `now` if the bundler makes separate files of shared modules.
 */
async function bundle(folder, base, name, contents) {
  const slug = name.replaceAll(/\W+/g, '-')
  const entry = join(folder, `entry-${slug}.js`)
  writeFileSync(entry, contents)
  const outdir = join(folder, 'bundles', slug)
  mkdirSync(outdir, { recursive: true })
  const options = { ...common, stdin: { contents, resolveDir: base, sourcefile: 'entry.js' }, absWorkingDir: folder }
  const file = join(outdir, 'whole.mjs')
  await build({ ...options, outfile: file, plugins: [laterApart] })
  const { metafile } = await build({ ...options, outdir, ...splitting })
  const { outputs } = metafile
  const loaded = reached(
    outputs,
    Object.keys(outputs).find((path) => path.endsWith('entry.mjs')),
  )
  const size = (paths) => paths.reduce((sum, path) => sum + compressed(resolve(folder, path)), 0)
  return { entry, file, now: compressed(file), split: size([...loaded]), later: laterOf(outputs, loaded, size) }
}

const common = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'error',
  // CommonJS packages call require for Node's modules.
  banner: {
    js: 'import{createRequire as benchRequire}from"node:module";const require=benchRequire(import.meta.url);',
  },
}

const splitting = { splitting: true, metafile: true, outExtension: { '.js': '.mjs' }, entryNames: 'entry' }

/** Targets of `import()` are not included. */
const laterApart = {
  name: 'later-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
}

/** The files that an import of one loads. */
function reached(outputs, start) {
  const loaded = new Set([start])
  for (const path of loaded) {
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === 'import-statement' && outputs[next]) loaded.add(next)
  }
  return loaded
}

/** The files that the first XML request loads in addition, in two steps: the codec, and its fallback with that one's packages. */
function laterOf(outputs, loaded, size) {
  const entryOf = (chunk) => Object.keys(outputs).find((path) => chunk.test(outputs[path].entryPoint))
  const codec = entryOf(/\/rpc-gen\/dist\/runtime\/codec-[\w-]{8}\.js$/)
  if (!codec) return {}
  const first = [...reached(outputs, codec)].filter((path) => !loaded.has(path))
  const fallback = [...reached(outputs, entryOf(/\/rpc-gen\/dist\/runtime\/fallback-[\w-]{8}\.js$/))]
  const second = fallback.filter((path) => !loaded.has(path) && !first.includes(path))
  const isParser = (path) => Object.keys(outputs[path].inputs).some((each) => each.includes('/fast-xml-parser-'))
  const own = second.filter((path) => !isParser(path))
  return { codec: size([...first, ...own]), parser: size(second.filter(isParser)) }
}

function compressed(path) {
  return gzipSync(readFileSync(path, 'utf8').replace(/^import\{createRequire as benchRequire\}[^;]*;[^;]*;\s*/, ''))
    .length
}

const bytes = (count) => `${(count / 1000).toFixed(1)} kB`

function over(times, name) {
  const { cpu, failure } = times.get(name)
  return failure ? undefined : median(cpu) - median(times.get('empty').cpu)
}

function sizeTable(bundles, imports) {
  const empty = median(imports.get('empty').cpu)
  return table(
    ['minified, gzip', 'size', 'import of the bundle, ms of CPU'],
    Object.entries(bundles).map(([name, { now }]) => {
      const { cpu, failure } = imports.get(name)
      if (failure) return [name, bytes(now), `cannot be run: ${failure}`]
      const { low, middle, high } = summarise(cpu.map((each) => each - empty))
      return [name, bytes(now), `${digits(middle)} [${digits(low)}..${digits(high)}]`]
    }),
  )
}
