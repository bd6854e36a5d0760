// The cost of generated code: bytes, lines, type check and import, compared with tsoa's routes and Prisma's client.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { tsconfig, writeCorpus } from '../generator/corpus.mjs'
import { run as runNode } from '../generator/measure.mjs'
import { writePrismaProject } from '../generator/prisma.mjs'
import { writeReducedCorpus } from '../generator/reduced.mjs'
import { importTimes } from '../harness/import-times.mjs'
import { median } from '../harness/statistics.mjs'
import { digits, spread, table } from '../harness/table.mjs'

const counts = [100, 1_000, 5_000]
const installed = fileURLToPath(new URL('../node_modules', import.meta.url))
const compilers = { 'TypeScript 6': 'typescript-6/bin/tsc', 'TypeScript 7': 'typescript-7/bin/tsc' }

/** The generators, the functions or entities that each generates code for, and how their projects are made. */
const generators = {
  'rpc-gen': { make: makeOurs, generated: 'src/rpc.gen.ts' },
  tsoa: { make: makeTsoa, generated: 'src/routes.ts' },
  'Prisma client': { make: makePrisma, generated: 'src/prisma' },
}

export function measureGenerated({ projects: [{ folder }], rounds, count: imports }) {
  const found = counts.map((count) => {
    const cells = Object.entries(generators).map(([name, { make, generated }]) => {
      const own = join(folder, `generated-${name.replaceAll(/\W/g, '-')}-${count}`)
      make(own, count, folder)
      const size = sizeOf(join(own, generated))
      return [name, { ...size, checks: checkTimes(own, generated, count > 1_000 ? 3 : rounds) }]
    })
    const ours = join(folder, `generated-rpc-gen-${count}`)
    const python = sizeOf(join(ours, 'client.py'))
    return [count, { ...Object.fromEntries(cells), python, import: importOf(ours, Math.min(imports, 9)) }]
  })
  const figures = Object.fromEntries(found)
  return { text: textOf(figures), figures: summaryOf(figures) }
}

function makeOurs(own, count, folder) {
  writeCorpus(own, count)
  link(folder, own, readdirSync(join(folder, 'node_modules')))
  runNode(
    process.execPath,
    [join(own, 'node_modules/rpc-gen/dist/generator/cli.cjs'), 'src/api', '--python-client', 'client.py'],
    own,
  )
  expectAll(count, readFileSync(join(own, 'src/rpc.gen.ts'), 'utf8').match(/: procedure\(/g))
}

function makeTsoa(own, count, folder) {
  writeReducedCorpus(own, count)
  link(folder, own, [])
  runNode(process.execPath, [join(own, 'node_modules/tsoa/dist/cli.js'), 'spec-and-routes'], own)
  expectAll(count, readFileSync(join(own, 'src/routes.ts'), 'utf8').match(/ app\.post\(/g))
}

/** As many entities as the corpus of so many procedures has. */
function makePrisma(own, count) {
  writePrismaProject(own, count / 10, installed)
  const compilerOptions = { ...tsconfig.compilerOptions, types: ['node'] }
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ ...tsconfig, compilerOptions }))
}

/** A project that resolves tsoa, its types and packages of `folder`. */
function link(folder, own, names) {
  mkdirSync(join(own, 'node_modules'))
  for (const name of ['@tsoa', '@types', 'tsoa']) symlink(join(installed, name), join(own, 'node_modules', name))
  for (const name of names) symlink(join(folder, 'node_modules', name), join(own, 'node_modules', name))
}

const symlink = (from, to) => symlinkSync(from, to, 'junction')

function expectAll(count, found) {
  if (found?.length !== count) throw new Error(`expected ${count} procedures, got ${found?.length ?? 0}`)
}

/** The bytes and lines of a file, or of all files in a folder. */
function sizeOf(path) {
  const inFolder = () => readdirSync(path, { recursive: true }).filter((name) => name.endsWith('.ts'))
  const files = /\.(ts|py)$/.test(path) ? [path] : inFolder().map((name) => join(path, name))
  const text = files.map((name) => readFileSync(name, 'utf8')).join('\n')
  return { raw: Buffer.byteLength(text), gzip: gzipSync(text).length, lines: text.split('\n').length }
}

/** Milliseconds of CPU of `tsc --noEmit` without the generated code and with it, by compiler. */
function checkTimes(own, generated, rounds) {
  const config = JSON.parse(readFileSync(join(own, 'tsconfig.json'), 'utf8'))
  writeFileSync(join(own, 'tsconfig.without.json'), JSON.stringify({ ...config, exclude: [generated] }))
  const times = Object.fromEntries(Object.keys(compilers).map((name) => [name, { without: [], with: [] }]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, path] of Object.entries(compilers)) {
      if (!existsSync(join(installed, path))) throw new Error(`${path} is not installed`)
      const check = (project) => runNode(process.execPath, [join(installed, path), '--noEmit', '-p', project], own).cpu
      const one = { without: check('tsconfig.without.json'), with: check('tsconfig.json') }
      // The first round fills the caches of the system.
      if (round > 0) for (const how of ['without', 'with']) times[name][how].push(one[how])
    }
  }
  return times
}

/** Milliseconds of CPU to import the procedures alone, and the generated module with them. */
function importOf(own, rounds) {
  const names = readdirSync(join(own, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'))
  const options = { outbase: join(own, 'src'), outdir: join(own, 'js'), format: 'esm', logLevel: 'error' }
  buildSync({ ...options, entryPoints: names.map((name) => join(own, 'src', name)) })
  const sources = names.filter((name) => name.startsWith('api')).map((name) => `import './${name.slice(0, -3)}.js'\n`)
  writeFileSync(join(own, 'js/sources.js'), `import 'rpc-gen/codegen/v1'\n${sources.join('')}`)
  const modules = { without: join(own, 'js/sources.js'), with: join(own, 'js/rpc.gen.js') }
  const times = importTimes(modules, rounds)
  const failure = [...times.values()].find((each) => each.failure)?.failure
  if (failure) throw new Error(failure)
  return { without: times.get('without').cpu, with: times.get('with').cpu }
}

function textOf(figures) {
  const head = ['', ...counts.map((count) => count.toLocaleString('en'))]
  const rows = (cell) => (name) => [name, ...counts.map((count) => cell(figures[count], name, count))]
  const names = Object.keys(generators)
  const sizeEach = ({ raw, gzip, lines }, units) =>
    `${kilobytes(raw / units)}, ${kilobytes(gzip / units)} gzip, ${(lines / units).toFixed(1)} lines`
  const each = [
    ...names.map(rows((all, name, count) => sizeEach(all[name], name === 'Prisma client' ? count / 10 : count))),
    rows(({ python }, _name, count) => sizeEach(python, count))('rpc-gen, client in Python'),
  ]
  const checks = Object.keys(compilers).flatMap((compiler) =>
    names.map((name) => [
      `${compiler}, ${name}`,
      ...counts.map((count) => {
        const { without, with: whole } = figures[count][name].checks[compiler]
        const ratios = whole.map((time, i) => time / without[i])
        return `${spread(ratios)}, ${digits(median(whole) - median(without))} ms`
      }),
    ]),
  )
  const imports = rows(({ import: times }) => digits(median(times.with) - median(times.without)))
  return [
    `A procedure (rpc-gen, tsoa) or an entity of two models (Prisma ${versionOf('prisma')}), in a project of so many procedures and a tenth as many entities:\n`,
    table(head, each),
    '\n`tsc --noEmit` with the generated code, times without it, and what it adds; CPU. Without, Prisma has an empty project:\n',
    table(head, checks),
    '\nImporting the generated module as JavaScript, beside its sources and the runtime, ms of CPU:\n',
    table(head, [imports('rpc-gen')]),
  ].join('\n')
}

const versionOf = (name) => JSON.parse(readFileSync(join(installed, name, 'package.json'), 'utf8')).version

/** The figures that targets are compared with. */
function summaryOf(figures) {
  const of = (all) => {
    const { raw, lines, checks } = all['rpc-gen']
    const { raw: python } = all.python
    const times = Object.entries(checks).map(([name, each]) => [name, median(each.with) / median(each.without)])
    return { module: { raw, lines }, python, checks: Object.fromEntries(times) }
  }
  return Object.fromEntries(Object.entries(figures).map(([count, all]) => [count, of(all)]))
}

const kilobytes = (count) => `${(count / 1000).toFixed(2)} kB`
