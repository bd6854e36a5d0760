import { expect, test } from 'vitest'
import { type DrainProgram, describeDrain } from '../../hosts/drain-checks.js'
import { notInstalled } from '../../hosts/external-hosts.js'
import { drainPrograms } from '../../hosts/pages.js'
import { bunRuntime, denoRuntime } from '../../hosts/runtimes.js'
import { node } from '../../hosts/start.js'

const hosts: readonly DrainProgram[] = [
  { file: 'drain-hono.ts', servesMore: true },
  { file: 'drain-fastify.ts', servesMore: true, runtime: { ...node, skipReason: notInstalled } },
  { file: 'drain-bun.ts', runtime: bunRuntime },
  { file: 'drain-deno.ts', runtime: denoRuntime },
]

test('every program that the page shows is tested', () => {
  // drain.test.ts has the other ones.
  const files = ['drain-node.ts', 'drain-http2.ts', 'drain-all.ts', ...hosts.map(({ file }) => file)]
  expect(files.sort()).toEqual(drainPrograms.map(({ file }) => file).sort())
})

describeDrain('external-drain', hosts)
