import { type Middleware, RpcError, RpcNamespace, RpcServer } from 'rpc-gen'
import { describe, expect, test } from 'vitest'

/** Returns a middleware that logs when it begins and how its call ends. */
function logging(log: string[], label: string): Middleware {
  return async (context, next) => {
    log.push(`${label} ${context.method}`)
    try {
      const result = await next()
      log.push(`${label} ${context.method} = ${JSON.stringify(result)}`)
      return result
    } catch (error) {
      log.push(`${label} ${context.method} failed: ${error instanceof RpcError ? error.code : error}`)
      throw error
    }
  }
}

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>

function namespace(functions: Functions): RpcNamespace {
  const made = new RpcNamespace()
  for (const [name, fn] of Object.entries(functions)) made.registerProcedure(fn, { name, unchecked: true })
  return made
}

const add = (a: number, b: number) => a + b

const request = (method: string, params: unknown = [], id: unknown = 1) =>
  JSON.stringify({ jsonrpc: '2.0', method, params, id })

async function responseTo(server: RpcServer, text: string): Promise<unknown> {
  const response = await server.handle(text)
  return response === undefined ? undefined : JSON.parse(response)
}

const result = (value: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', result: value, id })
describe('order', () => {
  test('outermost first, a namespace inside of its server', async () => {
    const log: string[] = []
    const inner = namespace({ add }).use(logging(log, 'inner'))
    const outer = new RpcNamespace().use(logging(log, 'outer')).registerNamespace(inner, 'inner')
    const server = new RpcServer().use(logging(log, 'first')).registerNamespace(outer, 'outer')
    server.use(logging(log, 'second'))
    expect(await responseTo(server, request('outer.inner.add', [1, 2]))).toEqual(result(3))
    expect(log.map((line) => line.split(' ')[0])).toEqual([
      ...['first', 'second', 'outer', 'inner'],
      ...['inner', 'outer', 'second', 'first'],
    ])
    expect(log.at(-1)).toBe('first outer.inner.add = 3')
  })
})
