import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as codegen from 'rpc-gen/codegen/v1'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { codegenNames } from '../../templates/typescript/scope.js'
import { root } from '../support/paths.js'

const source = readFileSync(join(root, 'runtime/codegen.ts'), 'utf8')

/** Types leave nothing behind at run time: `export type { A }` and `export { type B }`. */
function typeNames(): string[] {
  return [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, list = '']) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '' && (allTypes !== undefined || item.startsWith('type ')))
      .map((item) => item.replace(/^type |^\w+ as /, '')),
  )
}

test('the generator knows every name that a generated module may import, and no other', () => {
  expect([...codegenNames].sort()).toEqual([...Object.keys(codegen), ...typeNames()].sort())
})

test('the list has no duplicates', () => {
  expect(new Set(codegenNames).size).toBe(codegenNames.length)
})

/** The exports and their docs, lines joined. */
function docsOfExports(): ReadonlyMap<string, string> {
  const path = join(root, 'runtime/codegen.ts')
  const { NodeNext } = ts.ModuleKind
  const program = ts.createProgram([path], { module: NodeNext, target: ts.ScriptTarget.ES2022, types: [] })
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(path)
  const module = file && checker.getSymbolAtLocation(file)
  const symbols = module ? checker.getExportsOfModule(module) : []
  return new Map(
    symbols.map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      const doc = ts.displayPartsToString(target.getDocumentationComment(checker))
      return [symbol.name, doc.replaceAll('\n', ' ')]
    }),
  )
}

test('every name has docs, whose first sentence is in the table of docs/reference/generated-module.md', () => {
  const page = readFileSync(join(root, 'docs/reference/generated-module.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, text = '']) => [
    name,
    text.replace('\\|', '|'),
  ])
  const docs = [...docsOfExports()].map(([name, doc]) => [name, /^.+?\.(?=\s|$)/.exec(doc)?.[0]])
  expect([...rows].sort()).toEqual([...docs].sort())
})
