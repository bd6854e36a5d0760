import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { responseTo } from '../support/json-rpc.js'
import { temporaryFolder } from '../support/temporary-folder.js'

// A constraint on a type that contains itself applies, wherever the type is read first.

const declared = `
export interface Tree { /** @maxItems 2 */ kids: Tree[]; name?: string }
export interface Unique { x: Unique[] & UniqueItems; n?: number }
export interface Group { members: Set<Group> & MaxItems<1> }
export interface Chapter { parts: (Chapter[] & MaxItems<1>) | null }
export type Part = { /** @minItems 1 */ inner?: Part } | Part[] | string
`

const procedures = {
  tree: ['Tree', { kids: [{ kids: [] }] }, { kids: [{ kids: [] }, { kids: [] }, { kids: [] }] }, 'kids'],
  unique: ['Unique', { x: [{ x: [] }, { x: [], n: 1 }] }, { x: [{ x: [] }, { x: [] }] }, 'x'],
  group: [
    'Group',
    { members: [{ members: [] }] },
    { members: [{ members: [] }, { members: [{ members: [] }] }] },
    'members',
  ],
  chapter: ['Chapter', { parts: [{ parts: null }] }, { parts: [{ parts: null }, { parts: [] }] }, 'parts'],
  part: ['Part', { inner: ['x'] }, { inner: [] }, 'inner'],
} as const

type Form = 'self' | 'list' | 'set' | 'map'

/** The forms in which a procedure refers to the type: the list, the set and the union are read before, after or inside of it. */
const forms: Readonly<Record<Form, (type: string) => string>> = {
  self: (type) => type,
  list: (type) => `${type}[]`,
  set: (type) => `Set<${type}>`,
  map: (type) => `Record<string, ${type}>`,
}

const around: Readonly<Record<Form, (value: unknown) => unknown>> = {
  self: (value) => value,
  list: (value) => [value],
  set: (value) => [value],
  map: (value) => ({ a: value }),
}

const names = Object.keys(procedures) as (keyof typeof procedures)[]
const formNames = Object.keys(forms) as Form[]

/** Each order has a module of its own: the first procedure of a module decides what is read first. */
test.each(formNames)('read as %s first', async (first) => {
  const order = [first, ...formNames.filter((each) => each !== first)]
  const source = names.flatMap((name) =>
    order.map((form) => {
      const type = forms[form](procedures[name][0])
      return `/** @rpc */\nexport function ${name}_${form}(a: ${type}): void {\n  void a\n}\n`
    }),
  )
  const text = `import type { MaxItems, UniqueItems } from 'rpc-gen'\n${declared}\n${source.join('\n')}`
  const router = new RpcServer({
    procedures: await compileModule(temporaryFolder('recursive'), 'source.ts', text),
    onError: () => {},
  }).router()
  for (const name of names) {
    const [, good, bad, member] = procedures[name]
    for (const form of order) {
      const results = [good, bad].map((value) => responseTo(router, `${name}_${form}`, [around[form](value)]))
      const [accepted, rejected] = await Promise.all(results)
      expect(accepted, `${name} ${form}`).toMatchObject({ result: null })
      expect(rejected?.error, `${name} ${form}`).toMatchObject({ code: -32602 })
      if (name !== 'part') expect(JSON.stringify(rejected?.error?.data), `${name} ${form}`).toContain(member)
    }
  }
})
