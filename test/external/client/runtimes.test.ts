import { copyFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../scripts/demo/serving.mjs'
import { app } from '../../client/served.js'
import { root } from '../../support/paths.js'
import { bun, deno, esbuild, missingProgram, workerd } from '../../support/programs.js'
import { mustRun, runWith } from '../../support/run.js'
import { skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// The client in one bundle, under every runtime, against a server on a port.

const at = (path: string) => join(root, 'test/client', path)
const folder = temporaryFolder('client')
const bundles = { program: join(folder, 'program.mjs'), worker: join(folder, 'worker.js') }

const expected = {
  call: 19,
  text: 'é😀',
  values: ['2024-07-10T12:34:56.000Z', [0, 255]],
  named: -32602,
  notify: true,
  batch: [3, 2],
  automatic: [1, 2],
  error: [true, 7, 'no'],
  nowhere: [true, 404],
  unreachable: [true, null],
  aborted: 'enough',
  xml: [19, '2024-07-10T12:34:56.000Z', [0, 255]],
  multicall: [3, 'é'],
}

describe.skipIf(skipped('the client under other runtimes', missingProgram(esbuild)))('the same responses under', () => {
  let url = ''
  let stop = () => {}

  beforeAll(async () => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
    if (!server.listening) await new Promise<void>((resolve) => void server.once('listening', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rpc`
    stop = () => void server.close()
    const entryPoint = `--alias:rpc-gen/client=${at('../../runtime/client/index.ts')}`
    const flags = ['--bundle', '--format=esm', '--target=es2022', '--log-level=error', entryPoint]
    for (const [name, out] of Object.entries(bundles)) {
      await mustRun(folder, esbuild ?? '', at(`${name}.ts`), ...flags, `--outfile=${out}`)
    }
  })

  afterAll(() => stop())

  async function run(command: string, ...args: string[]): Promise<unknown> {
    const env = { DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' }
    const { status, output } = await runWith(env, folder, command, ...args, bundles.program, url)
    if (status !== 0) throw new Error(output)
    return JSON.parse(output)
  }

  test('Node', async () => {
    expect(await run(process.execPath)).toEqual(expected)
  })

  test.skipIf(skipped('Bun', missingProgram(bun)))('Bun', async () => {
    expect(await run(bun ?? '')).toEqual(expected)
  })

  test.skipIf(skipped('Deno', missingProgram(deno)))('Deno', async () => {
    expect(await run(deno ?? '', 'run', '--no-remote', '--allow-net')).toEqual(expected)
  })

  test.skipIf(skipped('workerd', missingProgram(workerd)))('workerd', async () => {
    const config = join(folder, 'config.capnp')
    copyFileSync(at('config.capnp'), config)
    const server = await startServer(config, {
      command: [workerd ?? '', 'serve', '--control-fd=1'],
      addressIn: (output) => /"port":(\d+)/.exec(output)?.[1]?.replace(/^/, 'http://127.0.0.1:'),
    })
    try {
      const response = await fetch(`${server.url}/?url=${encodeURIComponent(url)}`)
      const text = await response.text()
      expect(response.ok ? JSON.parse(text) : text).toEqual(expected)
    } finally {
      await server.stop()
    }
  })
})
