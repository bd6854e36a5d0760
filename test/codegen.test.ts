import { readFileSync } from 'node:fs'
import * as codegen from 'rpc-gen/codegen/v1'
import { expect, test } from 'vitest'
import { codegenNames } from '../generator/plan/codegen-names.js'

const source = readFileSync(new URL('../runtime/codegen.ts', import.meta.url), 'utf8')

/** Types leave nothing behind at run time: `export type { A }` and `export { type B }`. */
function typeNames(): string[] {
  return [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, list = '']) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '' && (allTypes !== undefined || item.startsWith('type ')))
      .map((item) => item.replace(/^type /, '')),
  )
}

test('the generator knows every name that a generated module may import, and no other', () => {
  expect([...codegenNames].sort()).toEqual([...Object.keys(codegen), ...typeNames()].sort())
})

test('no name stands in the list twice', () => {
  expect(new Set(codegenNames).size).toBe(codegenNames.length)
})
