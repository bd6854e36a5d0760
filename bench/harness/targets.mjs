// The targets of the project and what was measured. A target that is not reached is reported, and fails nothing.
import { digits, table } from './table.mjs'

const items = ['add', '12 members', 'batch of 100']
const documents = [
  'add',
  '12 members',
  '10,000 ints',
  '1,000 structs',
  '1,000 of 12 members',
  '1,000 of 12 members, unknown',
]

/**
 * A target: what is measured, its upper limit, how it is found in the results, and `lower`: what is found for code that does
 * nothing but the necessary work, the lower bound.
 */
const most = (what, limit, find, lower) => ({ what, limit, find, lower })

const ratio = (section, name, item, title) => (all) => all[section]?.medians.ratios[name]?.[item]?.[title]
const times = (one, other) => (all) => one(all) / other(all)
const http = (item, title = 'rpc-gen') => ratio('http', 'http', item, title)
const xml = (item, title = 'rpc-gen') => ratio('xml', 'xml', item, title)
const size = (read) => (all) => all.size && read(all.size.figures.bundles)
const run = (count, name) => (all) => all.generator?.figures[count]?.[name]
const watch = (count) => run('watch', count)

const targets = [
  ...items.map((item, i) =>
    most(`${item} over HTTP, Hono, CPU, times bare Hono`, [1.05, 1.05, 0.9][i], http(item), http(item, 'hono-strict')),
  ),
  ...items.map((item, i) =>
    most(
      `${item} over HTTP, node:http, CPU, times bare Hono`,
      [0.8, 0.9, 0.9][i],
      http(item, 'rpc-gen-node'),
      http(item, 'node-http'),
    ),
  ),
  ...items
    .slice(0, 2)
    .map((item) =>
      most(
        `${item} over HTTP, node:http, CPU, times fastify`,
        1,
        times(http(item, 'rpc-gen-node'), http(item, 'fastify')),
        times(http(item, 'node-http'), http(item, 'fastify')),
      ),
    ),
  ...items.flatMap((item) =>
    ['jayson', 'json-rpc-2.0'].map((peer) =>
      most(
        `${item} over HTTP, node:http, CPU, times ${peer}`,
        1,
        times(http(item, 'rpc-gen-node'), http(item, peer)),
        times(http(item, 'node-http'), http(item, peer)),
      ),
    ),
  ),
  most('add in XML-RPC over HTTP, Hono, CPU, times JSON', 1.6, times(http('add', 'rpc-gen-xml'), http('add'))),
  ...documents.map((item, i) => most(`XML-RPC, ${item}, times JSON`, [1.1, 3, 4.5, 3.5, 3.5, 5.5][i], xml(item))),
  most(
    "import as installed over hono's, ms of CPU",
    10,
    size((each) => each['hono + rpc-gen'].installed - each['hono alone'].installed),
  ),
  most('1,000 procedures, no change, times node -e 0', 1.1, run(1_000, 'no change')),
  most('1,000 procedures, cold, times tsc --noEmit', 0.75, run(1_000, 'cold')),
  most('1,000 procedures, one file edited, times tsc --noEmit', 0.35, run(1_000, 'one file edited')),
  most('1,000 procedures, cold, peak memory, MiB', 210, run(1_000, 'memory')),
  most('1,000 procedures, watching, ms from edit to output', 80, watch(1_000)),
  most('5,000 procedures, watching, times 1,000', 1.5, times(watch(5_000), watch(1_000))),
  ...[100, 1_000, 5_000].flatMap((count) => {
    const procedures = `${count.toLocaleString('en')} procedures`
    const figure = (read) => (all) => all.size && read(all.size.figures.generated[count])
    return [
      most(
        `${procedures}, generated, kB each`,
        1.15,
        figure(({ module }) => module.raw / 1000 / count),
      ),
      most(
        `${procedures}, generated, lines each`,
        21,
        figure(({ module }) => module.lines / count),
      ),
      most(
        `${procedures}, client in Python, kB each`,
        1.2,
        figure(({ python }) => python / 1000 / count),
      ),
      most(
        `${procedures}, tsc 6 with the module, times without`,
        2,
        figure(({ checks }) => checks['TypeScript 6']),
      ),
      most(
        `${procedures}, tsc 7 with the module, times without`,
        2,
        figure(({ checks }) => checks['TypeScript 7']),
      ),
    ]
  }),
]

export function targetTable(all) {
  return table(
    ['', 'target', 'measured', 'lower bound', ''],
    targets.map(({ what, limit, find, lower }) => {
      const value = find(all)
      if (!isMeasured(value)) return [what, limit, 'not measured', '', '']
      const bound = lower?.(all)
      const below = isMeasured(bound) ? digits(bound) : ''
      return [what, limit, digits(value), below, value <= limit ? 'reached' : '**not reached**']
    }),
  )
}

const isMeasured = (value) => value !== undefined && !Number.isNaN(value)
