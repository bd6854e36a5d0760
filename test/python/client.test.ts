import { delimiter, join } from 'node:path'
import { RpcServer } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/python-client/expected.gen.js'
import { listen } from '../support/listen.js'
import { root } from '../support/paths.js'
import { skipped } from '../support/skip.js'
import { missingPython, python } from './python.js'

/** The fixture's server, with paths that respond otherwise, and questions about what came. */
async function serve() {
  const handle = nodeHandler(new RpcServer({ procedures, onError: () => {} }))
  const headers: unknown[] = []
  let [connections, busy] = [0, 0]
  const listening = await listen((request, response) => {
    const path = request.url ?? ''
    const asked: Readonly<Record<string, unknown>> = {
      '/requests': headers.length,
      '/headers': headers,
      '/connections': connections,
    }
    if (path in asked) return void response.end(JSON.stringify(asked[path]))
    headers.push(request.headers)
    const send = (text: string, status = 200, more = {}) => response.writeHead(status, more).end(text)
    const paths: Readonly<Record<string, () => unknown>> = {
      '/html': () => send('<h1>Bad gateway</h1>', 502),
      '/nan': () => send('{"jsonrpc":"2.0","result":NaN,"id":1}'),
      '/other-id': () => send('{"jsonrpc":"2.0","result":1,"id":2}'),
      '/wrong': () => send('{"jsonrpc":"2.0","result":"3","id":1}'),
      '/large': () => send(`"${'x'.repeat(20_000)}"`),
      '/cut': () => response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy()),
      '/full': () => send('', 503, { 'Retry-After': '3600' }),
      // Every third request is handled.
      '/busy': () => {
        busy += 1
        return busy % 3 === 0 ? handle(request, response) : send('', 503)
      },
      '/slow': () => setTimeout(() => handle(request, response), 300),
    }
    ;(paths[path] ?? (() => handle(request, response)))()
  })
  listening.server.on('connection', () => {
    connections += 1
  })
  return listening
}

test.skipIf(skipped('a generated client in Python', missingPython))('a generated client in Python', async () => {
  const { origin, close } = await serve()
  const folders = [join(root, 'fixtures/generate/python-client'), join(root, 'test/python')]
  const environment = { ORIGIN: origin, PYTHONPATH: folders.join(delimiter), PYTHONDONTWRITEBYTECODE: '1' }
  try {
    expect(await python([join(root, 'test/python/client.py')], '', environment)).toContain('3.')
  } finally {
    close()
  }
})
