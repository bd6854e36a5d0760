import { MAX_NAME, truncate } from '../values/describe.js'
import type { Middleware, RpcContext } from './types.js'

/**
 * Runs a call through its middleware, outermost first, and returns the result of the outermost.
 *
 * @param call authorises the caller, validates the parameters and calls the procedure
 */
export async function runMiddleware(
  middleware: readonly Middleware[],
  context: RpcContext,
  call: () => Promise<unknown>,
  index = 0,
): Promise<unknown> {
  const current = middleware[index]
  if (!current) return call()
  let isCalled = false
  const next = () => {
    if (isCalled) {
      const method = truncate(context.method, MAX_NAME)
      throw new Error(`middleware of ${method}: next() was called twice; a call runs once`)
    }
    isCalled = true
    const result = runMiddleware(middleware, context, call, index + 1)
    // A middleware that does not await next() must not end the process with an unhandled rejection.
    result.catch(() => {})
    return result
  }
  return current(context, next)
}

/**
 * Returns the middleware, if it is one.
 *
 * @throws TypeError if it is not a function
 */
export function checkMiddleware(middleware: unknown, owner: string): Middleware {
  if (typeof middleware === 'function') return middleware as Middleware
  const why =
    middleware === undefined ? '; is it exported, or is its module part of an import cycle and still loading?' : ''
  throw new TypeError(
    `${owner}.use: expected a function, got ${middleware === null ? 'null' : typeof middleware}${why}`,
  )
}
