import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Hono } from 'hono'
import { mcp } from 'rpc-gen/mcp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileFixture, createServer, type Fixture, info, writeStdioProgram } from '../../mcp/fixture.js'
import { install } from '../../support/install.js'
import { serveApp } from '../../support/listen.js'
import { root } from '../../support/paths.js'
import { type Finished, runWith } from '../../support/run.js'
import { skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// What the authors of MCP publish: the conformance suite, the client, the inspector. The first and the last need Node 24.

const here = join(root, 'test/mcp')
const modules = join(here, 'node_modules')
const notInstalled = await install(here)
const node24 = findNode24()
const noNode24 =
  notInstalled ?? (node24 ? undefined : `package.json lists no Node 24 for ${process.platform} ${process.arch}`)

/** The program of the package for this platform, whose own script is not run. */
function findNode24(): string | undefined {
  const names = existsSync(modules) ? readdirSync(modules) : []
  const programs = names
    .filter((name) => /^node-(?:linux|bin-darwin)-/.test(name))
    .map((name) => join(modules, name, 'bin/node'))
  return programs.find(existsSync)
}

let fixture: Fixture
let url: string
let close = () => {}

beforeAll(async () => {
  fixture = await compileFixture()
  const served = await serveApp(new Hono().route('/mcp', mcp(createServer(fixture))))
  url = `${served.origin}/mcp`
  close = served.close
})

afterAll(() => {
  close()
})

describe.skipIf(skipped('the conformance suite of MCP', noNode24))('the conformance suite', () => {
  const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js')

  // Without a server many of its checks pass.
  test('can reach the server', async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  test.each(['2026-07-28', '2025-11-25'])(
    'of %s: the failing checks are the listed ones, on features other than tools',
    async (revision) => {
      const folder = temporaryFolder('mcp')
      const baseline = join(here, `baseline-${revision}.yml`)
      const flags = ['--url', url, '--requirements', revision, '--expected-failures', baseline, '-o', folder]
      const { status, output } = await withNode24(suite, 'server', ...flags)
      expect(status, output).toBe(0)
      const failed = failedChecks(folder)
      expect(failed).toEqual(entriesOf(baseline).sort())
      expect(readdirSync(folder).length).toBeGreaterThan(30)
    },
  )
})

/** The failed checks in what the suite has written, as in a baseline: `scenario:check`. */
function failedChecks(folder: string): string[] {
  const failed = readdirSync(folder).flatMap((name) => {
    const scenario = name.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, '$1')
    const checks: { id: string; status: string }[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
    return checks.filter(({ status }) => /FAILURE|WARNING/.test(status)).map(({ id }) => `${scenario}:${id}`)
  })
  return [...new Set(failed)].sort()
}

function entriesOf(baseline: string): string[] {
  return [...readFileSync(baseline, 'utf8').matchAll(/^ {2}- (\S+)$/gm)].map(([, entry = '']) => entry)
}

/** Runs a script under Node 24, and what that starts. */
function withNode24(script: string, ...args: string[]): Promise<Finished> {
  const program = node24 ?? ''
  return runWith({ PATH: `${dirname(program)}:${process.env['PATH']}` }, here, program, script, ...args)
}

describe.skipIf(skipped('the inspector of MCP', noNode24))('the command line of the inspector', () => {
  const inspector = join(modules, '.bin/mcp-inspector')

  test('lists the tools', async () => {
    const { output } = await withNode24(inspector, '--cli', url, '--transport', 'http', '--method', 'tools/list')
    expect(JSON.parse(output).tools).toHaveLength(13)
  })

  test('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'math_add', '--tool-arg', 'a=1', '--tool-arg', 'b=2']
    const { output } = await withNode24(inspector, '--cli', url, '--transport', 'http', ...call)
    expect(JSON.parse(output).content).toEqual([{ type: 'text', text: '3' }])
  })

  test('starts a server over stdio and calls a tool', async () => {
    const program = await writeStdioProgram(fixture)
    const call = ['--method', 'tools/call', '--tool-name', 'math_add', '--tool-arg', 'a=1', '--tool-arg', 'b=2']
    const { output } = await withNode24(inspector, '--cli', process.execPath, program, ...call)
    expect(JSON.parse(output).content).toEqual([{ type: 'text', text: '3' }])
  })
})

/** What is used of the official client, which is not a dependency of the project. */
interface Client {
  connect(transport: unknown): Promise<void>
  close(): Promise<void>
  getServerVersion(): unknown
  getInstructions(): string
  getNegotiatedProtocolVersion(): string
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown; annotations?: unknown }[] }>
  callTool(
    call: object,
    options?: object,
  ): Promise<{ content: unknown; structuredContent?: unknown; isError?: boolean }>
}

const negotiations = [
  ['default', undefined, '2025-11-25'],
  ['auto', { mode: 'auto' }, '2026-07-28'],
  ['pinned', { mode: { pin: '2026-07-28' } }, '2026-07-28'],
] as const

describe.skipIf(skipped('the official client of MCP', notInstalled))('the official client', () => {
  const load = async (path: string) => {
    const resolved = createRequire(join(here, 'x.js')).resolve(path)
    return await import(pathToFileURL(resolved.replace(/\.cjs$/, '.mjs')).href)
  }

  /** Connects a client over HTTP or stdio. */
  async function connect(transport: 'http' | 'stdio', versionNegotiation: object | undefined): Promise<Client> {
    const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client')
    const client = new Client({ name: 'test', version: '1.0.0' }, versionNegotiation ? { versionNegotiation } : {})
    if (transport === 'http') {
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    } else {
      const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
      const program = await writeStdioProgram(fixture)
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [program] }))
    }
    return client
  }

  describe.each(['http', 'stdio'] as const)('over %s', (transport) => {
    describe.each(negotiations)('in %s mode', (_, negotiation, version) => {
      let client: Client

      beforeAll(async () => {
        client = await connect(transport, negotiation)
      })

      afterAll(() => client?.close())

      test('negotiates the version', () => {
        expect(client.getNegotiatedProtocolVersion()).toBe(version)
        const isServed = transport === 'http'
        expect(client.getServerVersion()).toEqual({
          name: isServed ? info.title : 'RPC API',
          version: isServed ? info.version : '0.0.0',
        })
        expect(client.getInstructions()).toBe(isServed ? info.description : undefined)
      })

      test('lists the tools', async () => {
        const { tools } = await client.listTools()
        expect(tools.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['math_add', 'order_place', 'order_remove']),
        )
        expect(tools.find(({ name }) => name === 'order_place')?.annotations).toEqual({ destructiveHint: false })
      })

      test('calls a tool, whose result it validates by the output schema', async () => {
        await client.listTools()
        const order = { id: 'o1', placed: '1970-01-01T00:00:00.000Z', lines: [{ sku: 'x', quantity: 1 }] }
        const placed = await client.callTool({ name: 'order_place', arguments: { lines: order.lines } })
        expect(placed).toMatchObject({
          content: [{ type: 'text', text: JSON.stringify(order) }],
          structuredContent: order,
        })
        const added = await client.callTool({ name: 'math_add', arguments: { a: 1, b: 2 } })
        expect(added).toMatchObject({ content: [{ type: 'text', text: '3' }] })
        expect(added.structuredContent).toBe(version === '2026-07-28' ? 3 : undefined)
      })

      test('gets the progress of a tool that is a stream, then its items', async () => {
        const seen: unknown[] = []
        const onprogress = (progress: unknown) => void seen.push(progress)
        const streamed = await client.callTool({ name: 'steps', arguments: { count: 2 } }, { onprogress })
        expect(streamed).toMatchObject({ content: [{ type: 'text', text: '["step 1","step 2"]' }] })
        expect(seen).toEqual([1, 2].map((at) => ({ progress: at, message: `step ${at}` })))
      })

      test('gets invalid arguments and errors as results, an unknown tool as an error', async () => {
        expect(await client.callTool({ name: 'math_add', arguments: { a: 1 } })).toMatchObject({
          isError: true,
          content: [{ type: 'text', text: expect.stringContaining('b: expected int, received nothing') }],
        })
        expect(await client.callTool({ name: 'order_remove', arguments: { id: '' } })).toMatchObject({
          isError: true,
          content: [{ type: 'text', text: 'No such order\n{"id":""}' }],
        })
        await expect(client.callTool({ name: 'internal', arguments: {} })).rejects.toMatchObject({ code: -32602 })
      })

      test('cancels a call, and the next one is served', async () => {
        const call = client.callTool({ name: 'wait', arguments: { ms: 60_000 } }, { timeout: 200 })
        await expect(call).rejects.toThrow(/timed out/i)
        expect(await client.callTool({ name: 'wait', arguments: { ms: 1 } })).toMatchObject({
          content: [{ type: 'text', text: 'waited' }],
        })
      })
    })
  })
})

test('over stdio the process exits when its input ends', async () => {
  const program = await writeStdioProgram(fixture)
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"ms":50}}}\n')
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(JSON.parse(output)).toEqual({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'waited' }] } })
})
