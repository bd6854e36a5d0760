import { getEventListeners } from 'node:events'
import { Hono } from 'hono'
import { type OnError, RpcError, RpcServer, type RpcServerOptions } from 'rpc-gen'
import { describe, expect, test, vi } from 'vitest'
import { postJson } from '../support/json-rpc.js'

/** The reasons with which hosts abort a request's signal when the client disconnects. */
const reasons: [host: string, reason: unknown][] = [
  ['Node', 'Client connection prematurely closed.'],
  ['Bun', new DOMException('The connection was closed.', 'AbortError')],
  ['Deno', new DOMException('The request has been cancelled', 'AbortError')],
  ['nothing', undefined],
  ['an Error', new Error('gone')],
]

type Procedure = (context: { readonly signal: AbortSignal; readonly request: Request }) => unknown

/** One request to a procedure whose client disconnects by `leave`. */
function callOf(procedure: Procedure, options: RpcServerOptions = {}) {
  const leaving = new AbortController()
  const reported: unknown[] = []
  const server = new RpcServer({ onError: (error) => void reported.push(error), ...options })
  server.registerProcedure((context: never) => procedure(context), { unchecked: true, name: 'run', contextTarget: 0 })
  const app = new Hono().all('/', server.view)
  const send = (body: unknown = { jsonrpc: '2.0', method: 'run', id: 1 }) => {
    return app.request(new Request('http://localhost/', { ...postJson(body), signal: leaving.signal }))
  }
  return { reported, send, leave: (reason: unknown) => leaving.abort(reason), signal: leaving.signal }
}

const once = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve))

describe.each(reasons)('a client that disconnects, as %s reports it', (_, reason) => {
  test('aborts the signal with an AbortError', async () => {
    const seen: unknown[] = []
    const { send, leave } = callOf(async ({ signal }) => {
      leave(reason)
      seen.push(signal.aborted, signal.reason)
    })
    await send()
    expect(seen[0]).toBe(true)
    expect(seen[1]).toBeInstanceOf(DOMException)
    expect((seen[1] as DOMException).name).toBe('AbortError')
  })

  test.each<[string, Procedure]>([
    ['signal.throwIfAborted()', ({ signal }) => signal.throwIfAborted()],
    ['the reason of signal', ({ signal }) => Promise.reject(signal.reason)],
    ['request.signal.throwIfAborted()', ({ request }) => request.signal.throwIfAborted()],
    ['an AbortError of the procedure', () => Promise.reject(new DOMException('stopped', 'AbortError'))],
  ])('is not an error: %s', async (_what, fail) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const options of [{}, { onError: undefined }] as unknown as RpcServerOptions[]) {
      const { reported, send, leave } = callOf(async (context) => {
        const gone = once(context.signal)
        leave(reason)
        await gone
        await fail(context)
      }, options)
      const response = await send()
      expect(await response.json()).toMatchObject({ error: { code: -32603 } })
      expect(reported).toEqual([])
    }
    expect(print).not.toHaveBeenCalled()
    print.mockRestore()
  })

  test('hides no other failure of the procedure', async () => {
    const own = new TypeError('a mistake')
    const { reported, send, leave } = callOf(({ signal }) => {
      leave(reason)
      if (signal.aborted) throw own
    })
    await send()
    expect(reported).toEqual([own])
  })
})

test('an AbortError is an error while the client is connected', async () => {
  const own = new DOMException('stopped', 'AbortError')
  const { reported, send } = callOf(() => Promise.reject(own))
  await send()
  expect(reported).toEqual([own])
})

describe('the signal of a call', () => {
  const listener = () => {}

  test.each([1, 50])('leaves no listener on the signal of the request: %d calls', async (count) => {
    const counts: number[] = []
    const { send, signal } = callOf(async (context) => {
      // What aborts a call is on the signal of the request only while it runs.
      context.signal.addEventListener('abort', listener)
      counts.push(getEventListeners(context.request.signal, 'abort').length)
      await Promise.resolve()
      if (counts.length % 2 === 0) throw new RpcError(1, 'failed')
      return null
    })
    const batch = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', method: 'run', id }))
    const add = vi.spyOn(AbortSignal.prototype, 'addEventListener')
    const remove = vi.spyOn(AbortSignal.prototype, 'removeEventListener')
    await send(batch)
    const calls = (spy: typeof add | typeof remove) => spy.mock.calls.filter(([, each]) => each !== listener).length
    expect(counts).toEqual(Array(count).fill(1))
    expect(calls(remove)).toBe(count)
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1)
    add.mockRestore()
    remove.mockRestore()
  })

  test('does not follow the request once the call has ended', async () => {
    let kept: AbortSignal | undefined
    const { send, leave } = callOf(({ signal }) => {
      kept = signal
      return null
    })
    await send()
    leave('later')
    expect(kept?.aborted).toBe(false)
  })
})

describe('onError', () => {
  const failing = () => Promise.reject(new Error('a mistake'))
  const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 1, value))
  const errorOf = async (onError: OnError) => {
    const response = await callOf(failing, { onError }).send()
    return (await response.json()).error
  }

  test('may return an RpcError to send, or a promise of one', async () => {
    for (const onError of [() => new RpcError(5, 'try again'), () => later(new RpcError(5, 'try again'))]) {
      expect(await errorOf(onError)).toEqual({ code: 5, message: 'try again' })
    }
    expect(await errorOf(() => later('logged'))).toEqual({ code: -32603, message: 'Internal error' })
  })

  test('that throws or rejects is printed, and changes nothing', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const broken = new RpcError(6, 'broken')
    for (const onError of [
      () => {
        throw broken
      },
      () => later(undefined).then(() => Promise.reject(broken)),
    ]) {
      expect(await errorOf(onError)).toEqual({ code: -32603, message: 'Internal error' })
    }
    expect(print.mock.calls).toEqual([
      ['onError failed:', broken],
      ['onError failed:', broken],
    ])
    print.mockRestore()
  })

  test('is awaited for a body that is not JSON, and for an entry that is not a request', async () => {
    const onError = () => later(new RpcError(5, 'try again'))
    const { send } = callOf(failing, { onError })
    const error = { code: 5, message: 'try again' }
    expect(await (await send([1, { jsonrpc: '2.0', method: 'run', id: 2 }])).json()).toEqual([
      { jsonrpc: '2.0', error, id: null },
      { jsonrpc: '2.0', error, id: 2 },
    ])
    const app = new Hono().all('/', new RpcServer({ onError }).view)
    const headers = { 'Content-Type': 'application/json' }
    expect(await (await app.request('/', { method: 'POST', headers, body: '{' })).json()).toMatchObject({ error })
  })

  test.each([
    ['text', 'string of length 4'],
    [undefined, 'nothing'],
    [null, 'null'],
    [{ a: 1 }, 'object'],
  ])('gets an Error, whatever is thrown: %j', async (thrown, received) => {
    const { reported, send } = callOf(() => {
      throw thrown
    })
    await send()
    const [error] = reported as Error[]
    expect(error).toBeInstanceOf(Error)
    expect(error?.message).toBe(`run: not an Error was thrown: ${received}`)
    expect(error?.cause).toEqual(thrown)
  })
})
