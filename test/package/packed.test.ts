import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../../scripts/demo/serving.mjs'
import { compile } from '../support/compiler.js'
import { call, postJson } from '../support/json-rpc.js'
import { pack } from '../support/package.js'
import { root } from '../support/paths.js'
import { writeFiles } from '../support/project.js'
import { mustRun } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { expectServer } from './calls.js'
import { sources, tsconfig } from './project.js'

// The files of the package in projects with the packages of this one, for which nothing is downloaded. What npm installs, with
// compilers of other versions: test/external/package.test.ts and init.test.ts.

const { files } = await pack()
const beside = ['hono', '@hono/node-server', '@types/node', 'ts-morph', 'typescript']

/** Returns an empty project that has the package. */
function createProject(): string {
  const folder = temporaryFolder('packed')
  const modules = join(folder, 'node_modules')
  for (const path of files) cpSync(join(root, path), join(modules, 'rpc-gen', path))
  for (const name of beside) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction')
  }
  return folder
}

const rpcGen = (folder: string, ...args: string[]) =>
  mustRun(folder, process.execPath, 'node_modules/rpc-gen/dist/generator/cli.cjs', ...args)

test.each(['module', 'commonjs'])('a project of type %s is compiled and serves', async (type) => {
  const files = { ...sources, 'package.json': JSON.stringify({ type }), 'tsconfig.json': tsconfig('nodenext') }
  const folder = writeFiles(createProject(), files)
  await rpcGen(folder, 'src/procedures')
  expect(compile(folder)).toEqual([])
  await expectServer(join(folder, 'dist/server.js'))
})

test('what init writes is compiled and serves', async () => {
  const folder = createProject()
  await rpcGen(folder, 'init')
  await rpcGen(folder)
  expect(compile(folder)).toEqual([])
  const { url, stop } = await startServer(join(folder, 'dist/rpc.js'))
  onTestFinished(async () => void (await stop()))
  const response = await fetch(url, postJson(call('greet', ['Ada'])))
  expect(await response.json()).toEqual({ jsonrpc: '2.0', result: 'Hello, Ada', id: 1 })
})
