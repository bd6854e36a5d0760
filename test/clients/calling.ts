import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, postJson } from '../support/json-rpc.js'
import { runJsonClient } from '../support/run-client.js'
import { inapplicable, skipped } from '../support/skip.js'
import { batch, calls, type Outcome } from './calls.js'
import { type Serving, startServing } from './server/start.js'

/** A real client in a separate process, which makes the calls and reports the results. */
export interface Client {
  readonly name: string
  readonly command: readonly string[]
  /** Why it cannot be run here. */
  readonly notInstalled: string | undefined
  /** Calls that its interface cannot express. */
  readonly without?: 'notification'
}

interface Report {
  readonly responses: readonly Outcome[]
  readonly batch: readonly Outcome[]
}

/** Tests that every client gets what JSON-RPC specifies, over HTTP or WebSocket. */
export function describeClients(clients: readonly Client[], protocol: 'http:' | 'ws:'): void {
  let server: Serving

  beforeAll(async () => {
    server = await startServing({ withWebSocket: protocol === 'ws:' })
  })

  afterAll(() => server?.stop())

  async function notes(): Promise<readonly string[]> {
    return (await (await fetch(`${server.url}/rpc`, postJson(call('notes')))).json()).result
  }

  for (const { name, command, notInstalled, without } of clients) {
    describe.skipIf(skipped(name, notInstalled))(name, () => {
      let report: Report

      beforeAll(async () => {
        const url = `${server.url.replace('http:', protocol)}/rpc`
        report = (await runJsonClient([...command, url], { calls, batch, word: name })) as Report
      }, 60_000)

      test.each(calls.map((call, index) => ({ ...call, index })))('$what', ({ index, outcome }) => {
        expect(report.responses[index]).toEqual(outcome)
      })

      test('every call has a response', () => expect(report.responses).toHaveLength(calls.length))

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
}
