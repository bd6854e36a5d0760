import { join, relative } from 'node:path'
import { formatDiagnostic } from 'rpc-gen/generator'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { writeFiles } from '../support/project.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// The compiler that analyses is TypeScript 6, and that of the user may resolve modules in another way by default.

test.each([
  ['5.9.3', { module: 'commonjs' }, true],
  ['5.9.3', { module: 'esnext' }, true],
  ['5.9.3', {}, true],
  ['5.9.3', { module: 'nodenext' }, false],
  ['5.9.3', { module: 'preserve' }, false],
  ['5.9.3', { module: 'commonjs', moduleResolution: 'bundler' }, false],
  ['6.0.3', { module: 'commonjs' }, false],
  [undefined, { module: 'commonjs' }, false],
])('TypeScript %s with %j', async (version, compilerOptions, isReported) => {
  const cwd = writeFiles(temporaryFolder('module-resolution'), {
    'app/tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [], ...compilerOptions } }),
    'app/src/one.ts': '/** @rpc */\nexport const one = (): number => 1\n',
    ...(version && { 'node_modules/typescript/package.json': JSON.stringify({ name: 'typescript', version }) }),
  })
  const { diagnostics } = await generate({ cwd, paths: ['app/src'], out: 'app/src/rpc.gen.ts' })
  const message = `RPC106 TypeScript ${version} without "moduleResolution" does not read the exports of a package, so rpc-gen/codegen/v1 is not found`
  expect(diagnostics.map((each) => formatDiagnostic(each).split('\n')[0])).toEqual(
    isReported ? [expect.stringContaining(message)] : [],
  )
})

test.each(['AMD', 'UMD', 'System', 'None'])('modules of the form %s without moduleResolution', async (module) => {
  const cwd = writeFiles(temporaryFolder('module-resolution'), {
    'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [], module } }),
    'src/one.ts': "import type { Int } from 'rpc-gen'\n/** @rpc */\nexport const one = (): Int => 1\n",
  })
  const { diagnostics } = await generate({ cwd, paths: ['src'] })
  expect(diagnostics.map((each) => formatDiagnostic(each).split('\n')[0])).toEqual([
    expect.stringContaining(
      `RPC106 module ${module} without "moduleResolution" does not read the exports of a package`,
    ),
  ])
})

test('a glob is relative to the working directory, whose own path may have brackets', async () => {
  const source = '/** @rpc */\nexport const one = (): number => 1\n'
  const cwd = writeFiles(join(temporaryFolder('globs'), 'app (old) [1]'), { 'src/one.ts': source })
  for (const path of ['src/*.ts', 'src/@(one|two).ts', `${cwd}/src/*.ts`]) {
    const { model, diagnostics } = await generate({ cwd, paths: [path] })
    expect([diagnostics, model.procedures.map(({ name }) => name)]).toEqual([[], ['one']])
  }
})

test('the default output is beside a folder or a file, whatever its name is, and beside the literal part of a glob', async () => {
  const source = '/** @rpc */\nexport const one = (): number => 1\n'
  const cwd = writeFiles(temporaryFolder('outputs'), { 'src/(app)/[id]/one.ts': source })
  const outputs = ['src/(app)', 'src/(app)/[id]/one.ts', 'src/**/*.ts', 'src/(app)/', '.', '*/**/one.ts'].map(
    async (path) => {
      const { files } = await generate({ cwd, paths: [path] })
      return relative(cwd, files[0]?.path ?? '')
    },
  )
  expect(await Promise.all(outputs)).toEqual([
    'src/rpc.gen.ts',
    'src/(app)/[id]/rpc.gen.ts',
    'rpc.gen.ts',
    'src/rpc.gen.ts',
    'rpc.gen.ts',
    'rpc.gen.ts',
  ])
})
