import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askClient } from '../support/ask-client.js'
import { install } from '../support/install.js'
import { inapplicable, lacks, skipped } from '../support/skip.js'
import { batch, calls, type Outcome } from './calls.js'
import { type Serving, startServing } from './server/start.js'

// Real clients of JSON-RPC over WebSocket, each in a process of its own, against a real port.

interface Client {
  readonly name: string
  readonly command: readonly string[]
  /** Why it cannot be run here. */
  readonly lacking: string | undefined
  /** What its interface has no way to send. */
  readonly without?: 'notification'
}

interface Report {
  readonly answers: readonly Outcome[]
  readonly batch: readonly Outcome[]
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const npm = await install(at('websocket'))
const ofNpm = (file: string, name: string, further: Partial<Client> = {}): Client => ({
  name,
  command: [process.execPath, at(`websocket/${file}`)],
  lacking: npm,
  ...further,
})

// Debian's package python3-websockets is for Debian's Python alone.
const importing = ['-c', 'import websockets']
const python = ['python3', '/usr/bin/python3'].find((command) => !lacks(command, ...importing)) ?? 'python3'

const clients: readonly Client[] = [
  ofNpm('ethers.mjs', "ethers 6.17.0's WebSocketProvider (npm)", { without: 'notification' }),
  ofNpm('viem.mjs', "viem 2.57.20's webSocket transport (npm)", { without: 'notification' }),
  ofNpm('rpc-websockets.mjs', 'rpc-websockets 10.0.1 (npm)'),
  { name: "Python's websockets", command: [python, at('websocket/python.py')], lacking: lacks(python, ...importing) },
]

let server: Serving

beforeAll(async () => {
  server = await startServing({ withWebSocket: true })
})

afterAll(() => server?.stop())

async function notes(): Promise<readonly string[]> {
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'notes', id: 1 })
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
  return (await (await fetch(`${server.url}/rpc`, init)).json()).result
}

for (const { name, command, lacking, without } of clients) {
  describe.skipIf(skipped(name, lacking))(name, () => {
    let report: Report

    beforeAll(async () => {
      const url = `${server.url.replace('http:', 'ws:')}/rpc`
      report = (await askClient([...command, url], { calls, batch, word: name })) as Report
    }, 60_000)

    test.each(calls.map((call, index) => ({ ...call, index })))('$what', ({ index, outcome }) => {
      expect(report.answers[index]).toEqual(outcome)
    })

    test('every call has a response', () => expect(report.answers).toHaveLength(calls.length))

    test('a batch', () => {
      expect(report.batch).toEqual(batch.map(({ outcome }) => outcome))
    })

    test.skipIf(inapplicable(`${name}: a notification`, without && 'it has no way to send one'))(
      'a notification arrives once',
      async () => {
        expect((await notes()).filter((note) => note === name)).toEqual([name])
      },
    )
  })
}
