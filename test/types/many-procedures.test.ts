import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { compilerOptions, root } from '../support/paths.js'
import { temporaryFolder } from '../support/temporary-folder.js'

/** The number of types that the compiler instantiates to check a caller of so many procedures. */
async function instantiations(count: number, caller: string): Promise<number> {
  const folder = temporaryFolder('many')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const functions = Array.from(
    { length: count },
    (_, i) => `/** @rpc */\nexport function find${i}(order: Order, at: Date): Order[] { return at ? [order] : [] }\n`,
  )
  writeFileSync(
    join(folder, 'source.ts'),
    `export interface Order { id: number; note?: string }\n${functions.join('')}`,
  )
  writeFileSync(join(folder, 'caller.ts'), caller)
  const { files, diagnostics } = await generate({ cwd: folder, paths: ['source.ts'] })
  expect(diagnostics).toEqual([])
  for (const { path, text } of files) writeFileSync(path, text)
  const { options: compiler } = ts.convertCompilerOptionsFromJson(compilerOptions, folder)
  const program = ts.createProgram([join(folder, 'caller.ts')], compiler)
  expect(program.getSemanticDiagnostics(program.getSourceFile(join(folder, 'caller.ts')))).toEqual([])
  return program.getInstantiationCount()
}

test.each([
  [
    'server.call',
    `import { server } from './rpc.gen.js'
export const orders = await server.call('find7', [{ id: 1 }, new Date()])
`,
  ],
  [
    'a typed client',
    `import { createClient } from 'rpc-gen/client'
import type { JsonProcedures } from './rpc.gen.js'
const client = createClient<JsonProcedures>('https://example.org/rpc')
export const orders = await client.find7({ id: 1 }, '2020-01-01')
`,
  ],
])('%s: an additional procedure costs the compiler fewer than 12 type instantiations', async (_what, caller) => {
  const [few, many] = [await instantiations(10, caller), await instantiations(510, caller)]
  expect((many - few) / 500).toBeLessThan(12)
})
