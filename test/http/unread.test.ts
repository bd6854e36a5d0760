import type { RequestListener } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { text as buffered } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/listen.js'

// A connection with many requests whose responses are not read: the calls are not run, so that their responses do not pile up.

const megabytes = 7
const count = 40
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'large' })

/** A server of a procedure with a large result, and how often it has run. */
function largeServer(size = megabytes) {
  const server = new RpcServer()
  const result = Array(size).fill('x'.repeat(1e6))
  let runs = 0
  function large() {
    runs += 1
    return result
  }
  server.registerProcedure(large, { unchecked: true })
  return { server, runs: () => runs }
}

const listeners: Readonly<Record<string, (server: RpcServer) => RequestListener>> = {
  nodeHandler: (server) => nodeHandler(server),
  "Hono's adapter": (server) => getRequestListener(new Hono().route('/', server.router()).fetch),
}

for (const [name, listenerOf] of Object.entries(listeners)) {
  test(`${name}: of pipelined requests one is run until its response is read, then all in their order`, async () => {
    const { server, runs } = largeServer()
    const { port, close } = await listen(listenerOf(server))
    onTestFinished(close)
    const socket = connect(port, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    const request = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.write(request.repeat(count))
    await expect.poll(runs).toBe(1)
    await sleep(200)
    expect(runs()).toBe(1)
    let bytes = 0
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length
      if (bytes >= count * megabytes * 1e6) break
    }
    expect(runs()).toBe(count)
  })

  test(`${name}: a response that waits for its client takes little more memory than its bytes`, async () => {
    const { server, runs } = largeServer()
    const { port, close } = await listen(listenerOf(server))
    onTestFinished(close)
    const connections = 8
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < connections; i += 1) {
      const socket = connect(port, '127.0.0.1').pause()
      onTestFinished(() => void socket.destroy())
      socket.write(
        `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    }
    await expect.poll(runs).toBe(connections)
    await sleep(200)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.5 * connections * megabytes * 1e6)
  })

  test(`${name}: of pipelined requests for the docs page few are handled until they are read`, async () => {
    const requests = 2000
    let handled = 0
    const auth = (_request: Request) => {
      handled += 1
      return true
    }
    const { port, close } = await listen(listenerOf(new RpcServer({ docs: true, introspection: { auth } })))
    onTestFinished(close)
    const socket = connect(port, '127.0.0.1').pause()
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n'.repeat(requests))
    await expect.poll(() => handled).toBeGreaterThan(0)
    await sleep(300)
    expect(handled).toBeLessThan(requests / 2)
    socket.resume()
    await expect.poll(() => handled, { timeout: 10_000 }).toBe(requests)
  })

  test(`${name}: of streams of HTTP/2 few are run until their responses are read`, async () => {
    const { server, runs } = largeServer()
    const http2 = createHttp2Server(listenerOf(server) as never).listen(0, '127.0.0.1')
    onTestFinished(() => void http2.close())
    await new Promise((resolve) => http2.once('listening', resolve))
    const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    onTestFinished(() => session.destroy())
    const streams = Array.from({ length: count }, () => {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
      stream.end(body)
      return stream.pause()
    })
    await expect.poll(runs).toBeGreaterThan(0)
    await sleep(200)
    expect(runs()).toBeLessThan(5)
    await Promise.all(streams.map((stream) => new Promise((resolve) => void stream.resume().on('end', resolve))))
    expect(runs()).toBe(count)
  })

  test(`${name}: of batches over HTTP/2 few begin until their responses are read`, async () => {
    const { server } = largeServer()
    const text = 'x'.repeat(1e6)
    const begun = new Set<number>()
    function part(i: number): string {
      begun.add(i)
      const end = performance.now() + 5
      while (performance.now() < end);
      return text
    }
    server.registerProcedure(part, { unchecked: true })
    const http2 = createHttp2Server(listenerOf(server) as never).listen(0, '127.0.0.1')
    onTestFinished(() => void http2.close())
    await new Promise((resolve) => http2.once('listening', resolve))
    const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    onTestFinished(() => session.destroy())
    const streams = Array.from({ length: count }, (_, i) => {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
      stream.end(`[${Array(megabytes).fill(`{"jsonrpc":"2.0","id":1,"method":"part","params":[${i}]}`).join()}]`)
      return stream.pause()
    })
    await expect.poll(() => begun.size).toBeGreaterThan(0)
    await sleep(500)
    expect(begun.size).toBeLessThan(10)
    await Promise.all(streams.map((stream) => new Promise((resolve) => void stream.resume().on('end', resolve))))
    expect(begun.size).toBe(count)
  })

  test(`${name}: of HTTP/2 a response that is not read stops no call once another one has been read`, async () => {
    // Node itself rejects requests of a session that holds more than 10 MB.
    const { server } = largeServer(3)
    server.registerProcedure(() => 'small', { name: 'small', unchecked: true })
    const http2 = createHttp2Server(listenerOf(server) as never).listen(0, '127.0.0.1')
    onTestFinished(() => void http2.close())
    await new Promise((resolve) => http2.once('listening', resolve))
    const session = connectHttp2(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    onTestFinished(() => session.destroy())
    const request = (text: string) => {
      const stream = session.request({ ':method': 'POST', ':path': '/', 'content-type': 'application/json' })
      stream.end(text)
      return stream
    }
    const [, ...others] = [1, 2, 3].map(() => request(body).pause())
    await new Promise((resolve) => others.at(-1)?.once('response', resolve))
    const small = request(body.replace('large', 'small'))
    for (const other of others) other.resume()
    expect(await buffered(small)).toContain('"small"')
  })
}
