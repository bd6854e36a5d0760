import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { expectServer, xmlCall } from '../package/calls.js'
import { serving, sharing, sources, tracing, tsconfig } from '../package/project.js'
import { sizeOf } from '../package/size.js'
import { compileProjects } from '../support/compile-projects.js'
import { pack } from '../support/package.js'
import { root } from '../support/paths.js'
import { writeFiles } from '../support/project.js'
import { mustRun, run } from '../support/run.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const clean = { status: 0, output: '' }

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let project: string
let tarball: string
let packed: readonly string[]
let packedBytes: number
/** The errors of TypeScript 6, by the set-up of the project. */
let errors: Readonly<Record<'esm' | 'esmPreserve' | 'cjs' | 'cjsNode16', readonly string[] | undefined>>

/** An empty project outside the repository, the packed tarball installed into it. */
beforeAll(async () => {
  project = temporaryFolder('package')
  const { files, size, tarball: file } = await pack()
  ;[tarball, packed, packedBytes] = [file, files, size]
  writeFiles(project, {
    ...sources,
    ...tracing,
    'sharing.mjs': sharing,
    'package.json': JSON.stringify({ name: 'own', private: true, type: 'module' }),
    'tsconfig.json': tsconfig('nodenext'),
  })
  const beside = ['hono', '@hono/node-server', '@types/node', 'ts-morph'].map((name) => `${name}@${versionOf(name)}`)
  const compilers = [`ts6@npm:typescript@${versionOf('typescript')}`, 'ts7@npm:typescript@7.0.2']
  await mustRun(project, 'npm', 'install', '--no-audit', '--no-fund', tarball, ...beside, ...compilers)
  await mustRun(project, 'npx', 'rpc-gen', 'src/procedures')
  const inCjs = writeFiles(join(project, 'cjs'), {
    ...sources,
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': tsconfig('nodenext'),
  })
  await mustRun(project, 'npx', 'rpc-gen', 'cjs/src/procedures')
  const [esm, esmPreserve, cjs, cjsNode16] = await compileProjects(join(project, 'node_modules/ts6'), [
    { folder: project, isEmitted: true },
    { folder: project, options: { noEmit: true, module: 'preserve', moduleResolution: 'bundler' } },
    { folder: inCjs, isEmitted: true },
    { folder: inCjs, options: { noEmit: true, module: 'node16' } },
  ])
  errors = { esm, esmPreserve, cjs, cjsNode16 }
}, 300_000)

/** The exact version that this project is developed with. */
function versionOf(name: string): string {
  return packageJson.devDependencies[name]
}

function ts7(...args: string[]) {
  return run(project, process.execPath, 'node_modules/ts7/bin/tsc', '--noEmit', ...args)
}

describe('the tarball', () => {
  test('contains the build and the documents, no test and no fixture', () => {
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json']
    const others = [...documents, 'dist/generator/cli.cjs', 'dist/cjs/package.json', 'dist/LICENSES.txt']
    const bundled = /^dist\/(?:generator\/[\w/-]+\.js|runtime\/[\w/-]+\.js(?:\.map)?)$/
    const declared =
      /^dist\/(?:(generator|runtime)\/[a-z\d/-]+\.d\.ts(?:\.map)?|cjs\/(generator|runtime)\/[a-z\d/-]+\.d\.ts)$/
    const source = /^dist\/src\/(?:generator|runtime)\/[a-z\d/.-]+\.tsx?$/
    const expected = (path: string) => [bundled, declared, source].some((each) => each.test(path))
    expect(packed.filter((path) => !expected(path)).sort()).toEqual(others.sort())
  })

  // Upper bounds: they rise with a feature only.
  test('has at most 566 files and 1088 kB', () => {
    expect(packed.length).toBeLessThanOrEqual(566)
    expect(packedBytes).toBeLessThanOrEqual(1_088_000)
  })

  test("a user's bundle loads XML, the OpenRPC document, streams and the docs page on demand", async () => {
    const module = "export { Hono } from 'hono'; export { RpcServer } from '@dist/index.js'"
    const { first, later } = await sizeOf(module)
    expect(first).toBeLessThanOrEqual(55_500)
    expect(Object.keys(later).sort()).toEqual([
      'codec',
      'compatibility',
      'decompress',
      'discover',
      'documents',
      'events',
      'fallback',
      'page',
    ])
    expect(later['codec']).toBeLessThanOrEqual(10_850)
    expect(later['discover']).toBeLessThanOrEqual(5_950)
    expect(later['events']).toBeLessThanOrEqual(2_450)
    // With fast-xml-parser.
    expect(later['fallback']).toBeLessThanOrEqual(33_000)
    // With hono/jsx, 5.5 kB.
    expect(later['page']).toBeLessThanOrEqual(47_400)
  })

  test("a user's bundle has the formats that its types use", async () => {
    const sizeWith = async (names: string) =>
      (await sizeOf(`export { RpcServer } from '@dist/index.js'; export { ${names} } from '@dist/codegen.js'`)).first
    const without = await sizeWith('constrained, string')
    expect((await sizeWith('constrained, string, durationFormat')) - without).toBeLessThanOrEqual(200)
    expect((await sizeWith('constrained, string, idnHostnameFormat')) - without).toBeLessThanOrEqual(1500)
  })

  test('rpc-gen/mcp adds 13.7 kB to a bundle that imports it', async () => {
    const module = "export { Hono } from 'hono'; export { RpcServer } from '@dist/index.js'"
    const [without, added] = [await sizeOf(module), await sizeOf(`${module}; export { mcp } from '@dist/mcp/index.js'`)]
    expect(added.first - without.first).toBeLessThanOrEqual(13_650)
  })

  test('maps every declaration and every script of the runtime to TypeScript in the package', () => {
    const textOf = (path: string) => readFileSync(join(project, 'node_modules/rpc-gen', path), 'utf8')
    const sourcesOf = (map: string): string[] =>
      JSON.parse(textOf(map)).sources.map((source: string) => posix.join(dirname(map), source))
    const declarations = packed.filter((path) => path.endsWith('.d.ts'))
    expect(declarations.length).toBeGreaterThan(100)
    for (const path of declarations) {
      const [, map = ''] = /\/\/# sourceMappingURL=(.+)$/.exec(textOf(path)) ?? []
      const sources = sourcesOf(posix.join(dirname(path), map))
      expect(sources).toHaveLength(1)
      expect(packed).toContain(sources[0])
    }
    const isOurs = (path: string) => !/\/(?:assets|fast-xml-parser)-/.test(path)
    const scripts = packed.filter((path) => /^dist\/runtime\/.*\.js$/.test(path) && isOurs(path))
    const unmapped = scripts.filter((path) => !packed.includes(`${path}.map`))
    expect(scripts.length - unmapped.length).toBeGreaterThan(8)
    for (const path of scripts.filter((each) => !unmapped.includes(each))) {
      expect(sourcesOf(`${path}.map`).filter((source) => !packed.includes(source))).toEqual([])
    }
    // These have nothing to map: they export what is in other files.
    const ownCode = (path: string) =>
      textOf(path).replace(/^(?:import|export) \{.*\} from ".*";$|^export \{.*\};$/gm, '')
    expect(unmapped.filter((path) => ownCode(path).trim() !== '')).toEqual([])
  })

  test('publint finds nothing', async () => {
    const { status, output } = await run(
      root,
      process.execPath,
      'node_modules/publint/src/cli.js',
      'run',
      tarball,
      '--strict',
    )
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('All good!') })
  })

  // One JavaScript for both: `require` loads ESM since Node 20.19, which attw does not know, with separate types.
  test('the types resolve from every entry', async () => {
    const attw = ['node_modules/@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'node16']
    const ignored = ['--ignore-rules', 'cjs-resolves-to-esm', 'false-cjs']
    const { status, output } = await run(
      root,
      process.execPath,
      ...attw,
      ...ignored,
      '--no-definitely-typed',
      '--no-emoji',
    )
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('rpc-gen/codegen/v1') })
  })
}, 300_000)

/** What sharing.mjs prints: the chunks have one copy of each class and of what is known of a function. */
const shared = { imported: true, codegen: true, client: true, node: 'function', registered: 3, tool: '3', thrown: 422 }

describe('an ESM project', () => {
  test('the outputs are up to date', async () => {
    expect((await run(project, 'npx', 'rpc-gen', 'src/procedures', '--check')).status).toBe(0)
  })

  test('TypeScript 6 and 7 accept it under nodenext', async () => {
    expect(errors.esm).toEqual([])
    expect(await ts7()).toEqual(clean)
  })

  test('TypeScript 6 and 7 accept it under preserve and bundler', async () => {
    expect(errors.esmPreserve).toEqual([])
    expect(await ts7('--module', 'preserve', '--moduleResolution', 'bundler')).toEqual(clean)
  })

  test('it serves calls over HTTP, and the entry points share their state', async () => {
    await expectServer(join(project, 'dist/server.js'))
    expect(JSON.parse(await mustRun(project, process.execPath, 'sharing.mjs', 'import', './dist'))).toEqual(shared)
  })
}, 300_000)

describe('a CommonJS project', () => {
  test('TypeScript 6 and 7 accept it under nodenext', async () => {
    expect(errors.cjs).toEqual([])
    expect(await ts7('-p', 'cjs')).toEqual(clean)
  })

  test('TypeScript 6 and 7 accept it under node16', async () => {
    expect(errors.cjsNode16).toEqual([])
    expect(await ts7('-p', 'cjs', '--module', 'node16')).toEqual(clean)
  })

  test('it serves calls over HTTP, and the entry points share their state', async () => {
    await expectServer(join(project, 'cjs/dist/server.js'))
    expect(JSON.parse(await mustRun(project, process.execPath, 'sharing.mjs', 'require', './cjs/dist'))).toEqual(shared)
  })
}, 300_000)

describe('a server in production', () => {
  let folder: string

  beforeAll(async () => {
    folder = temporaryFolder('production')
    const manifest = JSON.stringify({ name: 'production', private: true, type: 'module' })
    writeFileSync(join(folder, 'package.json'), manifest)
    writeFileSync(join(folder, 'calls.mjs'), serving)
    mkdirSync(join(folder, 'src/procedures'), { recursive: true })
    writeFileSync(
      join(folder, 'src/procedures/math.ts'),
      '/** @rpc */\nexport function one(): number {\n  return 1\n}\n',
    )
    cpSync(join(project, 'dist'), join(folder, 'dist'), { recursive: true })
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball, `hono@${versionOf('hono')}`)
  }, 300_000)

  const generate = (...args: string[]) =>
    run(folder, process.execPath, 'node_modules/rpc-gen/dist/generator/cli.cjs', ...args)

  test('serves without the compiler', async () => {
    expect(existsSync(join(folder, 'node_modules/ts-morph'))).toBe(false)
    const results: [number, string, boolean][] = JSON.parse(await mustRun(folder, process.execPath, 'calls.mjs'))
    expect(results.map(([, , isRight]) => isRight)).toEqual([true, true, true, true, true])
  })

  // An upper bound: a third is the sources, for editors and stack traces.
  test('installs at most 4.3 MB beside Hono', () => {
    const modules = join(folder, 'node_modules')
    const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('hono/'),
    )
    const sizes = files.map((path) => lstatSync(join(modules, path))).map((stats) => (stats.isFile() ? stats.size : 0))
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(4_300_000)
  })

  test('the command reports how to install the compiler, and writes nothing', async () => {
    expect(await generate('src/procedures')).toEqual({
      status: 2,
      output: 'rpc-gen: the compiler is not installed: npm install --save-dev ts-morph@28\n',
    })
    expect(existsSync(join(folder, 'src/rpc.gen.ts'))).toBe(false)
    expect((await generate('--version')).status).toBe(0)
  })

  test('another version of the compiler is an error', async () => {
    const fake = join(folder, 'node_modules/ts-morph')
    mkdirSync(fake)
    writeFileSync(join(fake, 'package.json'), JSON.stringify({ name: 'ts-morph', version: '27.0.2' }))
    expect(await generate('src/procedures')).toEqual({
      status: 2,
      output: 'rpc-gen: ts-morph 27.0.2 is installed, expected 28: npm install --save-dev ts-morph@28\n',
    })
    rmSync(fake, { recursive: true })
  })

  test('the reported line installs the compiler, which --omit=dev leaves out', async () => {
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', '--save-dev', 'ts-morph@28')
    expect((await generate('src/procedures')).status).toBe(0)
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', '--omit=dev')
    expect(existsSync(join(folder, 'node_modules/ts-morph'))).toBe(false)
  })
}, 300_000)

describe('the oldest Hono of the peer range', () => {
  const [oldest = ''] = /\d+\.\d+\.\d+/.exec(packageJson.peerDependencies.hono) ?? []
  let folder: string

  beforeAll(async () => {
    folder = temporaryFolder('oldest-hono')
    const manifest = JSON.stringify({ name: 'oldest', private: true, type: 'module' })
    writeFileSync(join(folder, 'package.json'), manifest)
    writeFileSync(join(folder, 'calls.mjs'), serving)
    cpSync(join(project, 'dist'), join(folder, 'dist'), { recursive: true })
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', tarball, `hono@${oldest}`)
  }, 300_000)

  test('serves JSON, XML, the document and the page', async () => {
    const installed = JSON.parse(readFileSync(join(folder, 'node_modules/hono/package.json'), 'utf8')).version
    expect(installed).toBe(oldest)
    expect(JSON.parse(await mustRun(folder, process.execPath, 'calls.mjs'))).toEqual([
      [200, 'application/json', true],
      [200, 'text/xml; charset=utf-8', true],
      [200, 'application/json', true],
      [200, 'text/html; charset=utf-8', true],
      [405, 'text/plain; charset=UTF-8', true],
    ])
  })
}, 300_000)

test('engines and dependencies are ranges, which npm can deduplicate', () => {
  expect(packageJson.engines).toEqual({ node: '^20.19 || ^22.12 || >=24' })
  expect(Object.values(packageJson.dependencies)).not.toHaveLength(0)
  for (const range of Object.values(packageJson.dependencies)) expect(range).toMatch(/^\^\d/)
})

describe('modules loaded at run time', () => {
  test('the trace contains packages', async () => {
    expect(await loadedBy('control.mjs')).toEqual(expect.arrayContaining(['hono', 'ts-morph']))
  })

  test('rpc-gen and rpc-gen/codegen/v1: hono only', async () => {
    expect(await loadedBy('doors.mjs')).toEqual(['hono', 'rpc-gen'])
  })

  test('a generated module that served JSON: hono only', async () => {
    const call = '{"jsonrpc":"2.0","method":"add","params":[1,2],"id":1}'
    expect(await loadedBy('ask.mjs', 'application/json', call, '"result":3')).toEqual(['hono', 'rpc-gen'])
  })

  test('a generated module that served XML: hono only', async () => {
    const call = xmlCall('add', '<int>1</int>', '<int>2</int>')
    expect(await loadedBy('ask.mjs', 'text/xml', call, '<int>3</int>')).toEqual(['hono', 'rpc-gen'])
  })
}, 300_000)

/** The packages that a script loads, by name, sorted. */
async function loadedBy(script: string, ...args: string[]): Promise<string[]> {
  const trace = await mustRun(project, process.execPath, '--import', './trace.mjs', script, ...args)
  const names = trace.split('\n').map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1])
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
