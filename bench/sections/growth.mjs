// The cost of a call with growing work.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { check } from '../adapters/growth.mjs'
import { contest } from '../harness/contest.mjs'
import { importTimes } from '../harness/import-times.mjs'
import { client, load } from '../harness/load.mjs'
import { generateModule } from '../harness/project.mjs'
import { median, shuffle } from '../harness/statistics.mjs'
import { digits, spread, table } from '../harness/table.mjs'
import { sample, startServer } from './http.mjs'

export const title = 'As work grows'

const counts = [10, 100, 1_000, 5_000]
const batches = [1, 10, 100, 1_000]
const sizes = [1_000, 16_000, 256_000, 4_000_000]
const connections = [1, 4, 16, 64, 256]

export async function run(options) {
  const [project] = options.projects
  for (const count of counts) await generateModule(project.folder, `grown${count}`, grown(count))
  const procedures = await compare('procedures', counts, 'growth/rpc-gen-grown.mjs', options)
  const imports = importTimes(
    {
      runtime: join(project.folder, 'node_modules/rpc-gen/dist/runtime/codegen.js'),
      ...Object.fromEntries(counts.map((count) => [count, join(project.folder, `grown${count}.gen.js`)])),
    },
    options.count,
  )
  const batch = await compare('batch', batches, 'growth/rpc-gen.mjs', options)
  const json = await compare('json', sizes, 'growth/rpc-gen.mjs', options)
  const xml = await compare('xml', sizes, 'growth/rpc-gen.mjs', options)
  const connected = await connect(options)
  const scaling = await scale(options)
  const text = [
    'Procedures in one module (half of them with a struct of their own), one call, text to text:\n',
    procedureTable(procedures, imports),
    '\nBatches of `add`, text to text:\n',
    unitTable('entries', batch, batches, 'µs an entry'),
    '\nPayloads, a list of structs in and out, text to text:\n',
    table(['', ...sizes.map((size) => `${size / 1000} kB`)], [payloadRow('JSON', json), payloadRow('XML', xml)]),
    `\nConnections, \`add\` over HTTP (${client}), the median:\n`,
    connectionTable(connected),
    '\nTwo processes with node:cluster on this machine, the client beside them, requests a second:\n',
    table(['', 'one', 'two', 'factor'], scaling),
  ]
  return { text: text.join('\n'), columns: { procedures: [procedures], batch: [batch], json: [json], xml: [xml] } }
}

/** Half of them accept two integers, half a struct of five members. */
function grown(count) {
  const parts = ["import type { Double, Int } from 'rpc-gen'"]
  for (let i = 0; i < count; i += 1) {
    const second = i % 2 === 0 ? '' : `, more?: Type${i}`
    if (second)
      parts.push(`export interface Type${i} { id: Int; name: string; price: Double; open: boolean; tags: string[] }`)
    parts.push(
      `/** Adds, number ${i}.\n * @rpc */\nexport const procedure${i} = (a: Int, b: Int${second}): Int => a + b`,
    )
  }
  return `${parts.join('\n')}\n`
}

function compare(kind, list, file, options) {
  const contestants = list.map((size) => ({ file, title: `${size}`, item: `${kind} ${size}` }))
  return contest({
    adapter: 'growth.mjs',
    contestants,
    item: kind,
    check,
    options: { ...options, projects: options.projects.slice(0, 1) },
  })
}

function procedureTable({ costs, ratios }, imports) {
  const base = median(imports.get('runtime').cpu)
  return table(
    ['procedures', 'µs a call', 'times 10', 'import, ms of CPU over the runtime'],
    counts.map((count) => {
      const key = `${count}`
      const over = imports.get(key).cpu.map((each) => each - base)
      return [whole(count), digits(median(costs.get(key))), spread(ratios.get(key)), spread(over)]
    }),
  )
}

const whole = (count) => count.toLocaleString('en')

function unitTable(name, { costs }, list, unit) {
  const cost = (size) => median(costs.get(`${size}`))
  return table(
    [name, ...list.map(whole)],
    [
      ['µs', ...list.map((size) => digits(cost(size)))],
      [unit, ...list.map((size) => digits(cost(size) / size))],
    ],
  )
}

function payloadRow(name, { costs }) {
  return [
    name,
    ...sizes.map(
      (size) => `${digits(median(costs.get(`${size}`)))} µs, ${digits(size / median(costs.get(`${size}`)))} MB/s`,
    ),
  ]
}

const entry = (name, { projects: [project] }) => ({ file: `calls/${name}.mjs`, project: project.folder, title: name })

async function connect(options) {
  const servers = [
    await startServer(entry('hono', options), 'add'),
    await startServer(entry('rpc-gen', options), 'add'),
  ]
  await Promise.all(servers.map((server) => sample(server, { connections: 16, seconds: 2 })))
  const rows = []
  for (const count of connections) {
    const samples = new Map(servers.map((server) => [server, []]))
    for (let round = 0; round < options.rounds; round += 1) {
      for (const server of shuffle(servers)) {
        samples.get(server).push(await sample(server, { connections: count, seconds: options.seconds }))
      }
    }
    rows.push({ count, samples: [...samples.values()] })
  }
  for (const { child } of servers) child.disconnect()
  return rows
}

function connectionTable(rows) {
  const of = (samples, key) => digits(median(samples.map((each) => each[key])))
  return table(
    ['connections', 'hono, µs of CPU', 'rpc-gen, times hono', 'hono, a second', 'rpc-gen, a second'],
    rows.map(({ count, samples: [hono, ours] }) => [
      count,
      of(hono, 'cost'),
      spread(ours.map(({ cost }, round) => cost / hono[round].cost)),
      of(hono, 'perSecond'),
      of(ours, 'perSecond'),
    ]),
  )
}

async function scale(options) {
  if (availableParallelism() < 2) return [['there is one core', '', '', '']]
  const rows = []
  for (const item of ['add', '12 members']) {
    const servers = []
    for (const workers of ['1', '2']) servers.push(await startServer(entry('rpc-gen', options), item, [workers]))
    const samples = servers.map(() => [])
    for (let round = -1; round < options.rounds; round += 1) {
      for (const [i, { asked }] of servers.entries()) {
        const { perSecond } = await load({ ...asked, connections: 64, seconds: options.seconds })
        if (round >= 0) samples[i].push(perSecond)
      }
    }
    for (const { child } of servers) child.disconnect()
    const ratios = samples[1].map((each, i) => each / samples[0][i])
    rows.push([item, digits(median(samples[0])), digits(median(samples[1])), spread(ratios)])
  }
  return rows
}
