import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeHosts } from '../../hosts/checks.js'
import { externalHosts, hosts } from '../../hosts/external-hosts.js'
import { hostPrograms } from '../../hosts/pages.js'
import { start, writePrograms } from '../../hosts/start.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { inapplicable, skipped } from '../../support/skip.js'

test('every program in the docs is tested', () => {
  const files = hosts.map(({ file }) => file)
  // The route handler is what next.mjs calls.
  expect(files).toEqual(
    expect.arrayContaining(hostPrograms.map(({ file }) => file.replace('app/rpc/route.ts', 'next.mjs'))),
  )
})

describeHosts('external-hosts', externalHosts)

const clients = join(root, 'test/clients/jsonrpc')
const noJayson = await install(clients)

describe('jayson', () => {
  let programs: string

  beforeAll(async () => {
    programs = await writePrograms('jayson')
  })

  for (const { name, file, path, runtime, skipReason, skips } of hosts) {
    const isSkipped =
      inapplicable(`${name}, jayson`, skips.jayson) || skipped(`${name}, jayson`, skipReason ?? noJayson)
    test.skipIf(isSkipped)(name, async () => {
      const running = await start(runtime, programs, file)
      onTestFinished(async () => void (await running.stop()))
      const jayson = createRequire(join(clients, 'x.js'))('jayson/promise')
      const client = jayson.client.http(running.origin + path)
      expect(await client.request('add', [1, 2])).toMatchObject({ result: 3 })
      const batch = [
        client.request('add', [1, 2], undefined, false),
        client.request('add', { a: 3, b: 4 }, undefined, false),
      ]
      expect(await client.request(batch)).toMatchObject([{ result: 3 }, { result: 7 }])
      expect(await client.request('fail', [7, 'é'])).toMatchObject({ error: { code: 7, message: 'é' } })
    })
  }
})
