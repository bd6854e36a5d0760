// Whether a value is of its type, beside typia's code for the same types.
import { equal } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { contestAll } from '../harness/contest.mjs'
import { contestTable, table } from '../harness/table.mjs'

export const title = 'Validation'

const names = ['typia', 'rpc-gen-accepts', 'rpc-gen-revive-accepts', 'ajv', 'zod', 'valibot']
const bars = { point: '1.05', order: '1.05', shape: '1.2' }

export async function run(options) {
  const columns = await contestAll({
    adapter: 'validation.mjs',
    contestants: names.map((name) => `validation/${name}.mjs`),
    items: Object.keys(bars),
    check: (answer, item, title) => equal(answer, true, `${title} refuses ${item}`),
    options,
  })
  const sizes = codeSizes(options.projects[0].folder)
  const text = [contestTable('typia', 'µs', columns, bars), '\nThe code of the three checks:\n', sizeTable(sizes)]
  return { text: text.join('\n'), columns: { validation: columns }, sizes }
}

/** The text of the checks in both generated modules, as it stands and minified. What they import counts for neither. */
function codeSizes(folder) {
  const typia = checks(join(folder, 'typia.js'), /^export const is\w+ = [\s\S]*?\}\)\(\);$/gm)
  const ours = checks(
    join(folder, 'procedures.gen.js'),
    /^const is(?:Point|Order|Item|Shape|Circle|Box|Group) = [\s\S]*?;$(?=\n(?:\n|const|function))/gm,
  )
  return { typia, 'rpc-gen': ours }
}

function checks(path, pattern) {
  const text = (readFileSync(path, 'utf8').match(pattern) ?? []).join('\n')
  const { code } = transformSync(text, { minify: true, format: 'esm' })
  return { written: text.length, minified: code.length, gzip: gzipSync(code).length }
}

function sizeTable(sizes) {
  const cells = ({ written, minified, gzip }) => [written, minified, gzip].map((each) => each.toLocaleString('en'))
  return table(
    ['bytes', 'as emitted', 'minified', 'gzip'],
    Object.entries(sizes).map(([name, each]) => [name, ...cells(each)]),
  )
}
