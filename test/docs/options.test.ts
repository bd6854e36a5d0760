import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { optionsPage, renderOptions } from '../../scripts/options.mjs'

test('docs/options.md is that of the docstrings: else run node scripts/options.mjs', () => {
  expect(readFileSync(optionsPage, 'utf8')).toBe(renderOptions())
})
