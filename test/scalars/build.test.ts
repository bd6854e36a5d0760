import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../support/paths.js'
import { createTestProject, requireBuild, type TestProject } from '../support/project.js'

const codec = (wire: string) => `import { defineScalar } from 'rpc-gen'
import { Decimal } from 'decimals'

export const decimal = defineScalar<Decimal, ${wire}>({
  decode: (sent) => new Decimal(sent),
  encode: (value) => value.sent() as never,
})
`

/** A package with a class, and procedures that use it. */
const files: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "type": "module" }\n',
  'tsconfig.json': '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext", "strict": true } }\n',
  'node_modules/decimals/package.json':
    '{ "name": "decimals", "version": "1.0.0", "type": "module", "types": "index.d.ts" }\n',
  'node_modules/decimals/index.d.ts':
    'export declare class Decimal {\n  constructor(text: string | number)\n  private text\n  sent(): unknown\n}\nexport default Decimal\n',
  'src/api/price.ts':
    "import type Decimal from 'decimals'\n\n/** @rpc */\nexport function price(of: string): Decimal {\n  throw new Error(of)\n}\n",
  'src/api/hello.ts': '/** @rpc */\nexport function hello(): string {\n  return ""\n}\n',
  'src/scalars.ts': codec('string'),
  'rpc.config.ts': `export default {
  paths: 'src/api',
  scalars: {
    Decimal: 'src/scalars.ts',
  },
}
`,
}

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject(files)
  mkdirSync(join(project.folder, 'node_modules'), { recursive: true })
  symlinkSync(root, join(project.folder, 'node_modules/rpc-gen'), 'junction')
})
afterEach(() => project.remove('.'))

const out = 'src/rpc.gen.ts'

async function generated(...args: string[]): Promise<string> {
  expect(await project.rpcGen(args)).toMatchObject({ status: 0, stderr: '' })
  return project.read(out)
}

/** The module as it is generated with cached parts, which has to be the same as without. */
async function regenerated(): Promise<string> {
  const cached = await generated()
  expect(await generated('--no-cache')).toBe(cached)
  return cached
}

test('a class of a package has a codec, whatever it is imported as', async () => {
  const text = await generated()
  expect(text).toContain("const decimal = scalar('Decimal', scalars.decimal, string)")
  expect(text).toContain('price: (of: string) => Decoded<typeof scalars.decimal>')
  expect(text).toContain("import * as scalars from './scalars.js'")
})

describe('a later run', () => {
  test('has nothing to do', async () => {
    await generated()
    expect((await project.rpcGen([])).stdout).toContain('(unchanged)')
  })

  test('detects another wire type', async () => {
    await generated()
    project.write('src/scalars.ts', codec('number'))
    expect(await regenerated()).toContain("scalar('Decimal', scalars.decimal, number)")
  })

  test('detects another wire type in a module that the codec imports', async () => {
    project.write('src/sent.ts', 'export type Sent = string\n')
    project.write('src/scalars.ts', `import type { Sent } from './sent.js'\n${codec('Sent')}`)
    expect(await generated()).toContain('scalars.decimal, string)')
    project.write('src/sent.ts', 'export type Sent = number\n')
    expect(await regenerated()).toContain('scalars.decimal, number)')
  })

  test('detects another edit, and keeps the codec', async () => {
    const before = await generated()
    project.write('src/api/hello.ts', '/** @rpc */\nexport function hello(): number {\n  return 1\n}\n')
    const after = await regenerated()
    expect(after).not.toBe(before)
    expect(after).toContain("scalar('Decimal', scalars.decimal, string)")
  })

  test('reports a removed codec', async () => {
    await generated()
    project.remove('src/scalars.ts')
    expect(await project.rpcGen([])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('rpc.config.ts:4:5 RPC150 there is no module src/scalars.ts'),
    })
  })

  test('detects that the configuration names another one', async () => {
    await generated()
    project.write('src/other-codecs.ts', codec('number').replace('decimal =', 'other ='))
    project.write('rpc.config.ts', project.read('rpc.config.ts').replace('src/scalars.ts', 'src/other-codecs.ts#other'))
    expect(await regenerated()).toContain("scalar('Decimal', otherCodecs.other, number)")
  })
})

describe('an error', () => {
  test('is at the line of the configuration, if that is invalid', async () => {
    project.write('rpc.config.ts', project.read('rpc.config.ts').replace('scalars.ts', 'scalars.ts#decimals'))
    expect((await project.rpcGen([])).stderr).toContain(
      'rpc.config.ts:4:5 RPC150 src/scalars.ts does not export a codec decimals of Decimal',
    )
  })

  test('is at the line of a configuration in package.json', async () => {
    project.remove('rpc.config.ts')
    const config = { paths: 'src/api', scalars: { Decimal: 'src/no.ts' } }
    project.write('package.json', JSON.stringify({ name: 'shop', type: 'module', 'rpc-gen': config }, undefined, 2))
    expect((await project.rpcGen([])).stderr).toContain('package.json:7:7 RPC150 there is no module src/no.ts')
  })

  test('is at the line of the codec, if that is invalid', async () => {
    project.write('src/scalars.ts', codec('string').replace('new Decimal(sent)', 'sent'))
    expect((await project.rpcGen([])).stderr).toContain(
      "src/scalars.ts:5:21 RPC150 TS2322: Type 'string' is not assignable to type 'Decimal'.",
    )
  })

  test('is a syntax error of the codec', async () => {
    project.write('src/scalars.ts', 'export const = 1\n')
    expect((await project.rpcGen([])).stderr).toContain('src/scalars.ts:1:14 RPC104')
  })

  test('ends the command, if the option is not an object of paths', async () => {
    project.write('rpc.config.ts', "export default { paths: 'src/api', scalars: ['src/scalars.ts'] }\n")
    expect(await project.rpcGen([])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('scalars: expected an object of'),
    })
  })
})

test('targets have separate codecs', async () => {
  project.write('src/numbers.ts', codec('number'))
  project.write(
    'rpc.config.ts',
    `export default [
  { name: 'texts', paths: 'src/api', out: 'src/texts.gen.ts', scalars: { Decimal: 'src/scalars.ts' } },
  { name: 'numbers', paths: 'src/api', out: 'src/numbers.gen.ts', scalars: { Decimal: 'src/numbers.ts' } },
]
`,
  )
  expect(await project.rpcGen([])).toMatchObject({ status: 0, stderr: '' })
  expect(project.read('src/texts.gen.ts')).toContain("scalar('Decimal', scalars.decimal, string)")
  expect(project.read('src/numbers.gen.ts')).toContain("scalar('Decimal', numbers.decimal, number)")
})

test('another wire type is a breaking change; another codec module is not', async () => {
  await generated('--lock')
  project.write('src/others.ts', codec('string'))
  project.write('rpc.config.ts', project.read('rpc.config.ts').replace('src/scalars.ts', 'src/others.ts'))
  expect(await project.rpcGen(['diff', 'rpc.lock.json'])).toMatchObject({ status: 0 })
  project.write('src/others.ts', codec('number'))
  const { status, stdout } = await project.rpcGen(['diff', 'rpc.lock.json'])
  expect(status).toBe(1)
  expect(stdout).toMatch(/price/)
})
