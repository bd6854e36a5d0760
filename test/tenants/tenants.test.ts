import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { memoryStore } from '../../fixtures/tenants/memory.js'
import { useStore } from '../../fixtures/tenants/store.js'
import { blocksOf } from '../support/blocks.js'
import { compileModule } from '../support/compile-module.js'
import { root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Application, applicationOf, members, testApplication } from './cases.js'

// The application of fixtures/tenants in memory; test/external/tenants/ has it on Postgres, with other clients.

const folder = join(root, 'fixtures/tenants')

test('the auth of the example in the README is that of its types', async () => {
  const example = blocksOf('README.md').find(({ text }) => text.includes('@auth'))?.text ?? ''
  const imports = `import type { RpcContext } from 'rpc-gen'\nimport { hasRole, isMember } from '${folder}/auth.js'\n\n`
  const made = temporaryFolder('readme')
  await compileModule(made, 'orders.ts', imports + example)
  const text = readFileSync(join(made, 'rpc.gen.ts'), 'utf8')
  expect(text).toContain("{ all: [authRule('isMember', auth.isMember), authRule('hasRole', auth.hasRole, ['clerk'])] }")
})

let application: Application

beforeAll(() => {
  const store = memoryStore(members)
  useStore(store)
  application = applicationOf(() => store.transactions)
})

testApplication(() => application)
