import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningServer } from '../../scripts/demo/serving.mjs'
import { prepareShowcase, startShowcase } from '../../scripts/demo/showcase.mjs'
import { cases, written } from '../openrpc/written.js'
import { procedures } from '../showcase/expected.js'
import { install } from '../support/install.js'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { mustRun } from '../support/run.js'
import { skipped } from '../support/skip.js'

const folder = join(root, 'test/openrpc')
const missing = await install(folder)
const isSkipped = skipped('OpenRPC documents judged by @open-rpc/schema-utils-js and test-coverage', missing)

describe.skipIf(isSkipped)('@open-rpc/schema-utils-js', () => {
  let validate: (document: unknown) => true | Error

  beforeAll(async () => {
    const entry = join(folder, 'node_modules/@open-rpc/schema-utils-js/build/index.js')
    const module = await import(pathToFileURL(entry).href)
    validate = (module.default ?? module).validateOpenRPCDocument
  })

  test('rejects invalid documents', () => {
    expect(validate({ openrpc: '1.4.1', info: { title: 'x', version: '1' }, methods: [{ name: 'x' }] })).not.toBe(true)
  })

  test.each(cases)('%s is valid', async (name) => {
    expect(validate(await written(name))).toBe(true)
  })
})

describe.skipIf(isSkipped)('@open-rpc/test-coverage calls the showcase by its document', () => {
  let server: RunningServer

  beforeAll(async () => {
    requireBuild()
    prepareShowcase()
    server = await startShowcase()
  })

  afterAll(() => server?.stop())

  test('every response is correct', async () => {
    // Excluded methods fail whatever the call.
    const output = await mustRun(root, process.execPath, join(folder, 'coverage.mjs'), server.url, 'closeBooks')
    const calls = output.split('\n').filter((line) => line.startsWith('{"method"'))
    const requests = calls.map((line) => JSON.parse(line))
    expect(requests.filter(({ valid }) => !valid)).toEqual([])
    expect([...new Set(requests.map(({ method }) => method))]).toEqual(
      procedures.filter((name) => name !== 'closeBooks'),
    )
  })
})
