import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeCodes } from '../../generator/diff/change.js'
import { compareVersions, parseVersion } from '../../generator/diff/version.js'
import { root } from '../support/paths.js'
import { documentsOf, rows } from './table.js'

const documents = await documentsOf(rows.flatMap(({ before, after }) => [before, after]))
const read = (document: unknown) => parseVersion(JSON.stringify(document), 'the example')

const fixtures = join(root, 'fixtures/diff')

test('the page has every code, in order, and whether it breaks', () => {
  const expected = Object.entries(changeCodes).map(([code, breaking]) => [code, breaking ? 'yes' : 'no'])
  expect(rows.map(({ code, breaks }) => [code, breaks])).toEqual(expected)
})

test('every code has a fixture of its name, which reports it', () => {
  const names = readdirSync(fixtures)
  const missing = Object.keys(changeCodes).filter((code) => {
    const file = join(fixtures, code, 'expected.txt')
    return !names.includes(code) || !existsSync(file) || !readFileSync(file, 'utf8').includes(`    ${code} `)
  })
  expect(missing).toEqual([])
})

describe('every example reports its code', () => {
  // What breaks clients of XML-RPC alone shows in JSON as a change that breaks nothing.
  const beside: Readonly<Record<string, readonly string[]>> = {
    'method-removed': ['method-added'],
    'signature-changed': ['result-type-narrowed'],
    'param-rest-changed': ['param-optional'],
    // Types that any overload accepts are reported for the params.
    'overload-added': ['param-type-widened'],
  }

  test.each(rows)('$code', async ({ code }) => {
    const index = rows.findIndex((row) => row.code === code)
    const [before, after] = documents.slice(2 * index, 2 * index + 2)
    const changes = compareVersions(read(before), read(after))
    expect([...new Set(changes.map((change) => change.code))].sort()).toEqual([code, ...(beside[code] ?? [])].sort())
  })
})
