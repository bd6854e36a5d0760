import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blocksOf } from '../support/blocks.js'
import { cli } from '../support/command.js'
import { install } from '../support/install.js'
import { paths, root } from '../support/paths.js'
import { requireBuild, writeFiles } from '../support/project.js'
import { type Finished, mustRun, run } from '../support/run.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// Linters and formatters leave generated files alone: by themselves, or with the lines of docs/reference/generated-module.md.

const tools = join(root, 'test/external/linters')
const notInstalled = await install(tools)

/** The files of the page, by their path. */
const shown = Object.fromEntries(
  blocksOf('docs/reference/generated-module.md').flatMap(({ text }) => {
    const [, path, content] = /^(?:\/\/|#) file: (\S+)\n([\s\S]*)$/.exec(text) ?? []
    return path === undefined ? [] : [[path, content ?? '']]
  }),
)

const source = `/** A tool in the stock. */
export interface Tool {
  name: string
  photo?: Uint8Array
  bought: Date
}

/**
 * True for a clerk.
 *
 * @param request The request of the call
 * @returns True for a clerk
 */
export function isClerk(request: Request): boolean {
  return request.headers.has('x-clerk')
}

/**
 * Stores a tool.
 *
 * @param tool The tool
 * @param further Other names of it
 * @returns The tool as stored
 * @rpc
 * @auth isClerk
 * @throws {Error} If there is no room
 */
export function store(tool: Tool, ...further: string[]): { tool: Tool; further: Record<string, unknown> } {
  return { tool, further: { further } }
}
`

/** What linters have to keep: a namespace, and an import that only tags name. */
const linked = `/**
 * The stock.
 * @namespace stock
 * @auth {@link isClerk}
 */
import type { RpcContext } from 'rpc-gen'
import { isClerk } from './store.js'

/**
 * Removes a tool.
 * @param name The name of the tool
 * @rpc
 * @auth {@link isClerk}
 * @idempotent
 * @timeout 500ms
 * @mcp
 */
export function remove(name: string): void {
  name.trim()
}

/**
 * Finds tools.
 * @param name A part of the name
 * @returns Their names
 * @rpc
 * @auth {@link isClerk}
 */
export function find(name: string, { signal }: RpcContext): string[] {
  return signal.aborted ? [] : [name]
}
`

const project = {
  'package.json': '{ "name": "own", "private": true, "type": "module" }',
  'rpc.config.json': JSON.stringify({
    ...{ paths: 'src/procedures', out: 'src/rpc.gen.ts', client: 'src/client.gen.ts', lock: true },
    ...{ openrpc: 'openrpc.gen.json' },
  }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { module: 'nodenext', strict: true, types: [], skipLibCheck: true, paths },
    include: ['src'],
  }),
  'src/procedures/store.ts': source,
  'src/procedures/remove.ts': linked,
}

let folder: string

beforeAll(requireBuild)
beforeEach(async () => {
  folder = writeFiles(temporaryFolder('linters'), project)
  if (existsSync(join(tools, 'node_modules'))) symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'))
  await mustRun(folder, process.execPath, cli)
})

/** Fails if a generated file is not what rpc-gen writes. */
async function expectCurrent(): Promise<void> {
  expect(await run(folder, process.execPath, cli, '--check')).toEqual({ status: 0, output: '' })
}

test('Biome reports nothing and changes nothing, without any configuration', async () => {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const files = ['src/rpc.gen.ts', 'src/client.gen.ts']
  const { status, output } = await run(
    folder,
    process.execPath,
    biome,
    'check',
    '--write',
    '--error-on-warnings',
    ...files,
  )
  expect(status, output).toBe(0)
  await expectCurrent()
})

test('Biome keeps an import that only tags name', async () => {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const rules = { correctness: { noUnusedImports: 'error', noUnusedVariables: 'error' } }
  writeFiles(folder, { 'biome.json': JSON.stringify({ formatter: { enabled: false }, linter: { rules } }) })
  await mustRun(folder, process.execPath, biome, 'check', '--write', '--unsafe', 'src/procedures')
  expect(readFileSync(join(folder, 'src/procedures/remove.ts'), 'utf8')).toBe(linked)
})

describe.skipIf(skipped('ESLint and Prettier', notInstalled))('with the tools installed', () => {
  function eslint(...args: string[]): Promise<Finished> {
    const bin = join(tools, 'node_modules/eslint/bin/eslint.js')
    return run(folder, process.execPath, bin, '--max-warnings', '0', ...args)
  }

  test.each(['recommended', 'strict', 'stylistic'])('ESLint with %s of typescript-eslint: no report', async (name) => {
    const config = `import tseslint from 'typescript-eslint'\n\nexport default tseslint.config(tseslint.configs.${name})\n`
    writeFiles(folder, { 'eslint.config.js': config })
    const files = ['src/rpc.gen.ts', 'src/client.gen.ts']
    expect(await eslint(...files)).toEqual({ status: 0, output: '' })
    expect(await eslint('--fix', ...files)).toEqual({ status: 0, output: '' })
    await expectCurrent()
  })

  test('ESLint without a rule that the files break: the directive is not reported as unused, and not removed', async () => {
    const config = `import tseslint from 'typescript-eslint'

export default [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, rules: { 'no-debugger': 'error' } }]
`
    writeFiles(folder, { 'eslint.config.js': config })
    const unused = ['--report-unused-disable-directives', '--report-unused-inline-configs', 'error']
    expect(await eslint(...unused, 'src/rpc.gen.ts', 'src/client.gen.ts')).toEqual({ status: 0, output: '' })
    expect(await eslint('--fix', '.')).toEqual({ status: 0, output: '' })
    await expectCurrent()
  })

  test('ESLint with the configuration of the page: fixes change no generated file, and the tags are known', async () => {
    writeFiles(folder, shown)
    expect(await eslint('--fix', '.')).toEqual({ status: 0, output: '' })
    expect(readFileSync(join(folder, 'src/procedures/remove.ts'), 'utf8')).toBe(linked)
    await expectCurrent()
  })

  test('ESLint with all rules for parameters documents a destructured context as root0, which rpc-gen accepts', async () => {
    const lines = shown['eslint.config.js']?.replace(/^.*jsdoc\/(?:require-param|check-param-names)'.*\n/gm, '') ?? ''
    writeFiles(folder, { ...shown, 'eslint.config.js': lines })
    await eslint('--fix', '.')
    const fixed = readFileSync(join(folder, 'src/procedures/remove.ts'), 'utf8')
    expect(fixed).toMatch(/@param root0\n[\s\S]*@param root0\.signal\n/)
    await expectCurrent()
  })

  test('ESLint without these lines removes @namespace and reports the import, and noUnusedLocals does not', async () => {
    const config = `import jsdoc from 'eslint-plugin-jsdoc'
import tseslint from 'typescript-eslint'

export default tseslint.config(tseslint.configs.recommended, jsdoc.configs['flat/recommended-typescript'], {
  rules: { 'jsdoc/check-tag-names': ['warn', { typed: true, definedTags: ['namespace', 'rpc', 'auth', 'idempotent', 'timeout', 'mcp'] }] },
})
`
    writeFiles(folder, { 'eslint.config.js': config })
    const { output } = await eslint('--fix', 'src/procedures/remove.ts')
    expect(output).toMatch(/'isClerk' is defined but never used/)
    expect(readFileSync(join(folder, 'src/procedures/remove.ts'), 'utf8')).not.toContain('@namespace')
    writeFiles(folder, { 'src/procedures/remove.ts': linked })
    const tsc = join(tools, 'node_modules/typescript/bin/tsc')
    const checked = await run(folder, process.execPath, tsc, '--noEmit', '--noUnusedLocals', '-p', '.')
    expect(checked.output).not.toContain('isClerk')
  })

  test('Prettier with the lines of the page changes no generated file', async () => {
    const prettier = join(tools, 'node_modules/prettier/bin/prettier.cjs')
    writeFiles(folder, { '.prettierignore': shown['.prettierignore'] ?? '' })
    await mustRun(folder, process.execPath, prettier, '--write', '.')
    // The source has no semicolons until then.
    expect(readFileSync(join(folder, 'src/procedures/store.ts'), 'utf8')).toContain('return request.headers.has(')
    expect(readFileSync(join(folder, 'src/procedures/store.ts'), 'utf8')).toContain(';\n')
    await expectCurrent()
  })
})
