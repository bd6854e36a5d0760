import { expect, test } from 'vitest'
import { webSocketPrograms } from '../../hosts/pages.js'
import { bunRuntime, denoRuntime, workerdRuntime } from '../../hosts/runtimes.js'
import { describeWebSocketHosts, type WebSocketHost } from '../../hosts/websocket-checks.js'

const hosts: readonly WebSocketHost[] = [
  { file: 'websocket-bun.ts', runtime: bunRuntime, env: 'requestIP' },
  { file: 'websocket-deno.ts', runtime: denoRuntime, env: 'remoteAddr' },
  { file: 'websocket-worker.ts', runtime: workerdRuntime, env: 'GREETING' },
]

test('every program that the page shows is tested', () => {
  const files = hosts.map(({ file }) => file)
  // websocket.test.ts has the first.
  expect(['websocket-node.ts', ...files]).toEqual(webSocketPrograms.map(({ file }) => file))
})

describeWebSocketHosts('external-websocket', hosts)
