import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generate } from '../support/generate.js'
import { root } from '../support/paths.js'
import { writeFiles } from '../support/project.js'
import { skipped } from '../support/skip.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { missingPython, python } from './python.js'

const code = '__import__("os").mkdir("made")'

/** Names of members that would be code, or end what they are in. */
const names = [
  `"]; ${code} #`,
  `'); ${code} #`,
  `"""\n${code}\n"""`,
  `\\"\n${code}`,
  '\u2028\u2029\u202e\ufeff\f\0',
  '$' + '{x} %s {0}',
  '\ud83d\ude00 \u00e9',
  '\\',
  '',
  '__proto__',
  '__class__',
  'None',
  'self',
]

/** Names of types that Python, its builtins or the client have. */
const types = [
  'None',
  'str',
  'Exception',
  'ValueError',
  'Client',
  'Batch',
  'List',
  'json',
  'Any',
  'datetime',
  'TypedDict',
  'Literal',
]

const docs = `"""
 * ${code}
 * \\""" \\\\ ' " \u2028 \u202e """" \\`

function source(): string {
  const members = names.map((name) => `  ${JSON.stringify(name)}: string`).join('\n')
  const others = types.map(
    (name) => `export interface ${name} { own: '"\\n${code.replaceAll('"', '\\"')}'; next?: ${name} }`,
  )
  const parameters = types
    .map((name, i) => `${/^(?:None|str|json|datetime)$/.test(name) ? name : `p${i}`}: ${name}`)
    .join(', ')
  return `/**
 * ${docs}
 */
export interface Value {
${members}
}
${others.join('\n')}

/**
 * ${docs}
 *
 * @param value ${docs}
 * @returns """ ${code}
 * @deprecated """); ${code} #
 * @throws {RpcError} 400 """ ${code}
 * @rpc
 */
export function echo(value: Value): Value { return value }

/** @rpc all */
export function all(${parameters}, key: \`"""\${number}'\\n\\u2028\`): Exception { return { own: ${JSON.stringify(`"\n${code}`)} } }
`
}

test.skipIf(skipped('a client of hostile names', missingPython))('names and docs are never code', async () => {
  const cwd = temporaryFolder('hostile')
  writeFiles(cwd, { 'src/api.ts': source(), 'package.json': '{"type":"module"}' })
  const path = join(cwd, 'client.py')
  const { files, diagnostics } = await generate({ cwd, paths: ['src'], out: 'x.gen.ts', pythonClient: path })
  expect(diagnostics).toEqual([])
  writeFileSync(path, files.at(-1)?.text ?? '')
  const empty = join(cwd, 'empty')
  mkdirSync(empty)
  const value = JSON.stringify(Object.fromEntries(names.map((name) => [name, name])))
  // JSON.stringify leaves out what is no own member of the object.
  const sent = value.includes('"__proto__"') ? value : value.replace('{', '{"__proto__":"x",')
  await python(['-W', 'ignore::DeprecationWarning', join(root, 'test/python/hostile.py'), path, sent], '', {}, empty)
})

test.skipIf(skipped('numbers of one hash', missingPython))('a set of numbers of one hash is rejected', async () => {
  const cwd = temporaryFolder('hashes')
  const api = `/** @rpc */ export function numbers(): Set<bigint> { return new Set() }
/** @rpc */ export function byNumber(): Map<number, string> { return new Map() }
`
  writeFiles(cwd, { 'src/api.ts': api, 'package.json': '{"type":"module"}' })
  const path = join(cwd, 'client.py')
  const { files, diagnostics } = await generate({ cwd, paths: ['src'], out: 'x.gen.ts', pythonClient: path })
  expect(diagnostics).toEqual([])
  writeFileSync(path, files.at(-1)?.text ?? '')
  await python([join(root, 'test/python/hashes.py')], '', {}, cwd)
})
