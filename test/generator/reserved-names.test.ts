import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { reservedByErrors, reservedBySchemes, reservedInClient } from '../../templates/typescript/client.js'
import { platformHas } from '../../templates/typescript/definitions.js'
import { reservedInModule } from '../../templates/typescript/names.js'
import { codegenNames } from '../../templates/typescript/scope.js'
import { root } from '../support/paths.js'

// A name that the text of an output refers to is not given to a type, a module or a constant of the user. The lists of these names are
// compared with the outputs of the fixtures, in which every kind of type is printed.

function outputs(isClient: boolean): string[] {
  const names = readdirSync(join(root, 'fixtures'), { recursive: true, encoding: 'utf8' })
  const own = names.filter((name) => name.endsWith('.gen.ts'))
  const texts = own.map((name) => readFileSync(join(root, 'fixtures', name), 'utf8'))
  return texts.filter((text) => text.includes('export function createClient(') === isClient)
}

/** Returns the names that a text refers to and does not declare. */
function freeNames(text: string): string[] {
  const source = ts.createSourceFile('a.ts', text.replace('// @ts-nocheck', '//'), ts.ScriptTarget.Latest)
  const host = ts.createCompilerHost({})
  const program = ts.createProgram(
    ['a.ts'],
    { noLib: true, noResolve: true, types: [], strict: true },
    { ...host, getSourceFile: (name) => (name === 'a.ts' ? source : undefined), fileExists: (name) => name === 'a.ts' },
  )
  const messages = program.getSemanticDiagnostics(source).map(({ messageText }) => {
    return ts.flattenDiagnosticMessageText(messageText, ' ')
  })
  return messages.flatMap((message) => /^Cannot find name '([^']+)'/.exec(message)?.[1] ?? [])
}

test.each([
  ['module', outputs(false), [...codegenNames, ...reservedInModule]],
  ['client', outputs(true), [...reservedInClient, ...reservedByErrors, ...reservedBySchemes]],
])('the globals that a generated %s refers to are reserved', (_kind, texts, reserved) => {
  const found = new Set(texts.flatMap(freeNames))
  expect(texts.length).toBeGreaterThan(10)
  expect(found.size).toBeGreaterThan(5)
  expect([...found].filter((name) => !reserved.includes(name))).toEqual([])
})

test('the properties of the classes of the platform are known', () => {
  const values: readonly object[] = [
    ...[Object('a'), Object(1), Object(true), Object(1n), Object(Symbol()), () => 0, class {}, [], new Date()],
    ...[new Uint8Array(), Buffer.alloc(1), new ArrayBuffer(1), new Map(), new Set(), new URL('http://a')],
  ]
  const namesOf = (value: object | null): string[] =>
    value ? [...Object.getOwnPropertyNames(value), ...namesOf(Object.getPrototypeOf(value))] : []
  // Methods of Buffer that Node does not document: no type of a struct's member accepts a function, except `any`.
  const isInternal = (name: string) => /^(?:ascii|base64|base64url|latin1|hex|ucs2|utf8)(?:Slice|Write)$/.test(name)
  const names = new Set(values.flatMap(namesOf))
  expect([...names].filter((name) => !platformHas(name) && !isInternal(name))).toEqual([])
})
