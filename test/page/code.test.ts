import { spawnSync } from 'node:child_process'
import { Hono } from 'hono'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sample, samplesOf } from '../../runtime/docs/code/index.js'
import type { DescribedParam, DescribedType } from '../../runtime/schema/description.js'
import { readCall } from '../../runtime/xmlrpc/message.js'
import { runWith } from '../run.js'
import { attack } from './hostile.js'
import { type Served, startApp } from './serving.js'

// The code of the page is run as it stands: what arrives is what it shows.

const scalar = (kind: 'string' | 'int' | 'double' | 'date' | 'boolean' | 'null' | 'any'): DescribedType => ({ kind })
const params: readonly [DescribedParam, unknown, xml: unknown][] = [
  [{ name: 'text', type: scalar('string') }, attack.replace('\u202e', ''), attack.replace('\u202e', '')],
  [{ name: 'turned', type: scalar('string') }, 'a\u202eb', 'a\u202eb'],
  [{ name: 'date', type: scalar('date') }, '2026-01-31T12:00:00Z', new Date('2026-01-31T12:00:00Z')],
  [{ name: 'bytes', type: { kind: 'bytes', as: 'Uint8Array' } }, 'IlwAf2E=', new Uint8Array([34, 92, 0, 127, 97])],
  [{ name: 'whole', type: scalar('double') }, 2, 2],
  [{ name: 'small', type: scalar('double') }, 1.5, 1.5],
  [{ name: 'flag', type: scalar('boolean') }, true, true],
  [{ name: 'nothing', type: scalar('null') }, null, null],
  [
    { name: 'list', type: { kind: 'array', element: scalar('date') } },
    ['1999-12-31T23:59:59Z'],
    [new Date('1999-12-31T23:59:59Z')],
  ],
  [
    { name: 'struct', type: { kind: 'struct', members: [{ name: "it's", type: scalar('int') }] } },
    { "it's": 7, '$(id)': '`id`' },
    { "it's": 7, '$(id)': '`id`' },
  ],
  [{ name: 'empty', type: { kind: 'map', value: scalar('any') } }, {}, {}],
]
const declared = params.map(([param]) => param)
const values = params.map(([, value]) => value)
const inXml = params.map(([, , value]) => value)

let served: Served
let bodies: string[]
let samples: readonly Sample[]

beforeAll(async () => {
  bodies = []
  const app = new Hono().post('*', async (c) => {
    bodies.push(await c.req.text())
    const xml = c.req.header('content-type') === 'text/xml'
    const empty =
      '<?xml version="1.0"?><methodResponse><params><param><value><int>1</int></value></param></params></methodResponse>'
    return xml ? c.body(empty, 200, { 'Content-Type': 'text/xml' }) : c.json({ jsonrpc: '2.0', id: 1, result: 1 })
  })
  served = await startApp(app)
  samples = samplesOf({ name: 'a.class', params: declared }, values, {
    url: `${served.url}/it%27s`,
    types: new Map(),
    protocols: ['json-rpc', 'xml-rpc'],
  })
})

afterAll(() => served?.stop())

function codeIn(language: string, protocol: string): string {
  return samples.find((each) => each.language === language && each.protocol === protocol)?.code ?? ''
}

/** Runs a command; answers what it made the server hear. */
async function heardFrom(command: string, ...args: string[]): Promise<string> {
  bodies.length = 0
  const { status, output } = await runWith({ no_proxy: '*' }, '.', command, ...args)
  expect([status, output]).toEqual([0, expect.anything()])
  expect(bodies.length).toBe(1)
  return bodies[0] ?? ''
}

function expectJson(body: string): void {
  expect(JSON.parse(body)).toEqual({ jsonrpc: '2.0', id: 1, method: 'a.class', params: values })
}

function expectXml(body: string): void {
  const limits = { bodyBytes: 1e6, batch: 1, depth: 256, timeoutMs: 0, xmlSlowBytes: 1e6 }
  const { method, params: read } = readCall(body, limits)
  expect(method).toBe('a.class')
  expect(read).toEqual(inXml)
}

const has = (command: string) => spawnSync(command, ['--version']).status === 0

describe('code runs as it stands', () => {
  test.skipIf(!has('curl'))('curl', async () => {
    expectJson(await heardFrom('sh', '-c', codeIn('curl', 'json-rpc')))
    expectXml(await heardFrom('sh', '-c', codeIn('curl', 'xml-rpc')))
  })

  test.skipIf(!has('python3'))('Python', async () => {
    expectJson(await heardFrom('python3', '-c', codeIn('Python', 'json-rpc')))
    expectXml(await heardFrom('python3', '-c', codeIn('Python', 'xml-rpc')))
  })

  test('fetch', async () => {
    expectJson(await heardFrom(process.execPath, '--input-type=module', '-e', codeIn('fetch', 'json-rpc')))
    expectXml(await heardFrom(process.execPath, '--input-type=module', '-e', codeIn('fetch', 'xml-rpc')))
  })

  test.each(['json-rpc', 'xml-rpc'])('TypeScript, %s: the client is called with the values', (protocol) => {
    const { diagnostics, outputText } = ts.transpileModule(codeIn('TypeScript', protocol), {
      reportDiagnostics: true,
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    })
    expect(diagnostics).toEqual([])
    const body = outputText.replace(/^import .*$/gm, '').replace('console.log(await ', 'return (')
    const calls: unknown[] = []
    const createClient = (url: string) => ({ a: { class: (...args: unknown[]) => calls.push(url, args) } })
    new Function('createClient', 'xmlRpc', body)(createClient, () => ({}))
    expect(calls).toEqual([`${served.url}/it%27s`, protocol === 'xml-rpc' ? inXml : values])
  })

  test('names of procedures that are no paths of identifiers', () => {
    const all = samplesOf({ name: 'a-b.0', params: [] }, [], {
      url: 'x',
      types: new Map(),
      protocols: ['json-rpc', 'xml-rpc'],
    })
    const lastLines = all.map(({ code }) => code.split('\n').at(-1))
    expect(lastLines[3]).toBe('print(getattr(server, "a-b.0")())')
    expect(lastLines[6]).toBe("console.log(await client['a-b']['0']())")
  })

  test('no code in a protocol that is not spoken; what XML cannot hold is said', () => {
    const json = samplesOf({ name: 'a', params: [] }, ['\0'], { url: 'x', types: new Map(), protocols: ['json-rpc'] })
    expect(json.map(({ language }) => language)).toEqual(['curl', 'Python', 'fetch', 'TypeScript'])
    const xml = samplesOf({ name: 'a', params: [] }, ['\0'], { url: 'x', types: new Map(), protocols: ['xml-rpc'] })
    expect(xml[0]?.code).toContain('<!-- XML cannot hold the character U+0000 -->')
  })
})
