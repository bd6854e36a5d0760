import { Hono } from 'hono'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DescribedParam, DescribedType } from '../../runtime/description/description.js'
import { type Sample, samplesOf } from '../../runtime/page/code/index.js'
import { readCall } from '../../runtime/xmlrpc/decode.js'
import { type Listening, serveApp } from '../support/listen.js'
import { runWith } from '../support/run.js'
import { missingCommand, skipped } from '../support/skip.js'
import { attack } from './hostile.js'

// The code of the page is run unchanged: it sends the request that the page shows.

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

let served: Listening
let bodies: string[]
let traces: (string | undefined)[]
let samples: readonly Sample[]

beforeAll(async () => {
  bodies = []
  traces = []
  const app = new Hono().post('*', async (c) => {
    bodies.push(await c.req.text())
    traces.push(c.req.header('x-trace'))
    const xml = c.req.header('content-type') === 'text/xml'
    const empty =
      '<?xml version="1.0"?><methodResponse><params><param><value><int>1</int></value></param></params></methodResponse>'
    return xml ? c.body(empty, 200, { 'Content-Type': 'text/xml' }) : c.json({ jsonrpc: '2.0', id: 1, result: 1 })
  })
  served = await serveApp(app)
  samples = samplesOf({ name: 'a.class', params: declared }, values, {
    url: `${served.origin}/it%27s`,
    types: new Map(),
    protocols: ['json-rpc', 'xml-rpc'],
  })
})

afterAll(() => served?.close())

function surroundings() {
  return { url: `${served.origin}/it%27s`, types: new Map(), protocols: ['json-rpc', 'xml-rpc'] } as const
}

/** The code of one call. */
function codeOf(
  language: string,
  protocol: string,
  name: string,
  declaredHere: readonly DescribedParam[],
  given: readonly unknown[],
): string {
  const all = samplesOf({ name, params: declaredHere }, given, surroundings())
  return all.find((each) => each.language === language && each.protocol === protocol)?.code ?? ''
}

function codeIn(language: string, protocol: string): string {
  return samples.find((each) => each.language === language && each.protocol === protocol)?.code ?? ''
}

/** Runs a command; returns the requests that the server received. */
async function receivedFrom(command: string, ...args: string[]): Promise<string> {
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
  const limits = { bodyBytes: 1e6, batch: 1, depth: 256, timeoutMs: 0, responseBytes: 1 }
  const { method, params: read } = readCall(body, limits)
  expect(method).toBe('a.class')
  expect(read).toEqual(inXml)
}

describe('code runs unchanged', () => {
  test.skipIf(skipped('code for curl', missingCommand('curl', '--version')))('curl', async () => {
    expectJson(await receivedFrom('sh', '-c', codeIn('curl', 'json-rpc')))
    expectXml(await receivedFrom('sh', '-c', codeIn('curl', 'xml-rpc')))
  })

  test.skipIf(skipped('code for Python', missingCommand('python3', '--version')))('Python', async () => {
    expectJson(await receivedFrom('python3', '-c', codeIn('Python', 'json-rpc')))
    expectXml(await receivedFrom('python3', '-c', codeIn('Python', 'xml-rpc')))
  })

  test('fetch', async () => {
    expectJson(await receivedFrom(process.execPath, '--input-type=module', '-e', codeIn('fetch', 'json-rpc')))
    expectXml(await receivedFrom(process.execPath, '--input-type=module', '-e', codeIn('fetch', 'xml-rpc')))
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
    // A Map is one to TypeScript only.
    const last = protocol === 'xml-rpc' ? new Map() : {}
    const wanted = protocol === 'xml-rpc' ? inXml : values
    expect(calls).toEqual([`${served.origin}/it%27s`, wanted.with(-1, last)])
  })

  test('names of procedures that are not paths of identifiers', () => {
    const all = samplesOf({ name: 'a-b.0', params: [] }, [], {
      url: 'x',
      types: new Map(),
      protocols: ['json-rpc', 'xml-rpc'],
    })
    const lastLines = all.map(({ code }) => code.split('\n').at(-1))
    expect(lastLines[3]).toBe('print(getattr(server, "a-b.0")())')
    expect(lastLines[6]).toBe("console.log(await client['a-b']['0']())")
  })

  test.each([
    'then',
    'a.toString',
    'constructor',
    'a.__proto__',
    'toJSON.a',
    '$cost',
    'f.call',
    'f.bind',
    'f.apply',
    'a..b',
  ])('a name that a client defines itself, or that is not a path: %s', (name) => {
    const lastLine = (params: readonly unknown[]) =>
      samplesOf({ name, params: [] }, params, { url: 'x', types: new Map(), protocols: ['xml-rpc'] })
        .find(({ language }) => language === 'TypeScript')
        ?.code.split('\n')
        .at(-1)
    expect(lastLine([])).toBe(`console.log(await client.$call('${name}'))`)
    expect(lastLine([1, 'b'])).toBe(`console.log(await client.$call('${name}', [1, 'b']))`)
  })

  test('names that are similar and need no special form', () => {
    const names = ['user.name', 'a.$cost', 'thenable', 'f.length']
    const lines = names.map((name) => codeOf('TypeScript', 'json-rpc', name, [], []).split('\n').at(-1))
    expect(lines).toEqual(names.map((name) => `console.log(await client.${name}())`))
  })

  test.each<[unknown, DescribedType, shown: string]>([
    ['2147483647', { kind: 'bigint' }, '2147483647'],
    ['-2147483649', { kind: 'bigint' }, '"-2147483649"'],
    ['007', { kind: 'bigint' }, '7'],
    [['9007199254740993'], { kind: 'set', element: { kind: 'bigint' } }, '["9007199254740993"]'],
    [2147483648, { kind: 'number' }, '2147483648.0'],
    [7, { kind: 'number' }, '7'],
    [7, { kind: 'double' }, '7.0'],
  ])('in Python, whose XML-RPC has integers of 32 bits: %j', (value, type, shown) => {
    const code = codeOf('Python', 'xml-rpc', 'a', [{ name: 'a', type }], [value])
    expect(code.split('\n').at(-1)).toBe(`print(server.a(${shown}))`)
  })

  describe.each([
    { language: 'curl', command: ['sh', '-c'], notInstalled: missingCommand('curl', '--version') },
    { language: 'Python', command: ['python3', '-c'], notInstalled: missingCommand('python3', '--version') },
    { language: 'fetch', command: [process.execPath, '--input-type=module', '-e'], notInstalled: undefined },
  ] as const)('the code of $language has the headers', ({ language, command: [program, ...args], notInstalled }) => {
    test.skipIf(skipped(`headers in the code of ${language}`, notInstalled)).each(['json-rpc', 'xml-rpc'])(
      '%s',
      async (protocol) => {
        traces.length = 0
        await receivedFrom(program, ...args, codeWithHeaders(language, protocol))
        expect(traces).toEqual(["it's $(id) 7"])
      },
    )
  })

  test('the code of TypeScript has the headers', () => {
    const headers = "headers: { 'x-trace': 'it\\'s $(id) 7' } }"
    expect(codeWithHeaders('TypeScript', 'json-rpc')).toContain(`/it%27s', { ${headers})`)
    expect(codeWithHeaders('TypeScript', 'xml-rpc')).toContain(`/it%27s', { transport: xmlRpc(), ${headers})`)
  })

  function codeWithHeaders(language: string, protocol: string): string {
    const given = { ...surroundings(), headers: { 'x-trace': "it's $(id) 7" } }
    const all = samplesOf({ name: 'a', params: [] }, [], given)
    return all.find((each) => each.language === language && each.protocol === protocol)?.code ?? ''
  }

  test('a subscription: a stream over HTTP', () => {
    const call = { name: 'ticks', params: [{ name: 'symbol', type: scalar('string') }], subscription: true }
    const samples = samplesOf(call, ['XAU'], surroundings())
    expect(samples.map(({ language }) => language)).toEqual(['curl', 'Python', 'TypeScript'])
    const [curl, python, script] = samples.map(({ code }) => code)
    expect(curl).toMatch(
      /^curl -N '.*' \\\n {2}-H 'Content-Type: application\/json' \\\n {2}-H 'Accept: text\/event-stream' /,
    )
    expect(python).toContain('for line in response:\n        if line.startswith(b"data"):')
    expect(script).toContain(
      "{ subscriptions: ['ticks'] })\nfor await (const item of client.ticks('XAU')) console.log(item)",
    )
  })

  test('a subscription: the message over WebSocket, and for await', () => {
    const call = { name: 'ticks', params: [{ name: 'symbol', type: scalar('string') }], subscription: true }
    const samples = samplesOf(call, ["it's"], { ...surroundings(), url: 'ws://localhost/rpc', webSocket: true })
    expect(samples.map(({ language, protocol }) => [language, protocol])).toEqual([
      ['WebSocket', 'json-rpc'],
      ['TypeScript', 'json-rpc'],
    ])
    expect(samples[0]?.code).toBe(
      [
        "const call = { jsonrpc: '2.0', id: 1, method: 'ticks', params: ['it\\'s'] }",
        "const socket = new WebSocket('ws://localhost/rpc')",
        'socket.onopen = () => socket.send(JSON.stringify(call))',
        'socket.onmessage = ({ data }) => console.log(data)',
      ].join('\n'),
    )
    expect(samples[1]?.code).toContain(
      "createClient<JsonProcedures>('ws://localhost/rpc', { transport: webSocket(), subscriptions: ['ticks'] })\n" +
        "for await (const item of client.ticks('it\\'s')) console.log(item)",
    )
    expect(samplesOf(call, [], { ...surroundings(), protocols: ['xml-rpc'] })).toEqual([])
  })

  test('no code for a protocol that is not served; text that XML cannot represent is reported', () => {
    const json = samplesOf({ name: 'a', params: [] }, ['\0'], { url: 'x', types: new Map(), protocols: ['json-rpc'] })
    expect(json.map(({ language }) => language)).toEqual(['curl', 'Python', 'fetch', 'TypeScript'])
    const xml = samplesOf({ name: 'a', params: [] }, ['\0'], { url: 'x', types: new Map(), protocols: ['xml-rpc'] })
    expect(xml[0]?.code).toContain('<!-- XML cannot represent the character U+0000 -->')
  })
})
