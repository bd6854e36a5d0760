import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { isBuildFresh } from '../../scripts/fresh.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const recipe = "process.on('SIGTERM', () => server.close())"
const calls = 50

/** Prints the address, and a line when all calls are under way. */
const script = `
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'

const rpc = new RpcServer()
let running = 0
async function slow(id) {
  running += 1
  if (running === ${calls}) console.log('running')
  await new Promise((resolve) => setTimeout(resolve, 500))
  return id
}
rpc.registerProcedure(slow, { unchecked: true })
const app = new Hono().route('/rpc', rpc.router())
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))
${recipe}
`

test('SIGTERM with calls in flight: none is lost, and the process ends', async () => {
  if (!isBuildFresh()) throw new Error('dist/ is missing or older than the sources: run `npm run build` first')
  expect(readFileSync(`${root}/docs/security.md`, 'utf8')).toContain(recipe)
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const url = `http://127.0.0.1:${(await lines.next()).value}/rpc`
  const answers = Array.from({ length: calls }, async (_each, id) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'slow', params: [id], id })
    const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    return ((await response.json()) as { result: unknown }).result
  })
  expect((await lines.next()).value).toBe('running')
  child.kill('SIGTERM')
  expect(await Promise.all(answers)).toEqual(Array.from({ length: calls }, (_each, id) => id))
  expect(await ended).toEqual([0, null])
  await expect(fetch(url)).rejects.toThrow()
})
