import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { memoryStore } from '../../fixtures/tenants/memory.js'
import { useStore } from '../../fixtures/tenants/store.js'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { type Application, applicationOf, members, testApplication } from './cases.js'

// The application of fixtures/tenants in memory; postgres.external.test.ts has it on Postgres, with other clients.

const folder = join(root, 'fixtures/tenants')

test('its module and its client are those of its sources', async () => {
  const options = JSON.parse(readFileSync(join(folder, 'rpc.config.json'), 'utf8'))
  const { files, diagnostics } = await generate({ ...options, cwd: folder })
  expect(diagnostics).toEqual([])
  for (const { path, text } of files) {
    if (process.env['UPDATE_FIXTURES'] === '1') writeFileSync(path, text)
    expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '')
  }
})

let application: Application

beforeAll(() => {
  const store = memoryStore(members)
  useStore(store)
  application = applicationOf(() => store.transactions)
})

testApplication(() => application)
