import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'

test.each(['fixtures/server', 'fixtures/hono-middleware', 'fixtures/members', 'fixtures/limits'])(
  '%s: the module is up to date',
  async (folder) => {
    const out = `${folder}/procedures.gen.ts`
    const { files, diagnostics } = await generate({ cwd: root, paths: [`${folder}/procedures.ts`], out })
    expect(diagnostics).toEqual([])
    expect(files[0]?.text).toBe(readFileSync(join(root, out), 'utf8'))
  },
)
