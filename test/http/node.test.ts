import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nodeHandler } from 'rpc-gen/node'
import { expect, onTestFinished, test } from 'vitest'
import { json, jsonAnswer, serverOf, xml, xmlAnswer } from './ask.js'

/** Listens on a free port and returns the URL. */
async function listen(options: Parameters<typeof serverOf>[0] = {}): Promise<string> {
  const server = createServer(nodeHandler(serverOf(options)))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/any/path`
}

test.each([
  ['JSON', 'application/json', json, jsonAnswer],
  ['XML', 'text/xml', xml, xmlAnswer],
])('%s', async (_, type, body, answer) => {
  const response = await fetch(await listen(), { method: 'POST', headers: { 'Content-Type': type }, body })
  expect([response.status, await response.text()]).toEqual([200, answer])
  expect(response.headers.get('content-length')).toBe(`${Buffer.byteLength(answer)}`)
})
