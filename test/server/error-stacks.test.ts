import { RpcError, RpcServer } from 'rpc-gen'
import { expect, test } from 'vitest'
import { procedures } from '../../fixtures/server/procedures.gen.js'
import { call } from '../support/json-rpc.js'

// To capture a stack trace takes longer than a call.

function serverOf() {
  const errors: Error[] = []
  const server: RpcServer = new RpcServer({ procedures, onError: (error) => void errors.push(error) })
  server.registerProcedure(
    () => {
      throw new RpcError(404, 'No such order')
    },
    { name: 'find', unchecked: true },
  )
  return { server, errors }
}

test.each([
  ['an unknown method', JSON.stringify(call('nope'))],
  ['invalid params', JSON.stringify(call('quick', [1]))],
  ['not a request', '{"jsonrpc":"2.0"}'],
  ['a syntax error', '{"jsonrpc":"2.0"'],
])('the error of a message has no stack trace, and the limit of the process is as before: %s', async (_name, text) => {
  const { server, errors } = serverOf()
  const { stackTraceLimit } = Error
  await server.handle(text)
  expect(errors).toEqual([expect.any(RpcError)])
  expect(errors[0]?.stack).not.toContain('\n    at ')
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})

test('the error of a procedure has one', async () => {
  const { server, errors } = serverOf()
  await server.handle(JSON.stringify(call('find')))
  expect(errors[0]?.stack).toContain('error-stacks.test.ts')
})
