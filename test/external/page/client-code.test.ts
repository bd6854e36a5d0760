import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { describeProcedures } from '../../../runtime/call/describe.js'
import type { DescribedProcedure, TypesByName } from '../../../runtime/description/description.js'
import { type Sample, samplesOf } from '../../../runtime/page/code/index.js'
import { sampleCall } from '../../../runtime/page/sample.js'
import { compileIn, type Served, serveSockets } from '../../page/serving.js'
import { paths, root } from '../../support/paths.js'
import { run, runWith } from '../../support/run.js'
import { missingCommand, skipped } from '../../support/skip.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

// The page's code for kinds.ts, unchanged: TypeScript compiles it, and the server accepts the request.

interface Written extends Sample {
  readonly name: string
}

const folder = temporaryFolder('code')
let served: Served
let samples: readonly Written[]
let types: TypesByName

beforeAll(async () => {
  const procedures = await compileIn(folder, 'kinds.ts')
  const server = new RpcServer({ procedures, onError: () => {} })
  const app = new Hono().route('/rpc', server.router())
  served = await serveSockets(app)
  const description = describeProcedures(Object.values(procedures))
  types = new Map(description.types.map((each) => [each.name, each]))
  samples = description.procedures.flatMap(codeOf)
  for (const each of samples) if (each.language === 'TypeScript') writeFileSync(pathOf(each), each.code)
})

afterAll(() => served?.close())

function codeOf(procedure: DescribedProcedure): Written[] {
  const protocols = ['json-rpc', 'xml-rpc'] as const
  const url = `${served.origin}/rpc`
  const surroundings = { url, types, protocols, headers: { 'x-trace': "it's 7" } }
  return samplesOf(procedure, sampleCall(procedure, types), surroundings).map((each) => ({
    ...each,
    name: procedure.name,
  }))
}

function pathOf({ name, protocol }: Written): string {
  return join(folder, `${name}.${protocol}.ts`)
}

function written(language: string, protocol = ''): readonly Written[] {
  return samples.filter((each) => each.language === language && each.protocol.startsWith(protocol))
}

describe('code for every kind of type, and for every name', () => {
  test('is valid under the strictest options of TypeScript', async () => {
    expect(written('TypeScript').length).toBe(37)
    const compilerOptions = {
      target: 'ES2023',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      noEmit: true,
      paths,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const { output } = await run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', '.')
    expect(output.split('\n').filter((line) => /^\S+(?:json-rpc|xml-rpc|gen)\.ts/.test(line))).toEqual([])
  })

  test.each([
    // The subscription has two items.
    ['json-rpc', 20],
    ['xml-rpc', 18],
  ])('sends requests that the server accepts, in TypeScript and %s', async (protocol, logged) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      const failed: string[] = []
      for (const each of written('TypeScript', protocol)) {
        await import(pathOf(each)).catch((error) => failed.push(`${each.name}: ${error}\n${each.code}`))
      }
      expect(failed).toEqual([])
      expect(log).toHaveBeenCalledTimes(logged)
    } finally {
      log.mockRestore()
    }
  })

  test.skipIf(skipped('a client in Python', missingCommand('python3', '--version')))(
    'sends requests that the server accepts, in Python',
    async () => {
      const failed: string[] = []
      for (const { name, protocol, code } of written('Python')) {
        const { status, output } = await runWith({ no_proxy: '*' }, '.', 'python3', '-c', code)
        const isWell = protocol === 'json-rpc' ? /'result':/.test(output) : status === 0
        if (!isWell) failed.push(`${name}, ${protocol}: ${output.trim().split('\n').at(-1)}`)
      }
      expect(failed).toEqual([])
      const { code = '' } = written('Python', 'xml-rpc').find(({ name }) => name === 'kinds.example') ?? {}
      expect(code).toContain('"9007199254740993"')
    },
  )
})
