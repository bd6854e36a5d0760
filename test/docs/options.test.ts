import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderPages } from '../../scripts/options.mjs'

const pages = await renderPages()

test.each(pages)('the tables of $path are those of the code: else run node scripts/options.mjs', ({ path, text }) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})
