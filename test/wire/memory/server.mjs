// node --expose-gc server.mjs FOLDER, as a child: serves the wire fixtures' procedures, and reports its memory.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const folder = process.argv[2]
const load = (path) => import(pathToFileURL(join(folder, path)).href)
const { RpcServer } = await load('runtime/index.js')
const { procedures } = await load('fixtures/wire/procedures.gen.js')
const { xmlrpc } = await load('runtime/xmlrpc/codec.js')
const { limitTable } = await load('runtime/call/limits.js')
const { completeOptions } = await load('runtime/option-table.js')

const app = new Hono().route('/rpc', new RpcServer({ procedures, onError: () => {} }).router())
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send({ port }))
const limits = completeOptions({}, 'RpcServer: limits', limitTable)
const kept = []

const queries = {
  /** The bytes in use after garbage collection. */
  async memory() {
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      await wait(10)
      globalThis.gc()
      const { heapUsed, external } = process.memoryUsage()
      least = Math.min(least, heapUsed + external)
    }
    return least
  },
  connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
  /** Reads calls of half a megabyte and stores a short string of each. */
  keep() {
    for (let count = 0; count < 100; count++) {
      const values = [`a string to be kept, number ${count}`, `${count}`.repeat(250_000)]
      const params = values.map((value) => `<param><value><string>${value}</string></value></param>`).join('')
      const text = `<methodCall><methodName>m</methodName><params>${params}</params></methodCall>`
      kept.push(xmlrpc.decode(Buffer.from(text).toString(), limits).entries[0].params[0])
    }
    return kept.length
  },
}

process.on('message', async ({ id, query }) => process.send({ id, result: await queries[query]() }))
process.on('disconnect', () => process.exit())
