import { beforeAll, describe, test } from 'vitest'
import { skipped } from '../support/skip.js'
import { connectHttp1, connectHttp2 } from './connection.js'
import { node, type Runtime, start, writePrograms } from './start.js'
import { openStream } from './stream.js'

export interface DrainProgram {
  readonly file: string
  readonly runtime?: Runtime
  readonly http2?: true
  /** True if it still serves for some seconds, and each response closes its connection. */
  readonly servesMore?: true
}

const calls = 100
export const headers = { 'Content-Type': 'application/json' }
export const call = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
export const result = (value: unknown) => ({
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', result: value, id: 1 }),
})

/** Tests the programs, which are written to the folder `name`, at the same time: most of it is waiting. */
export function describeDrain(name: string, hosts: readonly DrainProgram[]): void {
  let programs: string
  let impatient: string

  beforeAll(async () => {
    programs = await writePrograms(name)
    impatient = await writePrograms(`${name}-streams`, (text) =>
      text.replaceAll(/\b20_000\b/g, '300').replaceAll(/\b6000\b/g, '300'),
    )
  })

  describe.concurrent.each(hosts)('$file', ({ file, runtime = node, http2, servesMore }) => {
    test.skipIf(skipped(file, runtime.skipReason))(
      'SIGTERM with 100 running calls: each has its response, and the process ends',
      async ({ expect, onTestFinished }) => {
        const running = await start(runtime, programs, file)
        onTestFinished(async () => void (await running.stop()))
        const url = `${running.origin}/rpc`
        const clients = http2 ? connectHttp2(url) : connectHttp1(url, calls)
        onTestFinished(() => clients.close())
        const send = (body: string) => clients.send({ headers, body })
        const inFlight = Array.from({ length: calls }, () => send(call('meet', calls, 1000)))
        const observer = http2 ? connectHttp2(url) : connectHttp1(url)
        await expect
          .poll(() => observer.send({ headers, body: call('meeting') }), { timeout: 20_000 })
          .toMatchObject(result(calls))
        observer.close()
        const idle = servesMore ? Array.from({ length: calls }, () => connectHttp1(url)) : []
        onTestFinished(() => {
          for (const each of idle) each.close()
        })
        const opened = await Promise.all(idle.map((each) => each.send({ headers, body: call('add', 1, 2) })))
        const sockets = opened.map(({ socket }) => socket)
        running.terminate()
        for (const response of await Promise.all(inFlight)) expect(response).toMatchObject(result(calls))
        if (servesMore) {
          // The connections of the calls, connections that were idle when the server received the signal, and new ones.
          const newOnes = connectHttp1(url, calls)
          onTestFinished(() => newOnes.close())
          const onIdle = idle.map((connection) => connection.send({ headers, body: call('add', 1, 2) }))
          const onNew = inFlight.map(() => newOnes.send({ headers, body: call('add', 1, 2) }))
          const more = await Promise.all([...inFlight.map(() => send(call('add', 1, 2))), ...onIdle, ...onNew])
          for (const response of more) {
            expect(response).toMatchObject(result(3))
            expect(response.headers.connection).toBe('close')
          }
          expect(more.slice(calls, 2 * calls).map(({ socket }) => socket)).toEqual(sockets)
        }
        expect(await running.ended).toBe(0)
        await expect(fetch(url)).rejects.toThrow()
      },
    )

    test.skipIf(skipped(file, runtime.skipReason))(
      'SIGTERM with a running stream: it ends without a last event, so that its client resumes it, and the process ends',
      async ({ expect, onTestFinished }) => {
        const running = await start(runtime, impatient, file)
        onTestFinished(async () => void (await running.stop()))
        const stream = await openStream(`${running.origin}/rpc`, http2 ?? false, 'produce', [0])
        await stream.until('"result":""')
        running.terminate()
        expect(await stream.rest()).toMatch(/"result":""\}\}\n\n(?::\n\n)*$/)
        expect(await running.ended).toBe(0)
      },
    )
  })
}
