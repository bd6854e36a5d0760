import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calls } from '../../scripts/demo/calls.mjs'
import type { RunningServer } from '../../scripts/demo/serving.mjs'
import { prepareShowcase, startShowcase } from '../../scripts/demo/showcase.mjs'
import { listen } from '../support/listen.js'
import { root } from '../support/paths.js'
import { requireBuild } from '../support/project.js'
import { mustRun, runWith } from '../support/run.js'
import { missingCommand, skipped } from '../support/skip.js'
import { expected, fault, none, procedures, quoted, system, type Tagged } from './expected.js'

const noPython = missingCommand('python3', '--version')

interface Report {
  readonly called: readonly string[]
  readonly methods: readonly string[]
  readonly responses: Readonly<Record<string, Tagged>>
  readonly multicall: readonly Tagged[]
}

beforeAll(() => {
  requireBuild()
})

describe.skipIf(skipped("Python's client of the showcase", noPython))(
  "Python's xmlrpc.client calls the showcase",
  () => {
    let server: RunningServer
    let report: Report

    beforeAll(async () => {
      prepareShowcase()
      server = await startShowcase()
      const script = join(root, 'test/clients/showcase.py')
      report = JSON.parse(await mustRun(root, 'python3', script, server.url))
    }, 120_000)

    afterAll(() => server?.stop())

    test('lists every procedure, in source order', () => {
      expect(report.methods).toEqual([...procedures, ...system])
    })

    test('calls every procedure', () => {
      expect(report.called).toEqual([...procedures].sort())
      expect(Object.keys(report.responses)).toEqual(Object.keys(expected))
    })

    test.each(Object.entries(expected))('%s', (name, value) => {
      expect(report.responses[name]).toEqual(value)
    })

    test('several calls in one: each has its own result or fault', () => {
      expect(report.multicall).toEqual([
        quoted('Circular saw', '3', '13.5'),
        fault(404, 'No such tool: 99'),
        none,
        fault(-32603, 'Internal error'),
      ])
    })

    test('an internal error is logged by the server and not sent', () => {
      expect(server.log()).toContain('The books of 2026-05-04 are in the safe, code 0042')
      expect(server.log()).not.toContain('No such tool')
    })
  },
)

describe('npm run demo', () => {
  const demo = (port: string, ...args: string[]) =>
    runWith({ PORT: port }, root, process.execPath, 'scripts/demo/demo.mjs', ...args)

  test('--once calls everything over HTTP, and every response is correct', async () => {
    const { status, output } = await demo('', '--once')
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/Every response is correct\.\n$/) })
    expect(output.match(/^ {2}right$/gm)).toHaveLength(2 * calls.length)
    // The errors that the calls provoke are listed, without stacks.
    expect(output).toContain('Error: The books of 2026-05-04 are in the safe')
    expect(output).not.toMatch(/^ +at /m)
  }, 120_000)

  test('an occupied port is reported with a hint', async () => {
    const { port, close } = await listen(() => {})
    const { status, output } = await demo(`${port}`)
    close()
    expect(status).toBe(1)
    expect(output.trim().split('\n').at(-1)).toBe(
      `Port ${port} is in use: set PORT to another one, for instance PORT=3001`,
    )
  }, 120_000)

  test('a PORT that is not a port is rejected', async () => {
    expect(await demo('http')).toEqual({
      status: 1,
      output: 'PORT=http is not a port: expected a number from 0 to 65535\n',
    })
  })

  test('an unknown flag is wrong usage', async () => {
    expect((await demo('', '--twice')).status).toBe(2)
  })
})
