import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pool, postgresStore } from '../../../fixtures/tenants/postgres.js'
import { useStore } from '../../../fixtures/tenants/store.js'
import { missingPython, python } from '../../python/python.js'
import { generate } from '../../support/generate.js'
import { install } from '../../support/install.js'
import { type Listening, serveApp } from '../../support/listen.js'
import { root } from '../../support/paths.js'
import { runJsonClient } from '../../support/run-client.js'
import { missingCommand, skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { type Application, applicationOf, keys, members, testApplication } from '../../tenants/cases.js'
import { type Cluster, missingPostgres, startCluster } from '../../tenants/cluster.js'

// The application of fixtures/tenants on Postgres, and what clients of other languages see of it.

const folder = join(root, 'fixtures/tenants')
const here = join(root, 'test/tenants')
const at = (name: string) => join(here, name)
const noPg = missingPostgres ?? (await install(here))
const noMcp = noPg ?? (await install(join(root, 'test/mcp')))

/** What is used of `pg`, which is not a dependency of the project. */
interface Pg {
  readonly Pool: new (
    options: object,
  ) => Pool & { end(): Promise<void>; on(event: 'error', listener: () => void): void }
}

describe.skipIf(skipped('fixtures/tenants on Postgres', noPg))('on Postgres', () => {
  let cluster: Cluster
  let pool: InstanceType<Pg['Pool']>
  let application: Application
  let served: Listening

  beforeAll(async () => {
    cluster = await startCluster()
    const { Pool }: Pg = createRequire(at('x.js'))('pg')
    const { port, password } = cluster
    const connection = { host: '127.0.0.1', port, password, database: 'postgres' }
    const owner = new Pool({ ...connection, user: 'owner', max: 1 })
    await owner.query(readFileSync(join(folder, 'schema.sql'), 'utf8'))
    await owner.query(`alter role app password '${password}'`)
    for (const [key, { name, tenant, roles }] of Object.entries(members)) {
      await owner.query('insert into tenants values ($1) on conflict do nothing', [tenant])
      await owner.query('insert into api_keys values (sha256($1), $2, $3, $4)', [Buffer.from(key), name, tenant, roles])
    }
    await owner.end()
    pool = new Pool({ ...connection, user: 'app', max: 4 })
    // Of idle connections, when the server ends.
    pool.on('error', () => {})
    useStore(postgresStore(pool))
    application = applicationOf(() => cluster.count('begin'))
    served = await serveApp(application.app)
  })

  afterAll(async () => {
    served?.close()
    await pool?.end()
    await cluster?.stop()
  })

  testApplication(() => application)

  test('a batch with a wrong key makes one query, and none without a key', async () => {
    const batch = Array.from({ length: 1000 }, (_, id) => ({ jsonrpc: '2.0', method: 'invoices.list', id }))
    const send = (headers: Record<string, string>) =>
      fetch(served.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(batch),
      })
    const before = cluster.count('')
    await send({})
    expect(cluster.count('')).toBe(before)
    await send({ 'X-Api-Key': 'wrong' })
    expect(cluster.count('')).toBe(before + 1)
  })

  test('the policy of the table applies to every statement of the application', async () => {
    expect((await pool.query('select * from invoices')).rows).toEqual([])
    const store = postgresStore(pool)
    const rows = await store.transaction('Nobody', true, (ledger) => ledger.list())
    expect(rows).toEqual([])
    const write = store.transaction('Acme', true, (ledger) => ledger.insert('read only', 1))
    await expect(write).rejects.toThrow('read-only transaction')
  })

  test.skipIf(skipped("fixtures/tenants: Python's ServerProxy", missingPython))("Python's ServerProxy", async () => {
    expect(JSON.parse(await python([at('stock.py'), served.url, keys.clerk]))).toEqual({
      anonymous: ['1.0', -32098],
      own: [{ number: expect.any(Number), customer: 'Stock', cents: 700, paid: false }],
      'rolled back': 4040,
      paid: [false],
      role: -32099,
      multicall: ['1.0', -32099],
    })
  })

  test.skipIf(skipped('fixtures/tenants: the client in Python', missingPython))('the client in Python', async () => {
    const made = temporaryFolder('tenants')
    const pythonClient = join(made, 'tenants_client.py')
    const { files } = await generate({ cwd: folder, paths: ['procedures'], out: 'rpc.gen.ts', pythonClient })
    writeFileSync(pythonClient, files.find(({ path }) => path.endsWith('.py'))?.text ?? '')
    const output = await python([at('generated.py'), served.url, keys.clerk], '', { PYTHONPATH: made })
    expect(JSON.parse(output)).toEqual({
      anonymous: ['1.0', ['AuthenticationError', -32098, null]],
      own: [{ number: expect.any(Number), customer: 'Generated', cents: 800, paid: false }],
      'rolled back': ['NoSuchInvoice', 4040, { number: 999999 }],
      batch: ['1.0', 'ForbiddenError'],
    })
  })

  const noPhp = missingCommand('php', '-r', 'exit(extension_loaded("xmlrpc") ? 0 : 1);')
  test.skipIf(skipped("fixtures/tenants: PHP's xmlrpc", noPhp))("PHP's xmlrpc", async () => {
    expect(await runJsonClient(['php', at('php.php'), served.url, keys.clerk])).toEqual({
      anonymous: ['1.0', -32098],
      own: true,
      'rolled back': 4040,
      paid: false,
      role: -32099,
    })
  })

  test.skipIf(skipped('fixtures/tenants: the official client of MCP', noMcp))(
    'the official client of MCP',
    async () => {
      const path = createRequire(join(root, 'test/mcp/x.js')).resolve('@modelcontextprotocol/client')
      const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(path.replace(/\.cjs$/, '.mjs')).href)
      const connect = async (key?: string) => {
        const client = new Client({ name: 'test', version: '1.0.0' })
        const requestInit = { headers: key === undefined ? {} : { 'X-Api-Key': key } }
        await client.connect(new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`), { requestInit }))
        return client
      }
      const toolsOf = async (key?: string) => {
        const client = await connect(key)
        const { tools }: { tools: { name: string }[] } = await client.listTools()
        await client.close()
        return tools.map(({ name }) => name)
      }
      expect(await toolsOf()).toEqual(['version'])
      expect(await toolsOf(keys.clerk)).toEqual(['invoices_list', 'invoices_write', 'version'])
      expect(await toolsOf(keys.manager)).toEqual(['invoices_list', 'invoices_write', 'invoices_remove', 'version'])
      const eve = await connect(keys.other)
      const call = { name: 'invoices_write', arguments: { customer: 'Tool', cents: 5 } }
      const { structuredContent } = await eve.callTool(call)
      expect(structuredContent).toEqual({ number: expect.any(Number), customer: 'Tool', cents: 5, paid: false })
      expect(await eve.callTool({ name: 'invoices_remove', arguments: { number: 1 } })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'Not allowed' }],
      })
      await eve.close()
    },
  )
})
