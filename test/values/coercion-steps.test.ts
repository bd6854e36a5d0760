import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { compileModule } from '../support/compile-module.js'
import { stepCounter } from '../support/step-counter.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const countSteps = stepCounter()

const count = 25
const names = Array.from({ length: count }, (_, i) => `Branch${i}`)
const api = `${names.map((name, i) => `interface ${name} { x?: { y${i}?: number; z?: All }; t?: [All, ${i}?][] }`).join('\n')}
type All = ${names.join(' | ')}
/** @rpc */ export function take(values: All[]): void {}
`

// On a loaded machine V8 may count less in the first run, while it still optimises what ran before: the next run counts the same as any other.
test('a large integer beside values of many branches, and in them', { retry: 2 }, async () => {
  const folder = temporaryFolder('coercion')
  const router = new RpcServer({ procedures: await compileModule(folder, 'api.ts', api) }).router()
  const big = '9007199254740993'
  const stepsOf = (value: string, end: string) =>
    countSteps(folder, async () => {
      const body = `{"jsonrpc":"2.0","id":1,"method":"take","params":[[${`${value},`.repeat(2000)}${end}]]}`
      const headers = { 'Content-Type': 'application/json' }
      const response = await router.request('/', { method: 'POST', headers, body })
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: null })
    })
  await stepsOf('{}', `{"x":{"y5":${big}}}`)
  for (const [open, close] of [
    ['{"x":{"z":', '}}'],
    ['{"t":[[', ']]}'],
  ]) {
    const value = `${open}{}${close}`
    const plain = await stepsOf(value, '{}')
    // Where the types of all values were looked up, it was 2.5 to 3.2.
    expect((await stepsOf(value, `{"x":{"y5":${big}}}`)) / plain).toBeLessThan(2)
    const inner = `${open}{"x":{"y5":1}}${close}`
    const numbers = await stepsOf(inner, '{}')
    expect((await stepsOf(inner.replace('1}', `${big}}`), '{}')) / numbers).toBeLessThan(2.5)
  }
})
