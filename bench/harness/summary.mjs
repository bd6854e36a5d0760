// The tables of docs/performance.md: some rows of bench/RESULTS.md.
import { digits, table } from './table.mjs'

const cell = (value) => (value === undefined ? '–' : digits(value))
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

const servers = ['rpc-gen-node', 'rpc-gen', 'hono', 'fastify', 'jayson', 'json-rpc-2.0', 'orpc', 'trpc']
const serverTitles = {
  'rpc-gen-node': 'rpc-gen on node:http',
  'rpc-gen': 'rpc-gen on Hono',
  orpc: 'oRPC',
  trpc: 'tRPC',
}
const bundles = ['hono alone', 'hono + rpc-gen', 'json-rpc-2.0', 'jayson', '@trpc/server', '@orpc/server', 'fastify']

/** Returns the tables by their marks. */
export function readerTables({ http, xml, generator, size }) {
  return {
    http: tables(http, ({ medians }) => timesHono(medians.ratios.http)),
    xml: tables(xml, ({ medians }) => timesJson(medians.ratios.xml)),
    generator: tables(generator, ({ figures }) => runTable(figures)),
    size: tables(size, ({ figures }) => sizeTable(figures.bundles)),
  }
}

/** The two newest versions of Node that were measured: the current LTS and the newest. */
function tables(runs, tableOf) {
  const shown = Object.values(runs).slice(-2)
  return shown.map((run) => `Node ${run.node}:\n\n${tableOf(run)}\n\n${run.when}`).join('\n\n')
}

function timesHono(ratios) {
  const items = Object.keys(ratios)
  const rows = servers
    .filter((name) => items.some((item) => ratios[item][name] !== undefined))
    .map((name) => [serverTitles[name] ?? name, ...items.map((item) => cell(ratios[item][name]))])
  return table(['server CPU a request, times bare Hono', ...items], rows)
}

function timesJson(ratios) {
  const items = Object.keys(ratios)
  const titles = {
    'rpc-gen': 'rpc-gen',
    'rpc-gen-json': 'rpc-gen, the same over JSON',
    json: 'JSON, nothing checked',
    davexmlrpc: 'davexmlrpc',
    xmlrpc: 'npm xmlrpc',
  }
  const rows = Object.entries(titles).map(([name, title]) => [title, ...items.map((item) => cell(ratios[item][name]))])
  return table(['CPU, times JSON that is not checked', ...items], rows)
}

function runTable(figures) {
  const counts = [100, 1_000, 5_000].filter((count) => count in figures)
  const row = (title, read) => [title, ...counts.map((count) => cell(read(count)))]
  return table(
    ['procedures', ...counts.map((count) => count.toLocaleString('en'))],
    [
      row('cold, times `tsc --noEmit`', (count) => figures[count].cold),
      row('one file edited, times `tsc --noEmit`', (count) => figures[count]['one file edited']),
      row('no change, times `node -e 0`', (count) => figures[count]['no change']),
      row('peak memory of a cold run, MiB', (count) => figures[count].memory),
      row('watching: from an edit to the output, ms', (count) => figures.watch?.[count]),
    ],
  )
}

function sizeTable(figures) {
  const base = figures['hono alone']
  const rows = bundles
    .filter((name) => name in figures)
    .map((name) => [
      name.replace('hono', 'Hono'),
      `${cell(figures[name].now / base.now)} (${kilobytes(figures[name].now)})`,
      cell(figures[name].ms / base.ms),
    ])
  return table(['times Hono alone', 'bundle, minified and gzip', 'CPU to import it'], rows)
}
