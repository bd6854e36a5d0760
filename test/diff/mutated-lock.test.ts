import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diffCommand } from '../../generator/command/diff.js'
import { UsageError } from '../../generator/diagnostics/diagnostic.js'
import { lockText } from '../../generator/diff/lock.js'
import type { DescribedProcedure, DescribedType, Description } from '../../runtime/description/description.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { procedureOf } from './documents.js'

type Kinds = { readonly [Kind in DescribedType['kind']]: DescribedType & { readonly kind: Kind } }

const keys = { text: 'a text', pattern: '^x-[\\s\\S]*$' }
const int: DescribedType = { kind: 'int' }

/** A type of each kind. */
const kinds: Kinds = {
  double: { kind: 'double' },
  number: { kind: 'number' },
  boolean: { kind: 'boolean' },
  date: { kind: 'date' },
  url: { kind: 'url' },
  null: { kind: 'null' },
  undefined: { kind: 'undefined' },
  void: { kind: 'void' },
  any: { kind: 'any' },
  string: { kind: 'string', constraints: { pattern: '^a', maxLength: 5, format: 'email' } },
  int: { kind: 'int', constraints: { minimum: 1 } },
  bigint: { kind: 'bigint', value: '1' },
  bytes: { kind: 'bytes', as: 'Buffer' },
  literal: { kind: 'literal', value: 'a' },
  template: { kind: 'template', text: 'a text', pattern: '^a' },
  ref: { kind: 'ref', name: 'Order' },
  array: { kind: 'array', element: int, constraints: { uniqueItems: true } },
  set: { kind: 'set', element: int, constraints: { maxItems: 2 } },
  map: { kind: 'map', keys, value: int },
  tuple: { kind: 'tuple', elements: [int, { kind: 'string' }], required: 1, rest: int },
  struct: {
    kind: 'struct',
    members: [
      { name: 'x-a', type: int, optional: true },
      { name: 'b', type: int },
    ],
    indexes: [{ type: { kind: 'any' } }, { type: int, keys }],
  },
  union: { kind: 'union', branches: [int, { kind: 'literal', value: true }] },
  custom: { kind: 'custom', name: 'Decimal', wire: { kind: 'string' }, schema: { format: 'decimal', pattern: '^1' } },
}

const signature = {
  params: [
    { name: 'a', type: int, optional: true },
    { name: 'rest', type: int, rest: true },
  ],
  returns: { type: { kind: 'ref', name: 'Order' } },
} satisfies Partial<DescribedProcedure>

const description: Description = {
  procedures: [
    procedureOf('kinds', int, { params: Object.entries(kinds).map(([name, type]) => ({ name, type })) }),
    procedureOf('all', int, {
      ...signature,
      protocols: ['json-rpc', 'xml-rpc'],
      idempotent: true,
      security: [
        [
          { rule: 'isUser', scheme: { name: 'isUser', scheme: 'apiKey', header: 'X-Key' } },
          { rule: 'hasRole', args: ['clerk', 1, ['a']], scheme: { name: 'isUser', scheme: 'apiKey', header: 'X-Key' } },
        ],
      ],
      throws: [{ name: 'Gone', code: 410, text: '' }],
      overloads: [signature, { ...signature, params: [] }],
    }),
    procedureOf('object', kinds.ref, { paramsObject: true }),
    procedureOf('items', kinds.ref, { subscription: true }),
  ],
  types: [{ name: 'Order', type: kinds.struct }],
}

const folder = temporaryFolder('mutated-lock')
const [lock, mutated] = ['rpc.lock.json', 'mutated.json'].map((name) => join(folder, name)) as [string, string]
const text = lockText(description)
writeFileSync(lock, text)

/** What the command ends with: its status, and its report or error. */
async function run(...argv: string[]): Promise<string> {
  let report = ''
  const output = { write: (more: string) => (report += more) }
  try {
    const status = await diffCommand(argv, async () => ({ description }), output)
    return `${status} ${report}`
  } catch (error) {
    if (error instanceof UsageError) return `2 ${error.message}`
    throw error
  }
}

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  const inner = steps.flatMap((step) => pathsOf((value as Record<string, unknown>)[step], [...path, step]))
  return [path, ...inner]
}

/** The lock with another value at a path; undefined removes it. */
function changed([step, ...others]: Path, value: unknown, of: unknown = JSON.parse(text)): unknown {
  if (step === undefined) return value
  const inner = (of as Record<string, unknown>)[step]
  const copy = Array.isArray(of) ? [...of] : { ...(of as object) }
  return Object.assign(copy, { [step]: changed(others, value, inner) })
}

/** As the name of a member, a list is the text of its only element. */
const values = [null, true, -1, '', [], {}, { kind: ['int'] }]

/** An error of one line that names the file, or a report. */
const known = /^2 [^\n]*mutated\.json[^\n]*$|^0 no changes\n$|^[01] [^\n]+\n[\s\S]*\n$/

test('the lock has every kind and is the same as itself and as the sources', async () => {
  for (const kind of Object.keys(kinds)) expect(text).toContain(`"kind": "${kind}"`)
  expect(await run(lock)).toBe('0 no changes\n')
  expect(await run(lock, lock)).toBe('0 no changes\n')
})

test('a lock with any other value in any place, or without it, is compared or an error that names it', async () => {
  const odd: string[] = []
  for (const path of pathsOf(JSON.parse(text))) {
    for (const value of path.length === 0 ? values : [...values, undefined]) {
      writeFileSync(mutated, JSON.stringify(changed(path, value)))
      const end = await run(mutated).catch(String)
      if (!known.test(end)) odd.push(`${path.join('/')} ${JSON.stringify(value)}: ${end.slice(0, 200)}`)
    }
  }
  expect(odd).toEqual([])
})
