import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { run } from './support/run.js'

const root = fileURLToPath(new URL('..', import.meta.url))

test('the pages and charts of the benchmarks are those of bench/results.json', async () => {
  expect(await run(root, process.execPath, 'bench/harness/report.mjs', '--check')).toEqual({ status: 0, output: '' })
})
