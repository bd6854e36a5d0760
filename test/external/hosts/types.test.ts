import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { notInstalled } from '../../hosts/external-hosts.js'
import { shown } from '../../hosts/pages.js'
import { writePrograms } from '../../hosts/start.js'
import { skipped } from '../../support/skip.js'

// The programs of the pages, checked with the types of their host.

const isBun = (file: string) => /^(drain-|websocket-)?bun/.test(file)
const isDeno = (file: string) => /^(drain-|websocket-)?deno/.test(file)
const isWorker = (file: string) => /^(websocket-)?worker|greet/.test(file)

let root: string

beforeAll(async () => {
  root = join(await writePrograms('types'), 'types')
  for (const { file, text } of shown) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  writeFileSync(join(root, 'rpc.gen.ts'), 'export const procedures = {}\n')
})

describe.skipIf(skipped('the types of the hosts', notInstalled)).each([
  ['node', (file: string) => !isBun(file) && !isDeno(file) && !isWorker(file)],
  ['bun', isBun],
  ['deno', isDeno],
  ['@cloudflare/workers-types', isWorker],
] as const)('with the types of %s', (types, belongs) => {
  test('the programs in the docs have no type errors', () => {
    const files = shown.map(({ file }) => file).filter(belongs)
    expect(files.length).toBeGreaterThan(0)
    const program = ts.createProgram(
      files.map((file) => join(root, file)),
      {
        target: ts.ScriptTarget.ES2023,
        // @types/deno leaves timers to it.
        lib: ['lib.es2023.d.ts', ...(types === 'deno' ? ['lib.dom.d.ts'] : [])],
        types: [types],
        configFilePath: join(root, 'tsconfig.json'),
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
    )
    const errors = ts.getPreEmitDiagnostics(program).map(({ file, messageText, start = 0 }) => {
      const line = file?.text.slice(0, start).split('\n').length
      return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(errors).toEqual([])
  })
})
