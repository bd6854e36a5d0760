import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { callAll } from '../../scripts/demo/call-all.mjs'
import { prepareShowcase } from '../../scripts/demo/showcase.mjs'
import { workerdRuntime } from '../hosts/runtimes.js'
import { type Running, start } from '../hosts/start.js'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { skipped } from '../support/skip.js'

describe.skipIf(skipped('the demo under workerd', workerdRuntime.skipReason))('the demo under workerd', () => {
  let running: Running

  beforeAll(async () => {
    requireBuild()
    prepareShowcase()
    const folder = join(root, 'fixtures/showcase/dist')
    const worker = `import { RpcServer } from 'rpc-gen'
import { procedures } from './rpc.gen.js'
export default { fetch: new RpcServer({ procedures, onError: () => {} }).fetch }
`
    writeFileSync(join(folder, 'worker.js'), worker)
    running = await start(workerdRuntime, folder, 'worker.ts')
    return () => running.stop()
  }, 120_000)

  test('every response is correct', async () => {
    expect(await callAll(`${running.origin}/rpc`)).toBe(0)
  })
})
