import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { createClient, type Fetch, RpcError, xmlRpc } from 'rpc-gen/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callXml } from '../support/requests.js'
import { mustRun } from '../support/run.js'
import { inapplicable, missingCommand, skipped } from '../support/skip.js'
import { wireCases } from '../wire/cases.js'
import { type Connection, connectHttp1, connectHttp2 } from './connection.js'
import type { Host } from './hosts.js'
import type { JsonProcedures } from './procedures.gen.js'
import { type Running, start, writePrograms } from './start.js'
import { openStream } from './stream.js'

// The same calls over every host, as a page of docs/guide/hosts mounts the server in it: hosts.test.ts here and in test/external/hosts/.

const at = (path: string) => join(import.meta.dirname, path)
const noPython = missingCommand('python3', '--version')

const json = 'application/json'
const xml = 'text/xml; charset=utf-8'
const call = (method: string, params: unknown = [], id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', method, params, id })
const result = (value: unknown, id: unknown = 1) => JSON.stringify({ jsonrpc: '2.0', result: value, id })
const xmlResult = (value: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param><value>${value}</value></param></params></methodResponse>`
const tooLong = call('echo.string', ['x'.repeat(4 * 1024 * 1024)])
const bomb = Buffer.alloc(32 * 1024 * 1024)
const encodings = [
  ['gzip', gzipSync, gzipSync(bomb)],
  ['deflate', deflateSync, deflateSync(bomb)],
] as const
const adding = callXml('add', '<int>1</int>', '<int>2</int>')

/** The wire fixtures with their expected responses. */
const expectedOnTheWire = (['jsonrpc', 'xmlrpc'] as const).flatMap((protocol) => {
  const [sent, received] = protocol === 'jsonrpc' ? [json, json] : ['text/xml', xml]
  // It lists the procedures: there are more of them here.
  const cases = wireCases(protocol).filter(({ name }) => name !== 'system-list-methods')
  return cases.map(({ name, headers, body, status, response }) => ({
    name,
    body,
    headers: { 'Content-Type': sent, ...headers },
    expected: [status, status === 204 ? undefined : received, response],
  }))
})

/** Tests the hosts, whose programs are written to the folder `name`. */
export function describeHosts(name: string, hosts: readonly Host[]): void {
  let programs: string

  beforeAll(async () => {
    programs = await writePrograms(name)
  })

  describe.each(hosts)('$name', (host) => {
    describe.skipIf(skipped(host.name, host.skipReason))('served', () => {
      let running: Running
      let url: string
      let connection: Connection

      beforeAll(async () => {
        running = await start(host.runtime, programs, host.file)
        url = running.origin + host.path
        connection = connect()
      })

      afterAll(async () => {
        connection?.close()
        await running?.stop()
      })

      const connect = (sockets?: number) => (host.http2 ? connectHttp2(url) : connectHttp1(url, sockets))

      /** Sends JSON and returns the response's value. */
      async function callHost(method: string, params: unknown = [], headers = {}): Promise<unknown> {
        const { body } = await connection.send({
          headers: { 'Content-Type': json, ...headers },
          body: call(method, params),
        })
        return JSON.parse(body)
      }

      test('the client of this project, in both protocols', async () => {
        const fetch: Fetch = async (_url, init = {}) => {
          const headers = Object.fromEntries(new Headers(init.headers))
          const { status, headers: received, body } = await connection.send({ body: `${init.body}`, headers })
          return new Response(status === 204 ? null : body, {
            status,
            headers: Object.entries(received) as [string, string][],
          })
        }
        const options = host.http2 ? { fetch } : {}
        for (const transport of [{}, { transport: xmlRpc() }]) {
          const client = createClient<JsonProcedures>(url, { ...options, ...transport })
          expect(await client.add(1, 2)).toBe(3)
          expect(await client.$batch([client.$request.add(1, 2), client.$request.add(3, 4)])).toEqual([3, 7])
          await expect(client.secret()).rejects.toThrow(RpcError)
          const trusted = client.$with({ headers: { Authorization: 'Bearer sesame' } })
          expect(await trusted.secret()).toBe('open')
        }
      })

      const isSkipped = (check: keyof Host['skips'], reason?: string) =>
        inapplicable(`${host.name}, ${check}`, host.skips[check]) || skipped(`${host.name}, ${check}`, reason)

      test.skipIf(isSkipped('Python', noPython))(
        "Python's xmlrpc.client, and JSON-RPC over its http.client",
        async () => {
          expect(JSON.parse(await mustRun(at('.'), 'python3', 'python.py', url))).toEqual({
            xml: {
              add: 3,
              text: 'é😀',
              fault: [7, 'é'],
              unknown: -32601,
              multicall: [7, [7, 'é']],
              help: '',
              rejected: -32098,
              secret: 'open',
            },
            json: {
              add: { jsonrpc: '2.0', result: 3, id: 1 },
              named: { jsonrpc: '2.0', result: 3, id: 'é' },
              batch: [0, 1, 2].map((id) => ({ jsonrpc: '2.0', result: 2 * id, id })),
              notification: 204,
              rejected: -32098,
              secret: { jsonrpc: '2.0', result: 'open', id: 1 },
            },
          })
        },
      )

      test.each([
        ['JSON', json, call('echo.string', ['é'], 'ü'), 200, json, result('é', 'ü')],
        ['JSON in chunks', json, ['', ...call('echo.string', ['é'])], 200, json, result('é')],
        [
          'a batch',
          json,
          `[${call('add', [1, 2])},${call('add', { a: 3, b: 4 }, 2)}]`,
          200,
          json,
          `[${result(3)},${result(7, 2)}]`,
        ],
        [
          'a JSON error',
          json,
          call('x'),
          200,
          json,
          '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}',
        ],
        ['XML', 'text/xml', adding, 200, xml, xmlResult('<int>3</int>')],
        ['XML in chunks', 'text/xml', [adding.slice(0, 30), adding.slice(30)], 200, xml, xmlResult('<int>3</int>')],
      ])('%s: Content-Type, Content-Length, body', async (_, type, body, status, received, text) => {
        const response = await connection.send({ headers: { 'Content-Type': type }, body })
        expect([response.status, response.headers['content-type'], response.body]).toEqual([status, received, text])
        expect(response.headers['content-length']).toBe(`${Buffer.byteLength(text)}`)
        expect(response.headers['transfer-encoding']).toBe(undefined)
      })

      test('a notification: 204 without a body', async () => {
        const { status, headers, body } = await connection.send({
          headers: { 'Content-Type': json },
          body: '{"jsonrpc":"2.0","method":"add","params":[1,2]}',
        })
        expect([status, body]).toEqual([204, ''])
        expect(headers['content-type']).toBe(undefined)
        expect(headers['transfer-encoding']).toBe(undefined)
      })

      test('another Content-Type: 415', async () => {
        const { status, body } = await connection.send({
          headers: { 'Content-Type': 'text/plain' },
          body: call('add', [1, 2]),
        })
        const text = 'Content-Type text/plain is not served here: send application/json or text/xml.'
        expect([status, body]).toEqual([415, text])
      })

      test.each([
        ['that announces its length', { 'Content-Length': `${tooLong.length}` }, [tooLong.slice(0, 1000)]],
        ['in chunks', {}, tooLong.match(/.{1,65536}/g) ?? []],
      ])('a body too large, %s: 413 before it has arrived, and the next one is served', async (_, more, parts) => {
        const own = connect()
        onTestFinished(() => own.close())
        const headers = { 'Content-Type': json, ...more }
        // A parser waits for the end.
        const sent = host.parses ? { headers, body: tooLong } : { headers, body: parts, unfinished: true }
        expect((await own.send(sent)).status).toBe(413)
        expect(await callHost('add', [1, 2])).toMatchObject({ result: 3 })
      })

      test.each(encodings)('Content-Encoding: %s', async (encoding, compress, compressedBomb) => {
        const headers = { 'Content-Type': json, 'Content-Encoding': encoding }
        const good = compress(call('add', [1, 2]))
        expect((await connection.send({ headers, body: good })).body).toBe(result(3))
        const ends = [0, 1, 10, good.length - 9, good.length - 4, good.length - 1]
        const bad = [
          good.map((byte, i) => (i === 20 ? byte ^ 0xff : byte)),
          ...ends.map((end) => good.subarray(0, end)),
          Buffer.concat([good, Buffer.alloc(8)]),
        ]
        // Express rejects what it cannot decompress itself, and reads no empty body.
        if (!host.parses) {
          for (const body of bad) expect((await connection.send({ headers, body })).status).toBe(400)
        }
        expect((await connection.send({ headers, body: compressedBomb })).status).toBe(413)
      })

      test.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])('%s is not served', async (method) => {
        const { status, headers, body } = await connection.send({ method })
        expect([status, headers.allow]).toEqual(host.otherMethods)
        if (method === 'HEAD') expect(body).toBe('')
      })

      test('GET by a browser: the docs page', async () => {
        const { status, headers, body } = await connection.send({ method: 'GET', headers: { Accept: 'text/html' } })
        expect(status).toBe(200)
        expect(headers['content-type']).toMatch(/^text\/html/)
        expect(body).toContain('</html>')
        const query = /src="([^"]+)"/.exec(body)?.[1] ?? ''
        const script = await connection.send({ method: 'GET', query })
        expect([script.status, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
      })

      test('context.request', async () => {
        expect(await callHost('where', [], { 'X-Test': 'yes' })).toMatchObject({
          result: { url, method: 'POST', header: 'yes' },
        })
      })

      test('context.env and context.executionContext', async () => {
        expect(await callHost('platform', [host.env])).toMatchObject({ result: [true, host.env === 'GREETING'] })
      })

      test('many requests on one connection', async () => {
        const own = connect()
        onTestFinished(() => own.close())
        const sockets = new Set<unknown>()
        for (let i = 0; i < 20; i += 1) {
          const { socket, body } = await own.send({ headers: { 'Content-Type': json }, body: call('add', [i, i]) })
          expect(body).toBe(result(2 * i))
          sockets.add(socket)
        }
        expect(sockets.size).toBe(1)
      })

      test.skipIf(isSkipped('same time'))('calls run at the same time', async () => {
        const own = connect(20)
        onTestFinished(() => own.close())
        const headers = { 'Content-Type': json }
        const calls = Array.from({ length: 20 }, () => own.send({ headers, body: call('meet', [20]) }))
        expect((await Promise.all(calls)).map(({ body }) => body)).toEqual(Array(20).fill(result(20)))
      })

      test.skipIf(isSkipped('abort'))(
        'a client that disconnects aborts the signal, and a response does not',
        async () => {
          await callHost('where')
          const own = connect()
          const controller = new AbortController()
          const left = own.send({ headers: { 'Content-Type': json }, body: call('hang'), signal: controller.signal })
          await expect.poll(() => callHost('hangs')).toMatchObject({ result: [1, []] })
          controller.abort()
          await expect(left).rejects.toThrow()
          await expect.poll(() => callHost('hangs')).toMatchObject({ result: [1, ['AbortError']] })
          own.close()
        },
      )

      test('a stream: its form, and from an event id on', async () => {
        const item = (value: number) =>
          `id: ${value}\ndata: {"jsonrpc":"2.0","method":"countTo","params":{"subscription":1,"result":${value}}}\n\n`
        const last = 'data: {"jsonrpc":"2.0","result":null,"id":1}\n\n'
        const all = await openStream(url, host.http2, 'countTo', [3])
        expect(all.status).toBe(200)
        expect(all.headers).toMatchObject({
          'content-type': 'text/event-stream',
          'cache-control': 'no-cache, no-transform',
          'x-accel-buffering': 'no',
        })
        expect(all.headers['content-length']).toBe(undefined)
        expect(await all.rest()).toBe(`:\n\n${item(1)}${item(2)}${item(3)}${last}`)
        const some = await openStream(url, host.http2, 'countTo', [3], { 'last-event-id': '2' })
        expect(await some.rest()).toBe(`:\n\n${item(3)}${last}`)
      })

      test('a stream: items are sent as they come, and the client may leave', async () => {
        const { result } = (await callHost('production')) as { result: [number, string[]] }
        const stream = await openStream(url, host.http2, 'produce', [0])
        // The procedure waits: what has arrived was not kept for more.
        expect(await stream.until('"result":')).toContain('"result":""')
        stream.leave()
        if (host.skips.abort !== undefined) return
        await expect.poll(() => callHost('production')).toMatchObject({ result: [1, [...result[1], 'AbortError']] })
      })

      test.skipIf(isSkipped('abort'))('a stream: the procedure waits for a client that does not read', async () => {
        const { result } = (await callHost('production')) as { result: [number, string[]] }
        const stream = await openStream(url, host.http2, 'produce', [100_000])
        let before = -1
        const produced = async () => ((await callHost('production')) as { result: [number] }).result[0]
        await expect
          .poll(
            async () => {
              const [last, now] = [before, await produced()]
              before = now
              return now > 0 && now === last
            },
            { interval: 200, timeout: 10_000 },
          )
          .toBe(true)
        // What the sockets of both ends keep.
        expect(before).toBeLessThan(500)
        stream.leave()
        await expect
          .poll(async () => ((await callHost('production')) as { result: [number, string[]] }).result[1])
          .toHaveLength(result[1].length + 1)
      })

      test.skipIf(isSkipped('wire cases'))('the wire cases', async () => {
        for (const { name, body, headers, expected } of expectedOnTheWire) {
          const response = await connection.send({ headers, body })
          expect([name, response.status, response.headers['content-type'], response.body]).toEqual([name, ...expected])
        }
      })
    })
  })
}
