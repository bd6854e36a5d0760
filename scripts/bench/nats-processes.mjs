// node scripts/bench/nats-processes.mjs [rounds]: calls per second of a NATS service with one, two and three processes, of a procedure that uses the
// processor for 2 ms. It needs nats-server, dist/ and the packages of test/nats/package.json, which its tests install.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createClient } from '../../dist/runtime/client/index.js'
import { nats } from '../../dist/runtime/client/nats.js'
import { RpcServer } from '../../dist/runtime/index.js'
import { serveNats } from '../../dist/runtime/nats/index.js'

const { connect } = createRequire(new URL('../../test/nats/package.json', import.meta.url))('@nats-io/transport-node')
const port = 42_222
const counts = [1, 2, 3]
const seconds = 2
const inFlight = 32

function burn(ms) {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}

async function serve() {
  const server = new RpcServer()
  server.registerProcedure(burn, { name: 'burn', unchecked: true })
  await serveNats(server, await connect({ servers: `127.0.0.1:${port}` }), { name: 'bench', version: '1.0.0' })
  process.send?.('ready')
}

/** Calls per second of a service with a number of processes. */
async function measure(count) {
  const processes = Array.from({ length: count }, () => fork(fileURLToPath(import.meta.url), ['service']))
  await Promise.all(processes.map((each) => once(each, 'message')))
  const connection = await connect({ servers: `127.0.0.1:${port}` })
  /** @type {any} */
  const client = createClient('nats:bench', { transport: nats(connection) })
  const until = performance.now() + seconds * 1000
  let calls = 0
  const call = async () => {
    while (performance.now() < until) {
      await client.burn(2)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, call))
  await connection.close()
  for (const each of processes) each.kill('SIGKILL')
  await Promise.all(processes.map((each) => once(each, 'close')))
  return calls / seconds
}

async function compare(rounds) {
  const broker = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(broker.stderr, 'data')
  /** @type {number[][]} */
  const found = counts.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, count] of counts.entries()) found[i].push(await measure(count))
  }
  broker.kill('SIGKILL')
  const medians = found.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)])
  console.log(`${availableParallelism()} cores, ${rounds} rounds; calls a second, and beside one process`)
  for (const [i, count] of counts.entries()) {
    console.log(`${count}: ${Math.round(medians[i])}, ${(medians[i] / medians[0]).toFixed(2)}`)
  }
}

if (process.argv[2] === 'service') await serve()
else await compare(Number(process.argv[2] ?? 5))
