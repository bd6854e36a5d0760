import { beforeAll, test } from 'vitest'
import { WebSocket } from 'ws'
import { connectHttp1 } from './connection.js'
import { call, describeDrain, headers, result } from './drain-checks.js'
import { node, start, writePrograms } from './start.js'

describeDrain('drain', [
  { file: 'drain-node.ts', servesMore: true },
  { file: 'drain-http2.ts', http2: true },
  { file: 'drain-all.ts', servesMore: true },
])

let programs: string

beforeAll(async () => {
  programs = await writePrograms('cluster')
})

test.concurrent('SIGTERM to a program with other resources: they are closed in order, after the calls of WebSocket', async ({
  expect,
  onTestFinished,
}) => {
  const running = await start(node, programs, 'drain-all.ts')
  onTestFinished(async () => void (await running.stop()))
  const socket = new WebSocket(`${running.origin.replace('http', 'ws')}/rpc`)
  const received: unknown[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))
  // It ends after the server has stopped to accept requests.
  socket.send(call('meet', 1, 8000))
  running.terminate()
  expect(await closed).toBe(1001)
  expect(received).toEqual([JSON.parse(result(1).body)])
  expect(await running.ended).toBe(0)
  expect(running.log()).toBe('service.stop\nconnection.close\npool.end\ntelemetry.shutdown\n')
})

test.concurrent('SIGTERM to a cluster: each call has its response, and every process ends', async ({
  expect,
  onTestFinished,
}) => {
  const running = await start(node, programs, 'cluster.ts')
  onTestFinished(async () => void (await running.stop()))
  const url = `${running.origin}/rpc`
  const clients = connectHttp1(url, 20)
  onTestFinished(() => clients.close())
  // Each waits for itself alone: the calls are spread over several processes.
  const inFlight = Array.from({ length: 20 }, () => clients.send({ headers, body: call('meet', 1, 1000) }))
  await new Promise((resolve) => setTimeout(resolve, 500))
  running.terminate()
  for (const response of await Promise.all(inFlight)) expect(response).toMatchObject(result(1))
  // Its workers have its standard error, and would keep it open.
  expect(await running.ended).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})
