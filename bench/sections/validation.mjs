// Whether a value is of its type, compared with typia's code for the same types.
import { equal, ok } from 'node:assert'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { contestAll } from '../harness/contest.mjs'
import { contestTable, table } from '../harness/table.mjs'

export const title = 'Validation'

const names = ['typia', 'rpc-gen-read', 'typia-clone', 'ajv', 'zod', 'valibot']
/** Those that report all issues; rpc-gen ends at twenty, the others find forty. */
const explaining = ['typia', 'rpc-gen-read', 'ajv', 'zod', 'valibot']
const bars = { point: '1.05', order: '1.05', shape: '1.2' }

export async function run(options) {
  const columns = await contestAll({
    adapter: 'validation.mjs',
    contestants: names.map((name) => `validation/${name}.mjs`),
    items: Object.keys(bars),
    check: (result, item, title) => equal(result, true, `${title} rejects ${item}`),
    options,
  })
  const issues = await contestAll({
    adapter: 'issues.mjs',
    contestants: explaining.map((name) => `validation/${name}.mjs`),
    items: ['one issue', 'forty issues'],
    check: (found, item, title) => ok(item === 'one issue' ? found === 1 : found >= 20, `${title}: ${found}, ${item}`),
    options,
  })
  const sizes = await codeSizes(options.projects[0].folder)
  const text = [
    contestTable('typia', 'µs', columns, bars),
    '\nAn invalid order, and what is wrong with it; rpc-gen ends at twenty issues:\n',
    contestTable('typia', 'µs', issues),
    '\nThe code of the three checks:\n',
    sizeTable(sizes),
  ]
  return { text: text.join('\n'), columns: { validation: columns, issues }, sizes }
}

/** The text of the checks in both generated modules, unchanged, and as a bundle with their imports. */
async function codeSizes(folder) {
  const typia = join(folder, 'typia.js')
  const ours = join(folder, 'procedures.gen.js')
  return {
    typia: await checks(typia, /^export const (is\w+) = [\s\S]*?\}\)\(\);$/gm),
    'rpc-gen': await checks(
      ours,
      /^(?:function (?:point|order|item|circle|box|group)\((?:[^\n]*\}|[\s\S]*?\n\})|const (?:order|item|shape)\w* = [^;]*;)$/gm,
      'export { order, point, shape }',
    ),
  }
}

async function checks(path, pattern, exported = 'export { isOrder, isPoint, isShape }') {
  const module = readFileSync(path, 'utf8')
  const written = (module.match(pattern) ?? []).map((each) => each.replace('export ', '')).join('\n')
  const imports = module.match(/^import (?:\*|\{)[^;]*? from ['"][^'"]*(?:rpc-gen|typia)[^'"]*['"];?$/gm) ?? []
  const contents = [...imports, written, exported].join('\n').replaceAll('file://', '')
  const options = { bundle: true, minify: true, format: 'esm', write: false }
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: dirname(path) } })
  const [{ contents: code }] = outputFiles
  return { written: written.length, minified: code.length, gzip: gzipSync(code).length }
}

function sizeTable(sizes) {
  const cells = ({ written, minified, gzip }) => [written, minified, gzip].map((each) => each.toLocaleString('en'))
  return table(
    ['bytes', 'as emitted', 'bundled with what they import, minified', 'gzip'],
    Object.entries(sizes).map(([name, each]) => [name, ...cells(each)]),
  )
}
