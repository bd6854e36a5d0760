import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDocComment } from '../../generator/doc-comments/index.js'
import { blocksOf } from '../support/blocks.js'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { createTestProject } from '../support/project.js'

// docs/internals/one-procedure.md shows what each step of the build makes of the README's example.

const page = 'docs/internals/one-procedure.md'
const text = readFileSync(join(root, page), 'utf8')
const blocks = blocksOf(page)
const source = blocksOf('README.md').find((block) => block.text.startsWith('// src/procedures/orders.ts'))?.text ?? ''

function shown(name: string): unknown {
  const [, block = ''] = text.split(`<!-- ${name} -->\n\`\`\`json\n`)
  return JSON.parse(block.split('```')[0] ?? '')
}

test('the comment', () => {
  const [comment = ''] = /\/\*\*[\s\S]*?\*\//.exec(source) ?? []
  expect(shown('the comment')).toEqual(parseDocComment(comment))
})

test('the model and the text', async () => {
  const { folder: cwd } = createTestProject({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': '{ "compilerOptions": { "lib": ["ES2023"], "types": [], "module": "nodenext", "strict": true } }',
    'src/procedures/orders.ts': source,
  })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/rpc-gen'))
  const { files, model, diagnostics } = await generate({ cwd, paths: ['src/procedures'] })
  expect(diagnostics).toEqual([])
  expect(shown('the model')).toEqual(model.procedures[0])
  expect(shown('the type')).toEqual(model.types[0])
  const printed = blocks.filter(({ language }) => language === 'ts')
  expect(printed).toHaveLength(2)
  for (const block of printed) expect(files[0]?.text).toContain(block.text.trimEnd())
})

test('every file and function that the page names exists', () => {
  const words = [...text.matchAll(/`((?:generator|templates)\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(words.length).toBeGreaterThan(20)
  expect(words.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const named = [...text.matchAll(/`(\w+)`(?:\s+in)?\s+\(?`((?:generator|templates)\/[^`]+\.ts)`/g)]
  expect(named.length).toBeGreaterThan(12)
  const missing = named.filter(
    ([, name = '', path = '']) => !new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, path), 'utf8')),
  )
  expect(missing.map(([found]) => found)).toEqual([])
})
