// How many bytes are generated, beside tsoa's: the same entities and functions, for both generators.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { kindsOfModule, kindsOfRoutes } from '../generator/kinds.mjs'
import { run as runNode } from '../generator/measure.mjs'
import { writeReducedCorpus } from '../generator/reduced.mjs'
import { table } from '../harness/table.mjs'

export const title = 'What is generated'

const counts = [100, 1_000, 5_000]
const installed = fileURLToPath(new URL('../node_modules', import.meta.url))

export async function run({ projects: [{ folder }] }) {
  const found = Object.fromEntries(counts.map((count) => [count, generateBoth(folder, count)]))
  const text = [
    sizeTable(found),
    '\nWhat our module consists of, raw:\n',
    kindTable(found, 'module'),
    "\nWhat tsoa's routes file consists of, raw:\n",
    kindTable(found, 'routes'),
  ]
  return { text: text.join('\n'), figures: found }
}

/** The bytes of both for a corpus of so many procedures. */
function generateBoth(folder, count) {
  const own = join(folder, `output-${count}`)
  writeReducedCorpus(own, count)
  link(folder, own)
  runNode(process.execPath, [join(own, 'node_modules/tsoa/dist/cli.js'), 'spec-and-routes'], own)
  runNode(process.execPath, [join(own, 'node_modules/rpc-gen/dist/generator/cli.cjs'), 'src/api'], own)
  const module = readFileSync(join(own, 'src/rpc.gen.ts'), 'utf8')
  const routes = readFileSync(join(own, 'src/routes.ts'), 'utf8')
  expectAll(count, module.match(/: procedure\(/g), 'the module')
  expectAll(count, routes.match(/ app\.post\(/g), "tsoa's routes")
  return {
    module: { ...sizes(module), kinds: kindsOfModule(module) },
    routes: { ...sizes(routes), kinds: kindsOfRoutes(routes) },
    spec: sizes(readFileSync(join(own, 'swagger.json'), 'utf8')),
  }
}

/** A project in which rpc-gen, tsoa and what their modules import can be found. */
function link(folder, own) {
  mkdirSync(join(own, 'node_modules'))
  for (const [from, names] of [
    [installed, ['@tsoa', '@types', 'tsoa']],
    [join(folder, 'node_modules'), readdirSync(join(folder, 'node_modules'))],
  ]) {
    for (const name of names) symlinkSync(join(from, name), join(own, 'node_modules', name), 'junction')
  }
}

function expectAll(count, found, where) {
  if (found?.length !== count) throw new Error(`${where} should have ${count} procedures, not ${found?.length ?? 0}`)
}

const sizes = (text) => ({ raw: Buffer.byteLength(text), gzip: gzipSync(text).length, lines: text.split('\n').length })

function sizeTable(found) {
  const { version } = JSON.parse(readFileSync(join(installed, 'tsoa/package.json'), 'utf8'))
  const row = (name, cell) => [
    name,
    ...counts.flatMap((count) => ['raw', 'gzip'].map((how) => cell(found[count], how, count))),
  ]
  return table(
    ['', ...counts.flatMap((count) => [`${count.toLocaleString('en')} procedures`, 'gzip'])],
    [
      row(`tsoa ${version}, routes file`, ({ routes }, how) => kilobytes(routes[how])),
      row('rpc-gen, generated module', ({ module }, how) => kilobytes(module[how])),
      row("the same, times tsoa's", ({ module, routes }, how) => (module[how] / routes[how]).toFixed(2)),
      row('a procedure of ours, of tsoa', ({ module, routes }, how, count) =>
        [module, routes].map((each) => `${(each[how] / count / 1000).toFixed(2)} kB`).join(', '),
      ),
      row('lines of one', ({ module, routes }, how, count) =>
        how === 'raw' ? [module, routes].map((each) => (each.lines / count).toFixed(1)).join(', ') : '–',
      ),
      row('for orientation: tsoa, swagger.json', ({ spec }, how) => kilobytes(spec[how])),
    ],
  )
}

function kindTable(found, which) {
  const names = Object.keys(found[counts[0]][which].kinds)
  return table(
    ['', ...counts.flatMap((count) => [`${count.toLocaleString('en')} procedures`, 'share'])],
    names.map((name) => [
      name,
      ...counts.flatMap((count) => {
        const { raw, kinds } = found[count][which]
        return [kilobytes(kinds[name]), `${((100 * kinds[name]) / raw).toFixed(1)} %`]
      }),
    ]),
  )
}

const kilobytes = (count) =>
  `${(count / 1000).toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} kB`
