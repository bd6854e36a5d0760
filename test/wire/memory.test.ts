import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, jsonText, xml, xmlText } from '../support/requests.js'
import { type Child, startChild } from './memory/child.js'
import { bodies, laughter } from './memory/hostile.js'

// A server in a separate process: after each kind of hostile request it responds, and uses no more memory than before.

/** Only the ratio counts: how much it is depends on the machine. */
const most = 1.1

let server: Child
let atRest = 0

const headOf = (type: string, length: number | string) =>
  `POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const request = (type: string, body: string) => headOf(type, Buffer.byteLength(body)) + body

async function post(type: string, body: string): Promise<string> {
  const options = { method: 'POST', headers: { 'Content-Type': type }, body }
  return (await fetch(`http://127.0.0.1:${server.port}/rpc`, options)).text()
}

async function expectResponses(): Promise<void> {
  expect(await post('application/json', json)).toBe(jsonText)
  expect(await post('text/xml', xml)).toBe(xmlText)
}

/** After all clients have disconnected: on a busy machine the server notices that later. */
async function expectAtRest(): Promise<void> {
  await expectResponses()
  let held = (await server.query('memory')) / atRest
  for (let tries = 0; held >= most && tries < 50; tries += 1) {
    await wait(100)
    held = (await server.query('memory')) / atRest
  }
  expect(held).toBeLessThan(most)
}

const times = (count: number, run: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

/** Sends a text on each of several connections and leaves them open. */
async function open(count: number, text: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  await times(count, async () => {
    const socket = await server.connect()
    socket.write(text)
    sockets.push(socket)
  })
  return sockets
}

/** Reads until the text has arrived. */
async function hear(socket: Socket, end: string): Promise<string> {
  let traffic = ''
  socket.setEncoding('utf8')
  while (!traffic.endsWith(end)) traffic += (await once(socket, 'data'))[0]
  return traffic
}

const hearAll = (sockets: readonly Socket[], end: string) => Promise.all(sockets.map((socket) => hear(socket, end)))

function leave(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy()
}

beforeAll(async () => {
  server = await startChild()
  // Code is compiled, chunks are loaded and pools are filled once: which is not a leak.
  for (let round = 0; round < 2; round++) {
    for (const [, type, body] of bodies) await post(type, body)
    const sockets = await open(200, request('application/json', json))
    await hearAll(sockets, jsonText)
    leave(sockets)
  }
  await expectResponses()
  atRest = await server.query('memory')
}, 120_000)

afterAll(() => server?.stop())

test.each(bodies)('%s (%s)', async (_, type, body) => {
  for (let round = 0; round < 2; round++) await times(5, () => post(type, body))
  await expectAtRest()
})

test('entities are not expanded', async () => {
  for (const [name, body] of Object.entries(laughter)) {
    const text = await post('text/xml', body)
    expect(text, name).toContain('<int>-32700</int>')
    expect(text.length, name).toBeLessThan(600)
  }
  await expectAtRest()
})

test.each([
  ['half a body', 200, headOf('application/json', 500) + json],
  ['half of a large body', 20, headOf('text/xml', 4_000_000) + ' '.repeat(1_000_000)],
  ['half a head', 200, 'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Ty'],
  ['a request whose response is not read', 200, request('application/json', json)],
])('clients that disconnect during a request: %s', async (_, count, text) => {
  const sockets = await open(count, text)
  await expectResponses()
  leave(sockets)
  await expectAtRest()
})

test('100 clients that end after half a body', async () => {
  for (const socket of await open(100, headOf('application/json', 500) + json)) socket.end()
  await expectAtRest()
})

test('a Content-Length that is too short: the rest is not a request', async () => {
  const sockets = await open(1, headOf('application/json', 20) + json)
  const rejection = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'
  expect((await hearAll(sockets, rejection))[0]).not.toContain(jsonText)
  leave(sockets)
  await expectAtRest()
})

test('a Content-Length that is too long: only that connection waits', async () => {
  const sockets = await open(50, headOf('application/json', json.length + 1) + json)
  await expectResponses()
  for (const socket of sockets) socket.write(' ')
  await hearAll(sockets, jsonText)
  leave(sockets)
  await expectAtRest()
})

test.each(['-1', 'x', '1e3', '99999999999999999999', '10, 20'])(
  'a Content-Length of %s is rejected',
  async (length) => {
    const sockets = await open(1, headOf('application/json', length) + json)
    expect((await hearAll(sockets, '\r\n\r\n'))[0]).toMatch(/^HTTP\/1\.1 400 /)
    leave(sockets)
    await expectAtRest()
  },
)

test('50 clients that send byte by byte: the others are served meanwhile', async () => {
  const sockets = await open(50, '')
  for (const [index, char] of [...request('text/xml', xml)].entries()) {
    for (const socket of sockets) socket.write(char)
    await wait(1)
    if (index % 50 === 0) await expectResponses()
  }
  await hearAll(sockets, xmlText)
  leave(sockets)
  await expectAtRest()
})

test('1,000 kept connections, each used twice', async () => {
  const sockets = await open(1000, request('application/json', json))
  await hearAll(sockets, jsonText)
  expect(await server.query('connections')).toBeGreaterThanOrEqual(1000)
  await expectResponses()
  for (const socket of sockets) socket.write(request('text/xml', xml))
  await hearAll(sockets, xmlText)
  leave(sockets)
  await expectAtRest()
})

test('a stored parameter does not retain its request body', async () => {
  const before = await server.query('memory')
  expect(await server.query('keep')).toBe(100)
  expect((await server.query('memory')) / before).toBeLessThan(most)
})
