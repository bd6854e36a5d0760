import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { root } from '../support/paths.js'
import { createTestProject, requireBuild, smallProject, type TestProject } from '../support/project.js'

const codec = `import { defineScalar } from 'rpc-gen/client'

export class Price {
  constructor(readonly text: string) {}
}
export const price = defineScalar<Price, string>({ decode: (text) => new Price(text), encode: ({ text }) => text })
`
const api = `import type { Price } from '../scalars.js'

/** @rpc shop.price */
export function half(price: Price): Price {
  return price
}
`
const config = { paths: 'src/api', scalars: { Price: 'src/scalars.ts' }, pythonClient: 'made/shop.py' }

let project: TestProject

beforeAll(requireBuild)
beforeEach(() => {
  project = createTestProject({ ...smallProject, 'src/api/half.ts': api, 'src/scalars.ts': codec })
  mkdirSync(join(project.folder, 'node_modules'), { recursive: true })
  symlinkSync(root, join(project.folder, 'node_modules/rpc-gen'), 'junction')
})
afterEach(() => project.remove('.'))

function run(more: object, ...args: string[]) {
  project.write('rpc.config.json', JSON.stringify({ ...config, ...more }))
  return project.rpcGen(args)
}

test('a custom scalar is the value that is sent, or a class of the configuration', async () => {
  expect(await run({})).toMatchObject({ status: 0, stderr: '' })
  expect(project.read('made/shop.py')).toContain('def price(self, price: Price) -> Price:')
  expect(project.read('made/shop.py')).toContain('\nPrice = str\n')
  const pythonScalars = { Price: 'decimal.Decimal' }
  const stale = await run({ pythonScalars }, '--check')
  expect([stale.status, stale.stderr]).toEqual([1, 'made/shop.py is stale: run rpc-gen\n'])
  expect((await run({ pythonScalars })).status).toBe(0)
  const text = project.read('made/shop.py')
  expect(text).toContain('def price(self, price: decimal.Decimal) -> decimal.Decimal:')
  expect(text).toContain('"Price": _Codec(decimal.Decimal, _STR, decimal.Decimal, str)')
  const own = { type: 'my.shop.Price', decode: 'my.shop.Price.read', encode: 'my.codecs.write' }
  expect((await run({ pythonScalars: { Price: own } })).status).toBe(0)
  expect(project.read('made/shop.py')).toContain(
    '"Price": _Codec(my.shop.Price, _STR, my.shop.Price.read, my.codecs.write),',
  )
  expect(project.read('made/shop.py').match(/^import (?:my|date).*$/gm)).toEqual(['import my.codecs', 'import my.shop'])
  // Classes of Python itself have no module.
  expect((await run({ pythonScalars: { Price: { type: 'int', encode: 'str' } } })).status).toBe(0)
  // The module has `datetime` of `datetime`.
  expect((await run({ pythonScalars: { Price: 'datetime.timedelta' } })).status).toBe(0)
  expect(project.read('made/shop.py')).toContain('\nimport datetime as datetime_\n')
  expect(project.read('made/shop.py')).toContain('def price(self, price: datetime_.timedelta) -> datetime_.timedelta:')
})

const expected = 'pythonScalars: expected an object of Python classes'

test.each([
  ['another type', { Price: 5 }, expected],
  ['code', { Price: 'os.system("x")' }, expected],
  ['a line', { Price: 'decimal\nimport os' }, expected],
  ['no class', { Price: { decode: 'a.b' } }, expected],
  ['another key', { Price: { type: 'a.B', read: 'a.b' } }, expected],
  ['a list', ['a.B'], expected],
  [
    'a module that is a keyword',
    { Price: 'class.Price' },
    'rpc.config.json: pythonScalars.Price: class is a keyword of Python',
  ],
  ['a class that is a keyword', { Price: 'shop.None' }, 'pythonScalars.Price: None is a keyword of Python'],
  [
    'a keyword in a function',
    { Price: { type: 'a.B', encode: 'a.in.b' } },
    'pythonScalars.Price: in is a keyword of Python',
  ],
  ['a class without a module', { Price: 'Decimal' }, 'Price: Decimal has no module, unlike decimal.Decimal'],
  ['a function without a module', { Price: { type: 'a.B', decode: 'read_b' } }, 'Price: read_b has no module, unlike'],
  ['a type without a codec', { Prize: 'a.B' }, 'pythonScalars.Prize: there is no Prize in scalars'],
])('%s is an error of the configuration', async (_what, pythonScalars, message) => {
  const { status, stderr } = await run({ pythonScalars })
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
})
