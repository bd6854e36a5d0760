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
  let [connections, busy, streams, broken, waits] = [0, 0, 0, 0, 0]
  const item = (value: unknown) =>
    `data: {"jsonrpc":"2.0","method":"later","params":{"subscription":1,"result":${value}}}`
  const last = 'data: {"jsonrpc":"2.0","result":null,"id":1}'
  const listening = await listen((request, response) => {
    const path = request.url ?? ''
    const asked: Readonly<Record<string, unknown>> = {
      '/requests': headers.length,
      '/headers': headers,
      '/connections': connections,
      '/streams': streams,
    }
    if (path in asked) return void response.end(JSON.stringify(asked[path]))
    headers.push(request.headers)
    if (request.headers.accept?.startsWith('text/event-stream')) {
      streams += 1
      response.on('close', () => {
        streams -= 1
      })
    }
    const events = (...texts: string[]) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      for (const text of texts) response.write(text)
      response.end()
    }
    const send = (text: string, status = 200, more = {}) => response.writeHead(status, more).end(text)
    const drip = (start: string, more: string) => {
      const { socket } = request
      socket.write(start)
      const timer = setInterval(() => socket.write(more), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const paths: Readonly<Record<string, () => unknown>> = {
      '/html': () => send('<h1>Bad gateway</h1>', 502),
      '/nan': () => send('{"jsonrpc":"2.0","result":NaN,"id":1}'),
      '/code': () => send('{"jsonrpc":"2.0","error":{"code":"E7","message":"sold out"},"id":1}'),
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
      // Each connection has one event.
      '/broken': () => {
        broken += 1
        events(broken < 3 ? `id: ${broken}\n${item(broken)}\n\n` : `${last}\n\n`)
      },
      // One event, and no end of the response.
      '/lost': () => {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        response.write(`${item(1)}\n\n`, () => response.destroy())
      },
      // After its first event, two requests come too early: one with, and one without an error of the protocol.
      '/streams-busy': () => {
        waits += 1
        const tooMany = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"too many"},"id":1}'
        if (waits === 1) return events(`id: 1\n${item(1)}\n\n`)
        return waits > 3 ? events(`${last}\n\n`) : send(waits === 2 ? '' : tooMany, 503, { 'Retry-After': '1' })
      },
      '/broken-forever': () => events(`id: 1\n${item(1)}\n\n`),
      '/silent': () => {},
      '/without-ids': () => events(`${item(1)}\n\n`),
      '/plain': () => send('{"jsonrpc":"2.0","result":1,"id":1}'),
      '/none': () => send('{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}'),
      '/odd-events': () => {
        const text = `\uFEFF: comment\r\n\r\nretry: 1\r\nid: ä\r\n${item(1)}\r\n\r\nevent: x\r${item(2).replace(',', ',\rdata:')}\r\r${last}\r\r`
        events(...text)
      },
      '/wrong-events': () => events('data: {\n\n'),
      '/large-event': () => events(`data: ${'x'.repeat(5000)}`),
      '/large-lines': () => events(...Array(50).fill('data: x\n'.repeat(10))),
      '/large-text': () => {
        for (let i = 0; i < 50; i += 1) response.write(' \n\n'.repeat(20))
        response.end('1')
      },
      // 1000 bytes are enough for each of them.
      '/many-events': () =>
        events(...Array(50).fill(`:\n\n: ${'x'.repeat(90)}\r\n\r`), `\n${item(1)}\n\n`, `${last}\n\n`),
      '/odd-fields': () => events(`id: ${'x'.repeat(2000)}\nretry: ${'9'.repeat(5000)}\n${item(1)}\n\n${last}\n\n`),
      // Never silent for long, and never complete.
      '/drip-head': () => drip('HTTP/1.1 200 OK\r\nX: ', 'x'),
      '/drip-continue': () => drip('', 'HTTP/1.1 100 Continue\r\n\r\n'),
      '/drip-size': () => drip('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '0'),
      '/drip-body': () => drip('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' '),
      // The response comes when the client may have continued after the one before it.
      '/early': () => {
        response.writeEarlyHints({ link: '</rpc>; rel=preload' })
        setTimeout(() => handle(request, response), 20)
      },
      '/events-503': () =>
        response.writeHead(503, { 'Content-Type': 'text/event-stream' }).end(`${item(1)}\n\n${last}\n\n`),
      '/many-events-503': () => {
        response.writeHead(503, { 'Content-Type': 'text/event-stream' }).end(`${item(1)}\n\n`.repeat(100))
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
