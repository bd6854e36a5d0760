import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InternalsPage } from '../support/internals-page.js'
import { root } from '../support/paths.js'

const pages = readdirSync(join(root, 'docs/internals'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => new InternalsPage(name))

/** The files that the examples of the how-tos add. */
const added = new Set(['runtime/lines/options.ts', 'runtime/lines/index.ts', 'generator/build/markdown.ts'])

test('every file and function that the pages of docs/internals name exists', () => {
  expect(pages.flatMap((page) => page.missing()).filter((each) => !added.has(each))).toEqual([])
  expect(pages.flatMap(({ files }) => files).length).toBeGreaterThan(106)
  expect(pages.flatMap(({ names }) => names).length).toBeGreaterThan(79)
})
