import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { skipped } from '../support/skip.js'
import { Peer } from '../websocket/serving.js'
import { type Runtime, start, writePrograms } from './start.js'

// WebSocket over every host, as docs/guide/websocket.md mounts it.

export interface WebSocketHost {
  readonly file: string
  readonly runtime: Runtime
  /** What is in `context.env`. */
  readonly env: string
}

const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id })

/** Tests the hosts, whose programs are written to the folder `name`. */
export function describeWebSocketHosts(name: string, hosts: readonly WebSocketHost[]): void {
  let programs: string

  beforeAll(async () => {
    programs = await writePrograms(name)
  })

  describe.each(hosts)('$file', ({ file, runtime, env }) => {
    describe.skipIf(skipped(file, runtime.skipReason))('served', () => {
      let url: string

      beforeAll(async () => {
        const running = await start(runtime, programs, file)
        url = `${running.origin.replace('http:', 'ws:')}/rpc`
        return () => running.stop()
      })

      async function connect(options?: ClientOptions): Promise<Peer> {
        const peer = await Peer.open(new WebSocket(url, options))
        onTestFinished(() => peer.socket.terminate())
        return peer
      }

      test('calls, batches, notifications and bytes', async () => {
        const peer = await connect()
        peer.call(1, 'add', 1, 2)
        expect(await peer.next()).toEqual(result(3))
        peer.send([1, 2].map((id) => ({ jsonrpc: '2.0', method: 'add', params: [id, 1], id })))
        expect(await peer.next()).toEqual([result(2), result(3, 2)])
        peer.send({ jsonrpc: '2.0', method: 'add', params: [1, 2] })
        peer.send('{')
        expect(await peer.next()).toMatchObject({ error: { code: -32700 }, id: null })
        for (const padding of ['', 'ä'.repeat(100), 'x'.repeat(100_000)]) {
          peer.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'echo.string', params: [padding], id: 1 })))
          expect(await peer.next()).toEqual(result(padding))
        }
      })

      test('many calls at once, and a large response', async () => {
        const peer = await connect()
        for (let id = 0; id < 1000; id += 1) peer.call(id, 'add', id, 1)
        for (let id = 0; id < 1000; id += 1) expect(await peer.next()).toEqual(result(id + 1, id))
        const text = 'x'.repeat(500_000)
        for (let id = 0; id < 10; id += 1) peer.call(id, 'echo.string', text)
        for (let id = 0; id < 10; id += 1) expect(await peer.next()).toEqual(result(text, id))
      })

      test('the request of the upgrade, and the arguments of the host', async () => {
        const peer = await connect({ headers: { 'X-Test': 'seen', Authorization: 'Bearer sesame' } })
        peer.call(1, 'where')
        expect(await peer.next()).toEqual(result({ url: url.replace('ws:', 'http:'), method: 'GET', header: 'seen' }))
        peer.call(2, 'secret')
        expect(await peer.next()).toEqual(result('open', 2))
        peer.call(3, 'platform', env)
        expect(await peer.next()).toMatchObject({ result: [true, expect.any(Boolean)] })
        const stranger = await connect()
        stranger.call(1, 'secret')
        expect(await stranger.next()).toMatchObject({ error: { code: -32098 } })
      })

      test('notifications to the client', async () => {
        const peer = await connect()
        peer.call(1, 'countUp', 3)
        for (const at of [1, 2, 3]) expect(await peer.next()).toEqual({ jsonrpc: '2.0', method: 'count', params: [at] })
        expect(await peer.next()).toEqual(result(true))
      })

      test('a closed connection aborts the signal of its calls', async () => {
        const hangs = async () => {
          const peer = await connect()
          peer.call(1, 'hangs')
          return ((await peer.next()) as { result: unknown }).result
        }
        for (const [count, leave] of [
          [1, (peer: Peer) => peer.close()],
          [2, (peer: Peer) => peer.socket.terminate()],
        ] as const) {
          const peer = await connect()
          peer.call(1, 'hang')
          await expect.poll(hangs).toEqual([count, Array(count - 1).fill('AbortError')])
          leave(peer)
          await expect.poll(hangs).toEqual([count, Array(count).fill('AbortError')])
        }
      })

      test('a page of another host is rejected, and other requests are served over HTTP', async () => {
        await expect(connect({ origin: 'https://evil.example' })).rejects.toThrow('403')
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
        const body = '{"jsonrpc":"2.0","method":"countUp","params":[1],"id":1}'
        const response = await fetch(url.replace('ws:', 'http:'), { ...init, body })
        expect(await response.json()).toEqual(result(false))
      })
    })
  })
}
