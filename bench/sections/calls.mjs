// One call in process: with light HTTP objects, with undici's, and without HTTP.
import { contest, contestAll } from '../harness/contest.mjs'
import { contestTable } from '../harness/table.mjs'
import { items } from '../work/calls.mjs'
import { columns as errorColumns, expectCode } from '../work/errors.mjs'
import { expectResults } from '../work/expect.mjs'

export const title = 'One call, in process'

const names = ['hono', 'hono-strict', 'rpc-gen', 'json-rpc-2.0', 'hono-zod-validator', 'orpc', 'trpc']
const files = (list) => list.map((name) => `calls/${name}.mjs`)
const bars = { add: '0.85 (0.75)', '12 members': '1.05 (1.00)', 'batch of 100': '0.90' }

export async function run(options) {
  const measure = (adapter, contestants) =>
    contestAll({ adapter, contestants: files(contestants), items: Object.keys(items), check: expectResults, options })
  const light = await measure('light.mjs', names)
  const undici = await measure('undici.mjs', names)
  const strings = await measure('strings.mjs', [
    'limit',
    'json-stringify',
    'rpc-gen',
    'rpc-gen-middleware',
    'rpc-gen-passing',
    'rpc-gen-after-auth',
    'rpc-gen-after-validation',
    'jayson',
  ])
  const errors = []
  for (const column of Object.keys(errorColumns)) errors.push(await measureErrors(column, options))
  const text = [
    'Light Request and Response, about what `@hono/node-server` passes in and takes out:\n',
    contestTable('hono', 'µs', light, bars),
    "\nundici's Request and Response, as Node has them:\n",
    contestTable('hono', 'µs', undici),
    '\nText to text, no HTTP objects. Base: parse, call, concatenate, nothing checked:\n',
    contestTable('limit', 'µs', strings),
    '\nMessages that fail, text to text. Base: the valid call of the same size:\n',
    contestTable('valid', 'µs', errors),
  ]
  return { text: text.join('\n'), columns: { light, undici, strings, errors } }
}

/** What fails in rpc-gen, as contestants of one column. */
function measureErrors(column, { projects, ...options }) {
  const rows = Object.keys(errorColumns[column])
  const contestants = rows.map((row) => ({ file: 'calls/rpc-gen-errors.mjs', title: row, item: `${column}/${row}` }))
  const check = (text, _, row) => expectCode(text, column, row)
  // One package: titles are rows.
  return contest({
    adapter: 'errors.mjs',
    contestants,
    item: column,
    check,
    options: { ...options, projects: projects.slice(0, 1) },
  })
}
