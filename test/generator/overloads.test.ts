import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { checkLock, lockText } from '../../generator/diff/lock.js'
import { compileModule } from '../support/compile-module.js'
import { generate } from '../support/generate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const source = `/** @rpc */
export function join(first: string, others: number): string
export function join(...others: string[]): string
export function join(...all: unknown[]): string {
  return all.join(' ')
}
`

test('a rest parameter of one overload may have the name of a parameter of another', async () => {
  const folder = temporaryFolder('overloads')
  const procedures = await compileModule(folder, 'api.ts', source)
  const server = new RpcServer({ procedures })
  expect(await server.call('join', ['a', 1])).toBe('a 1')
  expect(await server.call('join', ['a', 'b', 'c'])).toBe('a b c')
  expect(await server.call('join', { first: 'a', others: 1 } as never)).toBe('a 1')
  expect(await server.call('join', { others: ['a', 'b'] } as never)).toBe('a b')
  const { model } = await generate({ cwd: folder, paths: ['api.ts'] })
  expect(checkLock(lockText(model), model)).toEqual([])
})
