import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { AuthenticationError, type Compatibility, extractBasicAuth, RpcError, RpcNamespace, RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { procedures as wire } from '../../../fixtures/wire/procedures.gen.js'
import { procedures as own } from '../../clients/server/procedures.gen.js'
import { install } from '../../support/install.js'
import { type Listening, serveApp } from '../../support/listen.js'
import { root } from '../../support/paths.js'
import { freePort, isListening, startProcess } from '../../support/process.js'
import { run } from '../../support/run.js'
import { runJsonClient } from '../../support/run-client.js'
import { missingCommand, skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'
import { type ServingWebSocket, serveWebSocket } from '../../websocket/serving.js'

// Real clients that do not follow the specifications, each with the switches that it needs, and what it makes of a server
// without them.

const procedures = { ...own, 'echo.bigint': wire['echo.bigint'] }
const at = (file: string) => join(root, `test/clients/compatibility/${file}`)
const onError = () => {}

function serverOf(compatibility: Compatibility = {}, auth?: (request: Request) => boolean): RpcServer {
  const server = new RpcServer({ procedures, compatibility, onError, ...(auth && { auth }) })
  server.registerProcedure((a: number, b: number) => a + b, { name: 'add', unchecked: true })
  const fail = () => {
    throw new RpcError(-5, 'Invalid address', { data: [1] })
  }
  server.registerProcedure(fail, { name: 'fail', unchecked: true })
  server.registerProcedure(() => 4006381333931n, { name: 'serial', unchecked: true })
  server.registerProcedure(() => 'bell\u0007', { name: 'comment', unchecked: true })
  return server
}

const isAda = (request: Request) => extractBasicAuth(request)?.password === 'secret'
const bitcoin = { jsonRpc1: true, formAndTextBodies: true, httpStatus: true, authChallenge: 'Basic realm="jsonrpc"' }

/** Some of Supervisor's procedures, under its names. */
function supervisor(): RpcServer {
  const states = new Map([['web', 20]])
  const info = () => [...states].map(([name, state]) => processInfo(name, state))
  const start = (name: string) => {
    if (name !== 'web') throw new RpcError(10, `BAD_NAME: ${name}`)
    throw new RpcError(60, `ALREADY_STARTED: ${name}`)
  }
  const namespace = new RpcNamespace()
  for (const [name, fn] of Object.entries({
    getVersion: () => '3.0',
    getSupervisorVersion: () => '4.2.5',
    getAllProcessInfo: info,
    startProcess: start,
  })) {
    namespace.registerProcedure(fn, { name, unchecked: true })
  }
  const server = new RpcServer({
    auth: isAda,
    onError,
    compatibility: { authChallenge: 'Basic realm="default"', ownSystemNames: true },
  })
  return server.registerNamespace(namespace, 'supervisor')
}

function processInfo(name: string, state: number) {
  const about = { name, group: name, state, statename: 'RUNNING', description: 'pid 7, uptime 0:00:01' }
  return { ...about, start: 0, stop: 0, now: 1, spawnerr: '', exitstatus: 0, logfile: '', pid: 7 }
}

/** Some of aria2's procedures: each has the secret as its first parameter. */
function aria2(): RpcServer {
  const compatibility = { lenientVersion: true, jsonMulticall: true, listMethodsParams: true, ownSystemNames: true }
  const server = new RpcServer({ compatibility, onError })
  const withSecret =
    (fn: (...args: never[]) => unknown) =>
    (token: string, ...args: never[]) => {
      if (token !== 'token:secret') throw new RpcError(1, 'Unauthorized')
      return fn(...args)
    }
  const tellStatus = (gid: string) => {
    throw new RpcError(1, `GID ${gid} is not found`)
  }
  const own = {
    'aria2.getVersion': () => ({ version: '1.36.0' }),
    'aria2.getGlobalOption': () => ({ dir: '/' }),
    'aria2.tellStatus': tellStatus,
  }
  for (const [name, fn] of Object.entries(own)) {
    server.registerProcedure(withSecret(fn), { name, unchecked: true })
  }
  server.registerProcedure(() => ['aria2.onDownloadStart'], { name: 'system.listNotifications', unchecked: true })
  return server
}

let listening: Listening
let url: (path: string) => string

beforeAll(async () => {
  const app = new Hono()
    .route('/strict', serverOf().router())
    .route('/bitcoin', serverOf(bitcoin, isAda).router())
    .route('/v1', serverOf({ jsonRpc1: true }).router())
    .route('/form', serverOf({ formAndTextBodies: true }).router())
    .route('/emptyString', serverOf({ xmlRpcVoid: 'emptyString' }).router())
    .route('/true', serverOf({ xmlRpcVoid: 'true' }).router())
    .route('/string', serverOf({ xmlRpcBigint: 'string', xmlRpcInvalidText: 'replace' }).router())
    .route('/double', serverOf({ xmlRpcBigint: 'double' }).router())
    .route('/RPC2', supervisor().router())
  listening = await serveApp(app)
  url = (path) => new URL(path, listening.url).href
})

afterAll(() => listening?.close())

async function notes(): Promise<unknown> {
  const body = '{"jsonrpc":"2.0","method":"notes","id":1}'
  const response = await fetch(url('/strict'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  return (await response.json()).result
}

const perl = missingCommand('perl', '-MJSON::RPC::Legacy::Client', '-e1')

describe.skipIf(skipped("Perl's JSON::RPC::Legacy::Client", perl))("Perl's JSON::RPC::Legacy::Client", () => {
  const legacy = (path: string, version: string) => runJsonClient(['perl', at('legacy-json.pl'), url(path), version])

  test('JSON-RPC 1.0', async () => {
    const error = { code: -5, message: 'Invalid address', data: [1] }
    const noContent = { status: '204 No Content' }
    expect(await legacy('/v1', '1.0')).toEqual([{ result: 3, version: null }, { error }, noContent])
    expect(await notes()).toContain('from 1.0')
  })

  test('JSON-RPC 1.1', async () => {
    const error = { name: 'JSONRPCError', code: -5, message: 'Invalid address', error: [1] }
    expect(await legacy('/v1', '1.1')).toEqual([
      { result: 3, version: '1.1' },
      { error },
      { result: null, version: '1.1' },
    ])
    expect(await notes()).toContain('from 1.1')
  })

  test('without the switch every call fails', async () => {
    expect(await legacy('/strict', '1.1')).toEqual(Array(3).fill({ error: expect.objectContaining({ code: -32600 }) }))
  })
})

// Debian's packages belong to its own Python.
const debianPython = '/usr/bin/python3'

describe('clients of Bitcoin', () => {
  const bitcoinlib = missingCommand(debianPython, '-c', 'import bitcoin.rpc')
  const python = missingCommand('python3', '--version')

  test.skipIf(skipped("python-bitcoinlib's RawProxy", bitcoinlib))("python-bitcoinlib's RawProxy", async () => {
    expect(await runJsonClient([debianPython, at('bitcoin_proxy.py'), url('/bitcoin')])).toEqual([
      { result: 3 },
      { result: null },
      { error: ['InvalidAddressOrKeyError', -5, 'Invalid address'] },
      { error: ['JSONRPCError', -32601, 'Method not found'] },
      { error: ['JSONRPCError', new AuthenticationError().code, 'Authentication failed'] },
    ])
    const open = await runJsonClient([debianPython, at('bitcoin_proxy.py'), url('/v1')])
    expect(open).toMatchObject([
      { result: 3 },
      { result: null },
      { error: expect.arrayContaining([-5]) },
      { error: expect.arrayContaining([-32601]) },
      { result: 3 },
    ])
    const strict = await runJsonClient([debianPython, at('bitcoin_proxy.py'), url('/strict')])
    expect(strict).toContainEqual({ error: ['JSONRPCError', -32600, 'Invalid Request'] })
  })

  test.skipIf(skipped('curl as Bitcoin Core documents it', missingCommand('curl', '--version')))(
    'curl as Bitcoin Core documents it',
    async () => {
      const body = '{"jsonrpc": "1.0", "id": "curltest", "method": "add", "params": [1, 2]}'
      const data = ['--user', 'ada:secret', '--data-binary', body, '-H', 'content-type: text/plain;']
      const curl = (...options: string[]) => run('.', 'curl', '--silent', '--write-out', ' %{http_code}', ...options)
      expect((await curl(...data, url('/bitcoin'))).output).toBe('{"result":3,"error":null,"id":"curltest"} 200')
      expect((await curl(...data, url('/strict'))).output).toMatch(/ 415$/)
      const unknown = ['--user', 'ada:secret', '--data', '{"method":"nothing","params":[],"id":1}']
      expect((await curl(...unknown, url('/bitcoin'))).output).toMatch(/"code":-32601.* 404$/)
      // curl sends credentials only after a challenge.
      expect((await curl('--anyauth', ...data, url('/bitcoin'))).output).toMatch(/"result":3.* 200$/)
    },
  )

  test.skipIf(skipped("Python's urlopen", python))("Python's urlopen, whose type is that of a form", async () => {
    const response = await runJsonClient(['python3', at('urllib_form.py'), url('/form')])
    expect(response).toEqual({ jsonrpc: '2.0', result: 3, id: 'qwer' })
    await expect(runJsonClient(['python3', at('urllib_form.py'), url('/strict')])).rejects.toThrow('415')
  })
})

const php = missingCommand('php', '-r', 'exit(extension_loaded("xmlrpc") ? 0 : 1);')

test.skipIf(skipped("PHP's streams", php))("PHP's streams, whose type is that of a form", async () => {
  expect(await runJsonClient(['php', at('form.php'), url('/form')])).toEqual({ status: '200', result: null })
  expect(await runJsonClient(['php', at('form.php'), url('/strict')])).toMatchObject({ status: '415' })
})

const axmlrpc = '/usr/share/java/axmlrpc.jar'

/** What a client reads and sends of an integer beyond 32 bits; an error is its own, or the fault that it got. */
interface Integers {
  readonly name: string
  readonly command: readonly string[]
  readonly notInstalled: string | undefined
  /** The result of a server that sends bigints as `<i8>`, `<string>` and `<double>`. */
  readonly i8: Outcome
  readonly string: Outcome
  readonly double: Outcome
  /** What a server gets of the integer itself; it returns what it got as text. Each client sends text as it is. */
  readonly sent: Outcome
}

type Outcome = readonly [type: string, text: string]

const digits = '4006381333931'

const integers: readonly Integers[] = [
  {
    name: "PHP's xmlrpc",
    command: ['php', at('integers.php')],
    notInstalled: php,
    i8: ['NULL', ''],
    string: ['string', digits],
    double: ['double', `${digits}.0`],
    // It sends the low 32 bits.
    sent: ['string', '-823153237'],
  },
  {
    name: "Python's ServerProxy",
    command: ['python3', at('integers.py')],
    notInstalled: missingCommand('python3', '--version'),
    i8: ['int', digits],
    string: ['str', digits],
    double: ['float', `${digits}.0`],
    sent: ['error', 'int exceeds XML-RPC limits'],
  },
  {
    name: "Ruby's XMLRPC::Client",
    command: ['ruby', at('integers.rb')],
    notInstalled: missingCommand('ruby', '-rxmlrpc/client', '-e', ''),
    i8: ['Integer', digits],
    string: ['String', digits],
    double: ['Float', `${digits}.0`],
    sent: ['error', 'Integer is too big! Must be signed 32-bit integer!'],
  },
  {
    name: "Lua's xmlrpc",
    command: ['lua5.1', at('integers.lua')],
    notInstalled: missingCommand('lua5.1', '-e', 'require "xmlrpc.http"'),
    i8: ['error', 'Invalid <i8> element'],
    string: ['string', digits],
    double: ['number', digits],
    sent: ['string', digits],
  },
  {
    name: "Java's aXMLRPC",
    command: ['java', '-cp', axmlrpc, at('Integers.java')],
    notInstalled: missingCommand('java', '--version') ?? missingCommand('test', '-e', axmlrpc),
    i8: ['Long', digits],
    string: ['String', digits],
    double: ['Double', '4.006381333931E12'],
    sent: ['string', digits],
  },
]

describe.each(integers)('$name', ({ name, command, notInstalled, i8, string, double, sent }) => {
  test.skipIf(skipped(name, notInstalled))(
    'integers beyond 32 bits, and characters that XML does not have',
    async () => {
      const [strict, text, number] = [url('/strict'), url('/string'), url('/double')]
      const calls = [
        [strict, 'serial', 'none'],
        [text, 'serial', 'none'],
        [number, 'serial', 'none'],
        [text, 'echo.bigint', 'integer'],
        [text, 'echo.bigint', 'text'],
        [strict, 'comment', 'none'],
        [text, 'comment', 'none'],
      ]
      const [stringType] = string
      expect(await runJsonClient([...command, ...calls.flat()])).toEqual([
        i8,
        string,
        double,
        sent[0] === 'string' ? [stringType, sent[1]] : sent,
        string,
        ['error', expect.stringContaining('Internal error')],
        [stringType, 'bell\ufffd'],
      ])
    },
    60_000,
  )
})

describe.each([
  [
    "Ruby's XMLRPC::Client",
    ['ruby', at('void.rb')],
    missingCommand('ruby', '-rxmlrpc/client', '-e', ''),
    "wrong/unknown XML-RPC type 'nil'",
  ],
  [
    "Lua's xmlrpc",
    ['lua5.1', at('void.lua')],
    missingCommand('lua5.1', '-e', 'require "xmlrpc.http"'),
    'Invalid <nil> element',
  ],
  [
    "Java's aXMLRPC",
    ['java', '-cp', axmlrpc, at('Void.java')],
    missingCommand('java', '--version') ?? missingCommand('test', '-e', axmlrpc),
    'XMLRPCException',
  ],
] as const)('%s', (name, command, notInstalled, error) => {
  test.skipIf(skipped(name, notInstalled))(
    'a void result',
    async () => {
      const legacy = ['/strict', '/emptyString', '/true'].map((path) => runJsonClient([...command, url(path)]))
      expect(await Promise.all(legacy)).toEqual([{ error }, { result: '' }, { result: true }])
    },
    60_000,
  )
})

describe.skipIf(skipped('supervisorctl', missingCommand('supervisorctl', '--help')))('supervisorctl', () => {
  let folder: string
  beforeAll(() => {
    folder = temporaryFolder('supervisorctl')
    writeFileSync(join(folder, 'supervisord.conf'), '[supervisorctl]\n')
  })

  const supervisorctl = async (password: string, ...command: string[]) => {
    const options = ['-c', join(folder, 'supervisord.conf'), '-s', url('/'), '-u', 'ada', '-p', password]
    return (await run(folder, 'supervisorctl', ...options, ...command)).output.trim()
  }

  test.each([
    ['version', '4.2.5'],
    ['status', 'web                              RUNNING   pid 7, uptime 0:00:01'],
    ['start web', 'web: ERROR (already started)'],
    ['start other', 'other: ERROR (no such process)'],
  ])('%s', async (command, output) => {
    expect(await supervisorctl('secret', ...command.split(' '))).toBe(output)
  })

  test('a wrong password', async () => {
    expect(await supervisorctl('wrong', 'status')).toMatch(/^Server requires authentication$/m)
  })
})

const npm = await install(at('.'))
const name = 'aria2 4.1.2 (npm)'

describe.skipIf(skipped(name, npm))(name, () => {
  let serving: ServingWebSocket
  beforeAll(async () => {
    serving = await serveWebSocket(aria2())
  })
  afterAll(() => serving?.stop())

  const runSupervisor = (address: string, path: string, transport: string) =>
    runJsonClient([process.execPath, at('aria2.mjs'), address, path, transport])

  const report = {
    version: 'string',
    multicall: [['object'], ['code', 'message'], ['code', 'message']],
    batch: [['result'], ['code', 'message']],
    methods: true,
    notifications: true,
    denied: { code: 1, message: 'string' },
  }

  test.each(['http', 'ws'])('over %s', async (transport) => {
    expect(await runSupervisor(new URL(serving.url).host, '/rpc', transport)).toEqual(report)
  })

  const aria2c = missingCommand('aria2c', '--version')

  test.skipIf(skipped('aria2c itself', aria2c))(
    'aria2c itself responds in the same way',
    async () => {
      const port = await freePort()
      const options = [
        '--enable-rpc',
        `--rpc-listen-port=${port}`,
        '--rpc-secret=secret',
        '--no-conf',
        '--dir',
        temporaryFolder('aria2c'),
      ]
      const { stop } = await startProcess(['aria2c', ...options], { isReady: () => isListening(port) })
      onTestFinished(() => stop())
      expect(await runSupervisor(`127.0.0.1:${port}`, '/jsonrpc', 'http')).toEqual(report)
    },
    60_000,
  )
})
