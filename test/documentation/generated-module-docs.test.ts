import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/paths.js'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/reference/generated-module.md')
const blocks = [...page.matchAll(/^<!-- (\S+) -->\n```ts\n([\s\S]*?)^```$/gm)]

test('every block of docs/reference/generated-module.md names the fixture that it shows', () => {
  expect(blocks.length).toBe(page.match(/^```ts$/gm)?.length)
  expect(blocks.length).toBeGreaterThan(9)
})

test.each(blocks.map(([, fixture = '', block = '']) => [fixture, block]))('%s contains the block', (fixture, block) => {
  expect(read(`fixtures/generate/${fixture}/expected.gen.ts`)).toContain(block)
})
