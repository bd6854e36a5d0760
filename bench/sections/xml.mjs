// XML-RPC, text to text, compared with the same call as JSON.

import { deepStrictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contestAll } from '../harness/contest.mjs'
import { python } from '../harness/machine.mjs'
import { median } from '../harness/statistics.mjs'
import { contestTable, digits } from '../harness/table.mjs'
import { documents } from '../work/documents.mjs'
import { readXml } from '../work/read-xml.mjs'

export const title = 'XML-RPC'

const names = ['json', 'rpc-gen-codec', 'rpc-gen', 'rpc-gen-json', 'saxes', 'fast-xml-parser', 'davexmlrpc', 'xmlrpc']
const bars = {
  add: '1.1',
  '12 members': '3.0',
  '10,000 ints': '4.5',
  '1,000 structs': '3.5',
  '1,000 of 12 members': '3.5',
  '1,000 of 12 members, unknown': '5.5',
}

export async function run(options) {
  const columns = await contestAll({
    adapter: 'documents.mjs',
    contestants: names.map((name) => `xml/${name}.mjs`),
    items: Object.keys(documents),
    check,
    options,
  })
  const rows = contestTable('json', 'µs', columns, bars)
  return { text: `${rows}\n${pythonRow(columns)}`, columns: { xml: columns } }
}

function check(result, item, title) {
  const value = result.startsWith('{') ? JSON.parse(result).result : readXml(result).params[0]
  deepStrictEqual(value, documents[item].result, `${title}: wrong response to ${item}`)
}

/** Python is not a child of the rounds: it is run after them, five times for each item. */
function pythonRow(columns) {
  const cells = columns.map(({ item, costs }) => {
    const cost = python && measurePython(item)
    return cost ? `${digits(cost / median(costs.get('json')))} (${digits(cost)} µs)` : 'cannot be run'
  })
  return `| ${[`${python ?? 'Python'}, not interleaved`, ...cells].join(' | ')} |`
}

function measurePython(item) {
  const file = join(tmpdir(), `rpc-gen-bench-${process.pid}.xml`)
  writeFileSync(file, documents[item].xml)
  const script = fileURLToPath(new URL('../contestants/xml/python.py', import.meta.url))
  const { stdout, status } = spawnSync('python3', [script, file, '5', '0.2'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  rmSync(file)
  if (status !== 0) return undefined
  const [result, ...costs] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  check(result, item, python)
  return median(costs)
}
