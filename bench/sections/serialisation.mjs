// A result to the text of its response, compared with JSON.stringify.
import { deepStrictEqual } from 'node:assert'
import { contestAll } from '../harness/contest.mjs'
import { contestTable } from '../harness/table.mjs'
import { values } from '../work/values.mjs'

export const title = 'Serialisation'

const names = ['json-stringify', 'rpc-gen-write', 'rpc-gen-check-write', 'typia', 'fast-json-stringify', 'by-hand']

export async function run(options) {
  const columns = await contestAll({
    adapter: 'serialisation.mjs',
    contestants: names.map((name) => `serialisation/${name}.mjs`),
    items: ['point', 'order', 'shape'],
    check: (answer, item, title) =>
      deepStrictEqual(JSON.parse(answer).result, values[item], `${title} writes ${item} wrongly`),
    options,
  })
  const bars = { point: '0.75', order: '0.75', shape: '0.75' }
  return { text: contestTable('json-stringify', 'µs', columns, bars), columns: { serialisation: columns } }
}
