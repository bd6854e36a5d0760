// The same calls over HTTP on the loopback: a server in a separate process, 64 connections.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entries } from '../harness/contest.mjs'
import { client, load } from '../harness/load.mjs'
import { median, shuffle } from '../harness/statistics.mjs'
import { contestTable, digits, table } from '../harness/table.mjs'
import { items, jsonRpcRequest } from '../work/calls.mjs'
import { expectResults } from '../work/expect.mjs'

export const title = 'Over HTTP'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = [
  'hono',
  'hono-strict',
  'node-http',
  'rpc-gen-node',
  'rpc-gen-h3',
  'rpc-gen-node-middleware',
  'rpc-gen-node-passing',
  'rpc-gen',
  'rpc-gen-xml',
  'fastify',
  'jayson',
  'json-rpc-2.0',
  'h3',
  'hono-zod-validator',
  'orpc',
  'trpc',
]
const bars = { add: '1.05 (node 0.80)', '12 members': '1.05 (node 0.90)', 'batch of 100': '0.90' }

export async function run(options) {
  const columns = []
  for (const item of Object.keys(bars)) columns.push(await measure(item, options))
  const text = [
    `Server CPU a request, ${client} with 64 connections, ${starts} starts with ${Math.floor(options.rounds / starts)} rounds of ${options.seconds} s each:\n`,
    contestTable('hono', 'µs', columns, bars),
    '\nRequests a second, the median:\n',
    throughputTable(columns),
  ]
  return { text: text.join('\n'), columns: { http: columns } }
}

/** How often the servers are started: an engine compiles the same program differently from one start to the next. */
const starts = 3

async function measure(item, options) {
  const costs = new Map()
  const throughput = new Map()
  for (let start = 0; start < starts; start += 1) {
    for (const [title, samples] of await measureOnce(item, options)) {
      const of = (found) => found.get(title) ?? found.set(title, []).get(title)
      for (const { cost, perSecond } of samples) {
        of(costs).push(cost)
        of(throughput).push(perSecond)
      }
    }
  }
  const base = costs.get('hono')
  const ratios = new Map([...costs].map(([title, list]) => [title, list.map((cost, i) => cost / base[i])]))
  return { item, costs, ratios, throughput, failures: new Map() }
}

/** The samples of every server, in the order of the rounds. */
async function measureOnce(item, options) {
  const files = names.map((name) => `calls/${name}.mjs`)
  const servers = []
  for (const entry of entries(files, options)) {
    const server = await startServer(entry, item)
    if (server.message) servers.push(server)
    else server.child.disconnect()
  }
  const samples = new Map(servers.map(({ title }) => [title, []]))
  for (let round = 0; round <= options.rounds / starts; round += 1) {
    for (const server of shuffle(servers)) {
      const one = await sample(server, { connections: 64, seconds: options.seconds })
      // The first round warms up.
      if (round > 0) samples.get(server.title).push(one)
    }
  }
  for (const { child } of servers) child.disconnect()
  return samples
}

/** Starts a server, and checks its response. */
export async function startServer({ file, project, title }, item, workers = [], options = {}) {
  const args = [join(root, 'contestants', file), project, ...workers]
  const env = { ...process.env, NODE_ENV: 'production' }
  const child = fork(join(root, 'harness/server.mjs'), args, { env, ...options })
  const [{ port }] = await once(child, 'message')
  const { request = jsonRpcRequest } = await import(`../contestants/${file}`)
  const message = request(items[item])
  if (!message) return { title, child }
  const url = `http://127.0.0.1:${port}${message.path}`
  const headers = { 'content-type': 'application/json', ...message.headers }
  const response = await fetch(url, { method: 'POST', headers, body: message.body })
  expectResults(await response.text(), item, title.replace(/ \(.*\)$/, ''))
  return { title, child, message: { url, headers, body: message.body } }
}

/** Microseconds of the server's CPU per request, and requests per second. */
export async function sample({ child, message }, { connections, seconds }) {
  const before = await spent(child)
  const { requests, perSecond } = await load({ ...message, connections, seconds })
  return { cost: ((await spent(child)) - before) / requests, perSecond }
}

async function spent(child) {
  child.send('cpu')
  const [reply] = await once(child, 'message')
  return reply.spent
}

function throughputTable(columns) {
  const titles = [...new Set(columns.flatMap(({ throughput }) => [...throughput.keys()]))]
  const cell = (list) => (list ? digits(median(list)) : '–')
  return table(
    ['', ...columns.map(({ item }) => item)],
    titles.map((each) => [each, ...columns.map(({ throughput }) => cell(throughput.get(each)))]),
  )
}
