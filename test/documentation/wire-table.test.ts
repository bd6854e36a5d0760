import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { WireType } from '../../runtime/values/types.js'
import { root } from '../support/paths.js'

/** Each kind as the first column of the table has it. */
const typeOfKind: Readonly<Record<Exclude<WireType['kind'], 'ref' | 'custom'>, string>> = {
  int: '`Int`',
  double: '`Double`',
  number: '`number`',
  bigint: '`bigint`',
  string: '`string`',
  template: 'template literal type',
  boolean: '`boolean`',
  date: '`Date`',
  url: '`URL`',
  bytes: '`Uint8Array`',
  null: '`null`',
  undefined: '`undefined`',
  void: '`void`',
  any: '`any`',
  literal: 'literals',
  array: '`T[]`',
  set: '`Set<T>`',
  tuple: 'tuple',
  struct: 'object',
  map: '`Map<string, T>`',
  union: 'union',
}

test('the table of wire.md has a row for each kind of type', () => {
  const [, after = ''] = readFileSync(join(root, 'docs/reference/wire.md'), 'utf8').split('\n| TypeScript | JSON in |')
  const [table = ''] = after.split('\n\n')
  const rows = table.split('\n').slice(2)
  const firsts = rows.map((row) => row.split(' | ')[0]?.slice(2) ?? '')
  const types = firsts.flatMap((first) => [...first.matchAll(/`[^`]+`|[^`,]+/g)].map(([type]) => type.trim()))
  expect(Object.values(typeOfKind).filter((each) => !types.includes(each))).toEqual([])
})
