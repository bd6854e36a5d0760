import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { deflateSync, gzipSync } from 'node:zlib'
import { generate } from 'rpc-gen/generator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../scripts/serving.mjs'
import { mustRun } from '../run.js'
import { bun, deno, esbuild, lacking, runtimes, workerd } from './programs.js'
import { compileApp } from './server/compile.js'
import { skipped } from './skip.js'

// The same compiled app on a real port under every runtime, and what its answers look like there.

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
interface Runtime {
  readonly name: string
  readonly lacks: string | undefined
  start(app: string): Promise<RunningServer>
}

const hosts: readonly Runtime[] = [
  {
    name: 'Node',
    lacks: undefined,
    start: (app) => startServer(app, { command: [process.execPath, at('server/node.mjs')] }),
  },
  {
    name: 'Bun 1.4.5',
    lacks: lacking(bun),
    start: (app) => startServer(app, { command: [bun ?? '', join(runtimes, 'bun.mjs')] }),
  },
  {
    name: 'Deno 2.9.6',
    lacks: lacking(deno),
    start: (app) =>
      startServer(pathToFileURL(app).href, {
        command: [deno ?? '', 'run', '--no-remote', '--allow-net', '--allow-read', join(runtimes, 'deno.mjs')],
        env: { DENO_DIR: join(dirname(app), 'deno'), DENO_NO_UPDATE_CHECK: '1' },
      }),
  },
  { name: 'workerd 1.20261117.1', lacks: lacking(workerd && esbuild), start: startWorker },
]

async function startWorker(app: string): Promise<RunningServer> {
  const bundle = join(dirname(app), 'worker.js')
  const flags = ['--bundle', '--format=esm', '--conditions=workerd', `--alias:app=${app}`, `--outfile=${bundle}`]
  await mustRun(runtimes, esbuild ?? '', join(runtimes, 'worker.mjs'), '--log-level=error', ...flags)
  const config = join(dirname(app), 'config.capnp')
  copyFileSync(join(runtimes, 'config.capnp'), config)
  return startServer(config, {
    command: [workerd ?? '', 'serve', '--control-fd=1'],
    addressIn: (output) => /"port":(\d+)/.exec(output)?.[1]?.replace(/^/, 'http://127.0.0.1:'),
  })
}

interface Heard {
  readonly status: number | undefined
  readonly type: string | undefined
  readonly length: string | undefined
  readonly chunked: boolean
  readonly body: string
}

/** `parts` are sent in chunks when there are several. */
function send(url: string, method: string, type: string, ...parts: readonly string[]): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sized = parts.length > 1 ? {} : { 'Content-Length': Buffer.byteLength(parts.join('')) }
    const sent = request(`${url}/rpc`, { method, agent: false, headers: { 'Content-Type': type, ...sized } })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = response.headers
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.once('end', () =>
        resolve({ status: response.statusCode, type, length, chunked: encoding !== undefined, body }),
      )
    })
    for (const part of parts) sent.write(part)
    sent.end()
  })
}

function answer(status: number, type: string, body: string): Heard {
  return { status, type, length: `${Buffer.byteLength(body)}`, chunked: false, body }
}

const json = '{"jsonrpc":"2.0","method":"echo.string","params":["é"],"id":"ü"}'
const jsonAnswer = '{"jsonrpc":"2.0","result":"é","id":"ü"}'
const unknown = '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}'
const xmlType = 'text/xml; charset=utf-8'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'
const params = (value: string) => `<params><param><value>${value}</value></param></params>`
const call = (method: string, value: string) =>
  `<methodCall><methodName>${method}</methodName>${params(value)}</methodCall>`
const date = call('echo.date', '<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>')
const dateAnswer = `${declaration}<methodResponse>${params('<dateTime.iso8601>20240710T12:34:56</dateTime.iso8601>')}</methodResponse>`
const fault =
  `${declaration}<methodResponse><fault><value><struct><member><name>faultCode</name><value><int>7</int></value></member>` +
  '<member><name>faultString</name><value><string>é</string></value></member></struct></value></fault></methodResponse>'
const failing =
  '<methodCall><methodName>fail</methodName><params><param><value><int>7</int></value></param>' +
  '<param><value>é</value></param></params></methodCall>'
const notServed = 'Content-Type text/plain is not served here: send application/json or text/xml.'

let app: string

beforeAll(async () => {
  app = await compileApp()
}, 120_000)

for (const { name, lacks, start } of hosts) {
  describe.skipIf(skipped(name, lacks))(name, () => {
    let server: RunningServer
    let url: string

    beforeAll(async () => {
      server = await start(app)
      url = server.url.replace(/\/$/, '')
    }, 60_000)

    afterAll(() => server?.stop())

    test.each([
      ['JSON', 'application/json', [json], answer(200, 'application/json', jsonAnswer)],
      ['JSON in chunks', 'application/json', ['', ...json], answer(200, 'application/json', jsonAnswer)],
      [
        'a JSON error',
        'application/json',
        ['{"jsonrpc":"2.0","method":"x","id":1}'],
        answer(200, 'application/json', unknown),
      ],
      ['XML', 'text/xml', [date], answer(200, xmlType, dateAnswer)],
      ['XML in chunks', 'text/xml', [date.slice(0, 30), date.slice(30)], answer(200, xmlType, dateAnswer)],
      [
        'XML outside the core',
        'text/xml',
        [date.replace('<params>', '<params x="">')],
        answer(200, xmlType, dateAnswer),
      ],
      ['a fault', 'text/xml', [failing], answer(200, xmlType, fault)],
      ['a type that is refused', 'text/plain', [json], answer(415, 'text/plain; charset=UTF-8', notServed)],
    ])('%s: Content-Type, Content-Length, body', async (_, type, parts, expected) => {
      expect(await send(url, 'POST', type, ...parts)).toEqual(expected)
    })

    test.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
    ] as const)(
      '%s: decompressed; damaged, cut off, followed by more or too large it is rejected',
      async (encoding, compress) => {
        const ask = async (body: Uint8Array<ArrayBuffer>) => {
          const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding }
          const response = await fetch(`${url}/rpc`, { method: 'POST', headers, body })
          const text = await response.text()
          return response.status === 200 ? text : response.status
        }
        const good = compress(json)
        expect(await ask(good)).toBe(jsonAnswer)
        expect(await ask(good.map((byte, i) => (i === 20 ? byte ^ 0xff : byte)))).toBe(400)
        for (const end of [0, 1, 10, good.length - 9, good.length - 4, good.length - 1]) {
          expect(await ask(good.subarray(0, end))).toBe(400)
        }
        expect(await ask(Buffer.concat([good, Buffer.alloc(8)]))).toBe(400)
        expect(await ask(compress(json.padEnd(4_000_000)))).toBe(jsonAnswer)
        expect(await ask(compress(Buffer.alloc(256 * 1024 * 1024)))).toBe(413)
      },
    )

    test('a notification: 204, no body, no length', async () => {
      const heard = await send(url, 'POST', 'application/json', '{"jsonrpc":"2.0","method":"sum"}')
      expect(heard).toEqual({ status: 204, type: undefined, length: undefined, chunked: false, body: '' })
    })

    test.each(['PUT', 'OPTIONS', 'DELETE'])('%s: 405', async (method) => {
      expect((await send(url, method, 'application/json', '')).status).toBe(405)
    })
  })
}

test('the procedures of the app are compiled as they stand', async () => {
  const out = at('server/procedures.gen.ts')
  const { files, diagnostics } = await generate({ paths: [at('server/procedures.ts')], out })
  expect(diagnostics).toEqual([])
  if (process.env['UPDATE_FIXTURES'] === '1') writeFileSync(out, files[0]?.text ?? '')
  expect(files[0]?.text).toBe(readFileSync(out, 'utf8'))
})
