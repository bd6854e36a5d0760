import type { RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type RpcContext, RpcServer } from 'rpc-gen'
import { createClient } from 'rpc-gen/client'
import { nodeHandler } from 'rpc-gen/node'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openStream } from '../../hosts/stream.js'
import { install } from '../../support/install.js'
import { listen } from '../../support/listen.js'
import { root } from '../../support/paths.js'
import { startProcess } from '../../support/process.js'
import { missingCommand, skipped } from '../../support/skip.js'

// curl, and Express with middleware that compresses; nginx: hosts/nginx.test.ts, a browser: page/browser.test.ts.

const hosts = join(root, 'test/hosts')
const notInstalled = await install(hosts)

let release = () => {}
let ended: unknown[] = []

beforeEach(() => {
  release = () => {}
  ended = []
})

/** The second item comes when the test has seen the first one. */
async function* steps({ signal }: RpcContext): AsyncGenerator<string> {
  try {
    yield 'x'.repeat(2000)
    await new Promise<void>((resolve, reject) => {
      release = resolve
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    yield 'second'
  } finally {
    ended.push(signal.aborted ? signal.reason.name : 'returned')
  }
}

const server = new RpcServer({ onError: () => undefined })
server.registerProcedure(steps, { unchecked: true, subscription: true, contextTarget: 0 })
const body = '{"jsonrpc":"2.0","method":"steps","id":1}'

describe.skipIf(skipped('curl on a port', missingCommand('curl', '--version')))('curl -N', () => {
  const command = (url: string) => [
    ...['curl', '-N', '--silent', '--show-error', '--include', url],
    ...['-H', 'Content-Type: application/json', '-H', 'Accept: text/event-stream', '--data-binary', body],
  ]

  test('prints each event as it comes', async () => {
    const { url, close } = await listen(nodeHandler(server))
    onTestFinished(close)
    let printed = ''
    const started = await startProcess(command(url), {
      isReady: (output) => {
        printed = output
        return output.includes('"params"')
      },
    })
    expect(printed).not.toContain('second')
    release()
    expect(await started.ended).toBe(0)
    expect(started.log()).toMatch(/"result":"second"\}\}\n\ndata: \{"jsonrpc":"2.0","result":null,"id":1\}\n\n$/)
    expect(ended).toEqual(['returned'])
  })
})

describe.skipIf(skipped('Express', notInstalled))('Express with compression', () => {
  async function serve(): Promise<string> {
    const require = createRequire(join(hosts, 'x.js'))
    const app = require('express')()
    // Without a threshold it would compress everything.
    app.use(require('compression')({ threshold: 0, filter: () => true }))
    app.get('/', (_request: unknown, response: { send(text: string): void }) => response.send('plain'))
    app.use('/rpc', nodeHandler(server))
    const { url, close } = await listen(app as RequestListener)
    onTestFinished(close)
    return url
  }

  test('does not hold events back', async () => {
    const url = await serve()
    const plain = await fetch(url.replace('/rpc', '/'), { headers: { 'Accept-Encoding': 'gzip' } })
    expect(plain.headers.get('content-encoding')).toBe('gzip')
    const stream = await openStream(url, false, 'steps', [], { 'accept-encoding': 'gzip' })
    expect(stream.headers['content-encoding']).toBe(undefined)
    expect(await stream.until('"params"')).not.toContain('second')
    release()
    expect(await stream.rest()).toContain('"result":null')
  })

  test('a client that leaves', async () => {
    const stream = await openStream(await serve(), false, 'steps', [], { 'accept-encoding': 'gzip' })
    await stream.until('"params"')
    stream.leave()
    await expect.poll(() => ended).toEqual(['AbortError'])
  })

  test('the typed client', async () => {
    const client = createClient<{ steps: () => AsyncIterable<string> }>(await serve(), { subscriptions: ['steps'] })
    const lengths: number[] = []
    for await (const each of client.steps()) {
      lengths.push(each.length)
      release()
    }
    expect(lengths).toEqual([2000, 6])
  })
})
