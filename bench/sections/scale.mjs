// Calls a second of one process and of several: node:cluster over HTTP, and a NATS service.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { load } from '../harness/load.mjs'
import { openProject } from '../harness/open-project.mjs'
import { median } from '../harness/statistics.mjs'
import { digits, table } from '../harness/table.mjs'

export const title = 'Several processes'

const root = fileURLToPath(new URL('..', import.meta.url))
const methods = ['add', 'busy']
const counts = { http: [1, 2, 3, 4], nats: [1, 2, 3] }
const connections = 64
const natsPort = 42_222

export async function run(options) {
  const [project] = options.projects
  const http = await compare(counts.http, options, (count) => measureHttp(project, count, options))
  const nats = await withBroker(() => compare(counts.nats, options, (count) => measureNats(project, count, options)))
  const text = [
    `Calls a second, the median of ${options.rounds} rounds, and times one process. \`busy\` uses the processor for 2 ms. ` +
      `${availableParallelism()} cores, which the client and the NATS server use too:\n`,
    table(['', ...counts.http.map(String)], [...rowsOf('HTTP, node:cluster', http), ...rowsOf('NATS', nats)]),
  ]
  return { text: text.join('\n'), figures: { http, nats } }
}

/** Medians by method, one for each number of processes; undefined if `measure` is not possible here. */
async function compare(processes, { rounds }, measure) {
  const found = Object.fromEntries(methods.map((method) => [method, processes.map(() => [])]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, count] of processes.entries()) {
      const perSecond = await measure(count)
      for (const method of methods) found[method][i].push(perSecond[method])
    }
  }
  return Object.fromEntries(methods.map((method) => [method, found[method].map(median)]))
}

function rowsOf(name, found) {
  if (!found) return [[`${name}: nats-server is not installed`, ...counts.http.map(() => '–')]]
  return methods.map((method) => {
    const cells = found[method].map((each) => `${digits(each)} (${digits(each / found[method][0])})`)
    return [`${name}, ${method}`, ...counts.http.map((_, i) => cells[i] ?? '–')]
  })
}

/** One process of node:cluster is measured without it. */
async function measureHttp({ folder }, count, { seconds }) {
  const args = [join(root, 'contestants/scale/http.mjs'), folder, ...(count > 1 ? [String(count)] : [])]
  const child = fork(join(root, 'harness/server.mjs'), args, { env: { ...process.env, NODE_ENV: 'production' } })
  const [{ port }] = await once(child, 'message')
  const perSecond = await eachMethod(async (method) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method, params: [1, 2], id: 1 })
    const headers = { 'content-type': 'application/json' }
    return (await load({ url: `http://127.0.0.1:${port}/`, headers, body, connections, seconds })).perSecond
  })
  child.disconnect()
  await once(child, 'exit')
  return perSecond
}

async function measureNats({ folder }, count, { seconds }) {
  const env = { ...process.env, NODE_ENV: 'production', NATS_PORT: String(natsPort) }
  const args = [join(root, 'contestants/scale/nats.mjs'), folder]
  const services = Array.from({ length: count }, () => fork(join(root, 'harness/server.mjs'), args, { env }))
  await Promise.all(services.map((each) => once(each, 'message')))
  const { connect } = await import('@nats-io/transport-node')
  const project = openProject(folder)
  const { createClient } = await project.package('client')
  const { nats } = await project.package('client/nats')
  const connection = await connect({ servers: `127.0.0.1:${natsPort}` })
  const client = createClient('nats:bench', { transport: nats(connection) })
  const perSecond = await eachMethod((method) => callsPerSecond(() => client[method](1, 2), seconds))
  await connection.close()
  for (const each of services) each.kill('SIGKILL')
  await Promise.all(services.map((each) => once(each, 'exit')))
  return perSecond
}

async function eachMethod(measure) {
  const found = {}
  for (const method of methods) found[method] = await measure(method)
  return found
}

async function callsPerSecond(call, seconds) {
  const until = performance.now() + seconds * 1000
  let calls = 0
  const repeat = async () => {
    while (performance.now() < until) {
      await call()
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return calls / seconds
}

/** Runs `work` beside a NATS server; undefined if none is installed. */
async function withBroker(work) {
  const broker = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(natsPort)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const started = await Promise.race([once(broker.stderr, 'data'), once(broker, 'error').then(() => undefined)])
  if (!started) return undefined
  try {
    return await work()
  } finally {
    broker.kill('SIGKILL')
  }
}
