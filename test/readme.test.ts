import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { mustRun } from './support/run.js'
import { temporaryFolder } from './support/temporary-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = temporaryFolder('readme')

/** The block of TypeScript behind some words. */
function blockBehind(words: string): string {
  const at = readme.indexOf(words)
  expect(at, words).toBeGreaterThan(-1)
  return /```ts\n([\s\S]*?)^```$/m.exec(readme.slice(at))?.[1] ?? ''
}

test('the generated file that the README shows is what its example gives', async () => {
  const source = join(folder, 'src/procedures/math.ts')
  mkdirSync(dirname(source), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/rpc-gen'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(source, blockBehind('`src/procedures/math.ts`:'))
  await mustRun(folder, process.execPath, join(root, 'dist/generator/cli.cjs'), 'src/procedures')
  const generated = readFileSync(join(folder, 'src/rpc.gen.ts'), 'utf8')
  expect(blockBehind('## The generated file')).toBe(generated.slice(generated.indexOf('/** The procedures')))
})
