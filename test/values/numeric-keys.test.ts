import { RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { procedures } from '../../fixtures/generate/index-signatures/expected.gen.js'
import { responseTo } from '../support/json-rpc.js'

// Members of objects that are keyed by number, as in { [index: number]: boolean }: their names are the texts of JavaScript numbers.

const router = new RpcServer({ procedures }).router()

const numbers = [-1.5, 7, 1e21, 1e-7, 5e-324]

test.each(numbers)('%s is the name of a member', async (key) => {
  expect((await responseTo(router, 'sparse', [{ [key]: true }, {}])).result).toEqual({ [key]: true, 0: false })
})

test.each(numbers)('%s is a name that the index signature beside other members checks', async (key) => {
  const { error } = await responseTo(router, 'counts', [
    { total: 1, note: '', ceiling: 1 },
    { a: 1 },
    { id: 1, 5: 1, [key]: 'x' },
  ])
  expect(error?.data).toMatchObject([{ path: ['some', `${key}`], code: 'type' }])
})

test.each(['x', '1.0', '1.50', '-0', '1e3', '01', 'Infinity'])('%s is not the text of a number', async (key) => {
  expect((await responseTo(router, 'sparse', [{ [key]: true }, {}])).result).toEqual({ 0: false })
})
