import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { renderPages } from '../../scripts/docs/options.mjs'

const pages = await renderPages()

test.each(pages)('$path is up to date: else run node scripts/docs/options.mjs', ({ path, text }) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test('each entry point has a page with its exports', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))
  const headings = pages.flatMap(({ text }) => /^# `(rpc-gen.*)`$/m.exec(text)?.[1] ?? [])
  const names = Object.keys(exports).map((path) => path.replace(/^\./, 'rpc-gen'))
  // docs/reference/generated-module.md has the exports for generated modules.
  expect([...headings, 'rpc-gen/codegen/v1', 'rpc-gen/package.json'].sort()).toEqual(names.sort())
  const written = pages.filter(({ path }) => /[/\\]api[/\\]/.test(path)).map(({ path }) => basename(path))
  expect(readdirSync('docs/reference/api').sort()).toEqual(written.sort())
})
