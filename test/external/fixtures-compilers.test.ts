import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { withoutNocheck } from '../support/checked.js'
import { install } from '../support/install.js'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { run } from '../support/run.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { landmarks } from './matrix/projects.js'

// The generated modules of all fixtures, checked strictly by the compilers that users have, with the declarations of dist/.

const tools = join(root, 'test/external/matrix')
const notInstalled = await install(tools)
const folder = temporaryFolder('compilers')

const options = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    'rpc-gen': [join(root, 'dist/runtime/index.d.ts')],
    'rpc-gen/client': [join(root, 'dist/runtime/client/index.d.ts')],
    'rpc-gen/codegen/v1': [join(root, 'dist/runtime/codegen.d.ts')],
  },
}

beforeAll(() => {
  requireBuild()
  cpSync(join(root, 'fixtures/generate'), folder, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // An export whose name is not an identifier is syntax of TypeScript 5.6.
  const config = { compilerOptions: options, include: ['.'], exclude: ['node_modules', 'odd-names'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.gen.ts') || path.startsWith('node_modules')) continue
    const at = join(folder, path)
    writeFileSync(at, withoutNocheck(readFileSync(at, 'utf8')))
  }
})

/** Errors of fixtures' sources: some expect errors of other options, or of types that are newer than the compiler. */
const isOfSource = (line: string) => /^\S+\/source\.ts\(.* TS(?:2578|2315):/.test(line)

describe.skipIf(skipped('compilers of other versions', notInstalled))('every generated module', () => {
  test.each(landmarks)('passes TypeScript %s', async (compiler) => {
    const { output } = await run(folder, process.execPath, join(tools, `node_modules/ts${compiler}/bin/tsc`), '-p', '.')
    const lines = output.split('\n').filter((line) => /error TS/.test(line))
    expect(lines.filter((line) => !isOfSource(line))).toEqual([])
  })
})
