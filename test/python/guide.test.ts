import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RpcServer } from 'rpc-gen'
import { nodeHandler } from 'rpc-gen/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../support/blocks.js'
import { generate } from '../support/generate.js'
import { type Listening, listen } from '../support/listen.js'
import { paths, root } from '../support/paths.js'
import { writeFiles } from '../support/project.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { missingPython, python } from './python.js'

const page = 'docs/guide/python.md'
const programs = blocksOf(page).flatMap(({ language, text }) => {
  const [, name = ''] = /^# file: (\S+)\n/.exec(text) ?? []
  return language === 'python' ? [{ name, text }] : []
})

describe.skipIf(skipped(page, missingPython))(page, () => {
  let folder: string
  let listening: Listening

  beforeAll(async () => {
    folder = temporaryFolder('python-guide')
    const [, source = ''] =
      /^```ts\n\/\/ file: src\/procedures\/stock\.ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8')) ??
      []
    const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, types: [], paths }
    writeFiles(folder, {
      'src/procedures/stock.ts': source,
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
    })
    const options = { cwd: folder, paths: ['src/procedures'], out: 'src/rpc.gen.ts', pythonClient: 'stock_client.py' }
    const { files, diagnostics } = await generate(options)
    expect(diagnostics).toEqual([])
    for (const { path, text } of files) writeFileSync(path, text)
    const { server }: { server: RpcServer } = await import(pathToFileURL(join(folder, 'src/rpc.gen.ts')).href)
    listening = await listen(nodeHandler(server))
  })
  afterAll(() => listening?.close())

  test.each(programs)('$name', async ({ name, text }) => {
    writeFileSync(join(folder, name), text.replace('http://127.0.0.1:3000/rpc', listening.url))
    const shown = [...text.matchAll(/^# (?!file: )(.*)$/gm)].map(([, line]) => `${line}\n`)
    expect(await python(['-W', 'ignore::ResourceWarning', name], '', {}, folder)).toBe(shown.join(''))
  })

  test('has programs', () => {
    expect(programs.length).toBeGreaterThan(5)
  })
})
