import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Block, blocksOf, projectCommands } from '../support/blocks.js'
import { root } from '../support/paths.js'

// Every fenced block of the README and the docs is run, type-checked or compared by a test, or a comment before it has the reason
// why not: `<!-- not checked: the command needs a server of NATS -->`.

const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((page) => `docs/${page.replaceAll('\\', '/')}`)
  .filter((page) => page.endsWith('.md') && !page.includes('node_modules/'))

/** Pages of which test/external/quick-start.test.ts and try-it.test.ts follow every block. */
const followed = ['README.md', 'docs/guide/first-service.md']

/** Pages whose files test/hosts and test/nats run and type-check. */
const programs = /^docs\/guide\/(?:hosting|deployment|websocket|nats|hosts\/\w+)\.md$/

const hasCalls = (page: string) => /^curl 127\.0\.0\.1:3000/m.test(readFileSync(join(root, page), 'utf8'))
const isFile = ({ text }: Block) => text.startsWith('// file: ')
const isLine = (pattern: RegExp, text: string) =>
  text
    .trimEnd()
    .split('\n')
    .every((line) => pattern.test(line))

/** The blocks that each test covers. */
const covered: Readonly<Record<string, (block: Block) => boolean>> = {
  'quick-start': (block) => followed.includes(block.page) || projectCommands(block).length > 0,
  'docs-examples': (block) => {
    if (block.language === 'sh') return isLine(/^(?:curl 127\.0\.0\.1:3000.*|#(?: .*)?)$/, block.text)
    return /^(?:ts|json)$/.test(block.language) && isFile(block) && hasCalls(block.page)
  },
  'hosts and nats': (block) => block.language === 'ts' && isFile(block) && programs.test(block.page),
  monorepo: (block) => block.page === 'docs/guide/monorepo.md' && isFile(block),
  'tanstack-query': (block) => block.page === 'docs/guide/tanstack-query.md' && isFile(block),
  linters: ({ page, text }) => page === 'docs/reference/generated-module.md' && /^(?:\/\/|#) file: /.test(text),
  // The tests of the API, of diagnostics and of the generated module compare those pages.
  'docs-fragments': ({ page, language, text }) => {
    return language === 'ts' && page.startsWith('docs/') && !text.startsWith('// file: ')
  },
  'hosts/nginx': ({ language }) => language === 'nginx',
  'python/guide': ({ page, language }) => page === 'docs/guide/python.md' && language === 'python',
  'JSON, below': ({ language, text }) => language === 'json' && !text.startsWith('// file: '),
}

const blocks = ['README.md', ...docs].flatMap(blocksOf)

test('every block is checked, or has a reason for being skipped', () => {
  const isCovered = (block: Block) => block.unchecked || Object.values(covered).some((covers) => covers(block))
  expect(blocks.length).toBeGreaterThan(300)
  expect(blocks.filter((block) => !isCovered(block)).map(({ page, line }) => `${page}:${line}`)).toEqual([])
})

test.each(blocks.filter((block) => block.language === 'json' && !isFile(block)))('$page:$line is JSON', ({ text }) => {
  expect(() => JSON.parse(text)).not.toThrow()
})
