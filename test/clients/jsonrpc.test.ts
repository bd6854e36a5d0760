import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askClient } from '../support/ask-client.js'
import { install } from '../support/install.js'
import { lacks, skipped } from '../support/skip.js'
import { batch, calls, type Outcome } from './calls.js'
import { type Serving, startServing } from './server/start.js'

// Real JSON-RPC clients, each in a process of its own, against a real port.

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
const npm = await install(at('jsonrpc'))
const ofNpm = (file: string, name: string, further: Partial<Client> = {}): Client => ({
  name,
  command: [process.execPath, at(`jsonrpc/${file}`)],
  lacking: npm,
  ...further,
})

const clients: readonly Client[] = [
  ofNpm('jayson.mjs', 'jayson 5.0.0 (npm)'),
  ofNpm('json-rpc-2.0.mjs', 'json-rpc-2.0 1.8.1 (npm)'),
  ofNpm('open-rpc.mjs', '@open-rpc/client-js 2.1.0 (npm)'),
  ofNpm('ethers.mjs', "ethers 6.17.0's JsonRpcProvider (npm)", { without: 'notification' }),
  { name: 'fetch of Node', command: [process.execPath, at('jsonrpc/fetch.mjs')], lacking: undefined },
  { name: 'curl', command: [process.execPath, at('jsonrpc/curl.mjs')], lacking: lacks('curl', '--version') },
  {
    name: "Perl's HTTP::Tiny and JSON::PP",
    command: ['perl', at('jsonrpc/perl.pl')],
    lacking: lacks('perl', '-MHTTP::Tiny', '-MJSON::PP', '-e1'),
  },
]

let server: Serving

beforeAll(async () => {
  server = await startServing()
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
      report = (await askClient([...command, `${server.url}/rpc`], { calls, batch, word: name })) as Report
    }, 60_000)

    test.each(calls.map((call, index) => ({ ...call, index })))('$what', ({ index, outcome }) => {
      expect(report.answers[index]).toEqual(outcome)
    })

    test('every call was answered', () => expect(report.answers).toHaveLength(calls.length))

    test('a batch', () => {
      expect(report.batch).toEqual(batch.map(({ outcome }) => outcome))
    })

    if (without === 'notification') return

    test('a notification arrives once', async () => {
      expect((await notes()).filter((note) => note === name)).toEqual([name])
    })
  })
}
