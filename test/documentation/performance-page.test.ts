import { expect, test } from 'vitest'
import { root } from '../support/paths.js'
import { run } from '../support/run.js'

test('the pages and charts of the benchmarks match bench/results.json', async () => {
  expect(await run(root, process.execPath, 'bench/harness/report.mjs', '--check')).toEqual({ status: 0, output: '' })
})
