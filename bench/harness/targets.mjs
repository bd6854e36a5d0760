// The targets of the project and the measured values. A missed target is reported, but is not an error.
import { digits, table } from './table.mjs'

const items = ['add', '12 members', 'batch of 100']
const documents = ['add', '12 members', '10,000 ints', '1,000 structs']

/**
 * A target: its description, the limit, how to find it in the results, and `lower`: the value for code that does only
 * the necessary work, the lower bound.
 */
const most = (what, limit, find, lower) => ({ what, limit, find, lower, reached: (value) => value <= limit })
const least = (what, limit, find, lower) => ({ what, limit, find, lower, reached: (value) => value >= limit })

const ratio = (section, name, item, title) => (all) => all[section]?.medians.ratios[name]?.[item]?.[title]
const times = (one, other) => (all) => one(all) / other(all)
const http = (item, title = 'rpc-gen') => ratio('http', 'http', item, title)
const xml = (item, title = 'rpc-gen') => ratio('xml', 'xml', item, title)
const valid = (item) => ratio('validation', 'validation', item, 'rpc-gen-read')
const second = (item, title) => (all) => all.http?.medians.throughput.http[item]?.[title]
const faster = (item, title, who = 'rpc-gen') => times(second(item, who), second(item, title))
const written = (item, title = 'rpc-gen-write') => ratio('serialisation', 'serialisation', item, title)
const size = (read) => (all) => all.size && read(all.size.figures)
const run = (count, name) => (all) => all.generator?.figures[count]?.[name]
const watch = (count) => run('watch', count)
/** Requests per second relative to another package, and to bare Hono. */
const ahead = (item, limit, name, title) =>
  least(`${item} over HTTP, requests, times ${name}`, limit, faster(item, title), faster(item, title, 'hono'))

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
  ...items.slice(0, 2).flatMap((item) => [ahead(item, 8, 'tRPC', 'trpc'), ahead(item, 2, 'oRPC', 'orpc')]),
  ahead('batch of 100', 20, 'tRPC', 'trpc'),
  ahead('batch of 100', 20, 'oRPC', 'orpc'),
  ...items.flatMap((item) => [ahead(item, 1, 'json-rpc-2.0', 'json-rpc-2.0'), ahead(item, 1, 'jayson', 'jayson')]),
  ...documents.map((item, i) => most(`XML-RPC, ${item}, times JSON`, [1.3, 4.5, 6.5, 7.5][i], xml(item))),
  ...documents.flatMap((item) => [
    least(`XML-RPC, ${item}: npm xmlrpc, times rpc-gen`, 15, times(xml(item, 'xmlrpc'), xml(item))),
    least(`XML-RPC, ${item}: davexmlrpc, times rpc-gen`, 10, times(xml(item, 'davexmlrpc'), xml(item))),
  ]),
  most('validation, simple, times typia', 1.05, valid('point')),
  most('validation, hierarchical, times typia', 1.05, valid('order')),
  most('validation, recursive union, times typia', 1.2, valid('shape')),
  most("validation, code with its imports, minified, times typia's", 1, (all) => {
    const { 'rpc-gen': ours, typia } = all.validation?.sizes ?? {}
    return ours && ours.minified / typia.minified
  }),
  ...['point', 'order', 'shape'].map((item) =>
    most(`serialisation, ${item}, times JSON.stringify`, 0.75, written(item), written(item, 'by-hand')),
  ),
  most(
    'hono + runtime, JSON only, kB gzip, one file',
    12,
    size((each) => each['hono + rpc-gen'].now / 1000),
    size((each) => each['hono alone'].now / 1000),
  ),
  most(
    'the same, with what the XML codec shares with it in a file of its own',
    12,
    size((each) => each['hono + rpc-gen'].split / 1000),
    size((each) => each['hono alone'].now / 1000),
  ),
  most(
    "import of the one file over hono's, without a module of procedures, ms of CPU",
    5,
    size((each) => each['hono + rpc-gen'].ms - each['hono alone'].ms),
  ),
  most(
    "import as installed over hono's, ms of CPU",
    10,
    size((each) => each['hono + rpc-gen'].installed - each['hono alone'].installed),
  ),
  most(
    'XML codec, kB gzip beside fast-xml-parser and the shared file',
    5,
    size((each) => each['hono + rpc-gen'].later.codec / 1000),
  ),
  most('1,000 procedures, no change, times node -e 0', 1.1, run(1_000, 'no change')),
  most('1,000 procedures, cold, times tsc --noEmit', 0.75, run(1_000, 'cold')),
  most('1,000 procedures, one file edited, times tsc --noEmit', 0.35, run(1_000, 'one file edited')),
  most('1,000 procedures, cold, peak memory, MiB', 210, run(1_000, 'memory')),
  most('1,000 procedures, watching, ms from edit to output', 80, watch(1_000)),
  most('5,000 procedures, watching, times 1,000', 1.5, times(watch(5_000), watch(1_000))),
  ...[100, 1_000, 5_000].map((count) =>
    most(`generated for ${count.toLocaleString('en')} procedures, kB each`, 1.15, (all) => {
      const { module } = all.output?.figures[count] ?? {}
      return module && module.raw / 1000 / count
    }),
  ),
]

export function targetTable(all) {
  return table(
    ['', 'target', 'measured', 'lower bound', ''],
    targets.map(({ what, limit, find, lower, reached }) => {
      const value = find(all)
      if (!isMeasured(value)) return [what, limit, 'not measured', '', '']
      const least = lower?.(all)
      const below = isMeasured(least) ? digits(least) : ''
      return [what, limit, digits(value), below, reached(value) ? 'reached' : '**not reached**']
    }),
  )
}

const isMeasured = (value) => value !== undefined && !Number.isNaN(value)
