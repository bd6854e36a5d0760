import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic, type GenerateOptions, type Model } from 'rpc-gen/generator'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../generator/diff/change.js'
import { lockText } from '../../generator/diff/lock.js'
import { compareVersions, parseVersion, type Version } from '../../generator/diff/version.js'
import { servedModel } from '../../generator/model/model.js'
import { openRpcOf } from '../../runtime/description/openrpc-document.js'
import { checkedErrors } from '../support/checked.js'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'

const update = process.env['UPDATE_FIXTURES'] === '1'

/** Compares with the expected file; `npm run fixtures` writes it again. */
function expectFile(path: string, text: string): void {
  if (update) writeFileSync(path, text)
  expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '')
}

function casesOf(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** The options of a case besides its sources, in a separate file. */
function optionsOf(folder: string): Partial<GenerateOptions> {
  const file = join(folder, 'options.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** The changes of an API to itself, as sources, as a lock and as a document. */
function changesToItself(model: Model): Change[] {
  const description = servedModel(model)
  const document: object = JSON.parse(JSON.stringify(openRpcOf(description)))
  const versions: Version[] = [
    { kind: 'sources', name: 'the sources', description },
    parseVersion(lockText(description), 'the lock'),
    { kind: 'document', name: 'the document', document },
  ]
  const areCompared = (old: Version, now: Version) => !/lock.*document|document.*lock/.test(`${old.kind} ${now.kind}`)
  return versions.flatMap((old) =>
    versions.filter((now) => areCompared(old, now)).flatMap((now) => compareVersions(old, now)),
  )
}

describe('generated outputs', () => {
  test.each(casesOf('fixtures/generate'))('%s', async (name) => {
    const folder = join(root, 'fixtures/generate', name)
    const { files, diagnostics, model } = await generate({
      paths: ['.'],
      out: 'expected.gen.ts',
      cwd: folder,
      ...optionsOf(folder),
    })
    expect(diagnostics).toEqual([])
    expect(files[0]?.path).toBe(join(folder, 'expected.gen.ts').replaceAll('\\', '/'))
    for (const { path, text } of files) expectFile(path, text)
    expect(changesToItself(model)).toEqual([])
  })

  test('those of fixtures/tenants, an application with a configuration', async () => {
    const folder = join(root, 'fixtures/tenants')
    const options = JSON.parse(readFileSync(join(folder, 'rpc.config.json'), 'utf8'))
    const { files, diagnostics } = await generate({ ...options, cwd: folder })
    expect(diagnostics).toEqual([])
    for (const { path, text } of files) expectFile(path, text)
  })

  test('no line of a generated file is longer than 120 columns', () => {
    const paths = casesOf('fixtures/generate').flatMap((name) => {
      const folder = join(root, 'fixtures/generate', name)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      return files.flatMap((file) => (file.endsWith('.gen.ts') ? [join(folder, file)] : []))
    })
    expect(paths.length).toBeGreaterThan(60)
    const lines = paths.flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    // A literal type cannot be broken.
    const isLiteralType = (line: string) => /^\s*(?:\| |\w+: )'[^']*';?$/.test(line)
    expect(lines.filter((line) => line.length > 120 && !isLiteralType(line))).toEqual([])
  })

  test('every generated module passes the strictest TypeScript', () => {
    const config = join(root, 'fixtures/generate/tsconfig.json')
    // The runtime's sources are in the program too, and are not a library built for isolatedDeclarations; neither is
    // a source whose results are inferred, which that option does not allow.
    const isOther = (line: string) =>
      line.startsWith('runtime/') ||
      /(?:absent-members|auth-schemes|inferred-results|subscriptions)\/source\.ts.* TS90\d\d:/.test(line)
    expect(checkedErrors(config).filter((line) => !isOther(line))).toEqual([])
  })
})

describe('rejected sources', () => {
  test.each(casesOf('fixtures/reject'))('%s', async (name) => {
    const cwd = join(root, 'fixtures/reject', name)
    const { files, diagnostics } = await generate({ paths: ['.'], out: 'rpc.gen.ts', cwd, ...optionsOf(cwd) })
    expect(files).toEqual([])
    expectFile(join(cwd, 'expected.txt'), `${diagnostics.map(formatDiagnostic).join('\n')}\n`)
  })
})
