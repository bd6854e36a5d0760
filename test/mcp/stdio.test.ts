import { PassThrough, Writable } from 'node:stream'
import { type RpcContext, RpcServer } from 'rpc-gen'
import { type StdioOptions, serveStdio } from 'rpc-gen/mcp'
import { describe, expect, test } from 'vitest'

const functions = {
  add: (a: number, b: number) => a + b,
  wait: (ms: number) => new Promise((resolve) => setTimeout(() => resolve(`${ms}`), ms)),
  length: (text: string) => text.length,
}

function createServer(limits: { bodyBytes?: number } = {}): RpcServer {
  const server = new RpcServer({ limits, onError: () => {} })
  for (const [name, fn] of Object.entries(functions)) server.registerProcedure(fn, { name, unchecked: true })
  return server
}

/** Functions that were not compiled have one parameter, the list of their arguments. */
const call = (id: unknown, name: string, ...args: unknown[]) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { args } } })

const ping = (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"ping"}`

/** Sends chunks, one after the other, and returns the received lines. */
async function talk(
  chunks: AsyncIterable<Uint8Array | string> | readonly (string | Uint8Array)[],
  options: StdioOptions = {},
  server = createServer(),
): Promise<unknown[]> {
  let output = ''
  async function* input() {
    yield* chunks
  }
  const write = (text: string) => {
    output += text
  }
  await serveStdio(server, { tools: 'all', input: input(), output: { write }, ...options })
  expect(output).toMatch(/^$|\n$/)
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

const result = (id: unknown, value: string) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: value }] },
})

describe('messages', () => {
  const bytes = new TextEncoder().encode(`${call(1, 'length', 'é😀')}\n`)

  test.each([
    ['in one chunk', [`${ping(1)}\n${ping(2)}\n`], [1, 2]],
    ['with CRLF and empty lines', [`\r\n${ping(1)}\r\n\n  \n${ping(2)}\r\n`], [1, 2]],
    ['without a last end of line', [ping(1)], [1]],
    ['one character a chunk', [...`${ping(1)}\n${ping(2)}\n`], [1, 2]],
    ['nothing', [], []],
  ])('%s', async (_, chunks, ids) => {
    expect(await talk(chunks)).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: {} })))
  })

  test('characters that are cut by chunks of bytes', async () => {
    const chunks = Array.from(bytes, (byte) => new Uint8Array([byte]))
    expect(await talk(chunks)).toEqual([result(1, '3')])
  })

  test('that are not UTF-8 are -32700, and what follows is handled', async () => {
    const [before, after] = call(1, 'length', '|')
      .split('|')
      .map((text) => new TextEncoder().encode(text))
    const invalid = [[0xff], [0xc3], [0xed, 0xa0, 0x80]].flatMap((bytes) => [
      before,
      new Uint8Array(bytes),
      after,
      '\n',
    ])
    const error = { code: -32700, message: 'Parse error: the body is not valid utf-8' }
    const parseError = { jsonrpc: '2.0', error }
    expect(
      await talk([...(invalid as Uint8Array[]), `${call(2, 'length', '\ufffd')}\n`, new Uint8Array([0x80])]),
    ).toEqual([parseError, parseError, parseError, result(2, '1'), parseError])
  })

  test('run concurrently; their responses are sent as they end', async () => {
    const lines = `${call(1, 'wait', 100)}\n${call(2, 'wait', 1)}\n${call(3, 'add', 1, 2)}\n`
    const ids = (await talk([lines])).map((each) => (each as { id: number }).id)
    expect(ids).toEqual([3, 2, 1])
  })

  test('of 2026-07-28 have their version in _meta', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add', arguments: { args: [1, 2] }, _meta },
    }
    expect(await talk([JSON.stringify(request)])).toMatchObject([
      { result: { resultType: 'complete', structuredContent: 3 } },
    ])
    const other = { ..._meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    expect(await talk([JSON.stringify({ ...request, params: { ...request.params, _meta: other } })])).toMatchObject([
      { id: 1, error: { code: -32022 } },
    ])
  })

  test('that are not valid do not end the process', async () => {
    const lines = [
      '{',
      '[]',
      '{"jsonrpc":"2.0","id":1,"method":"nope"}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      ping(2),
    ]
    expect(await talk([lines.join('\n')])).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', error: expect.objectContaining({ code: -32700 }) },
        { jsonrpc: '2.0', error: expect.objectContaining({ code: -32600 }) },
        { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: nope' } },
        { jsonrpc: '2.0', id: 2, result: {} },
      ]),
    )
  })

  test('larger than the limit are rejected, and the next one is read', async () => {
    const large = call(1, 'length', 'x'.repeat(5000))
    const chunks = [...(`${large}\n${ping(2)}\n`.match(/.{1,100}|\n/gs) ?? [])]
    expect(await talk(chunks, {}, createServer({ bodyBytes: 1000 }))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: 'Invalid Request: larger than 1000 bytes' } },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
  })
})

describe('an error has the id of its request', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`

  test.each([
    ['null as params', '{"jsonrpc":"2.0","id":"a7","method":"tools/list","params":null}', 'a7', -32600],
    ['a text as params', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":"x"}', 7, -32600],
    ['a list as params', '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}', 7, -32602],
    ['no version', '{"id":"a9","method":"ping"}', 'a9', -32600],
    ['another version', '{"jsonrpc":"1.0","id":"a9","method":"ping"}', 'a9', -32600],
    ['a method that is not a string', '{"jsonrpc":"2.0","id":-1,"method":1}', -1, -32600],
    ['no method', '{"jsonrpc":"2.0","id":5}', 5, -32600],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5, -32600],
    [
      'a list as arguments',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":[]}}',
      1,
      -32602,
    ],
    ['nesting', `{"jsonrpc":"2.0", "id" : "\\u00e9\\"" ,"method":"ping","params":{"a":${deep}}}`, 'é"', -32600],
    ['nesting before the id', `{"params":{"id":1,"a":${deep}},"method":"ping","id":2,"jsonrpc":"2.0"}`, 2, -32600],
    [
      'an integer that is too long',
      `{"jsonrpc":"2.0","id":3,"method":"ping","params":{"a":1${'0'.repeat(20_000)}}}`,
      3,
      -32600,
    ],
    ['an id that is not one', `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, undefined, -32600],
    ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined, -32600],
    [
      'a malformed id, and nesting',
      `{"jsonrpc":"2.0","id":1.2.3,"method":"ping","params":{"a":${deep}}}`,
      undefined,
      -32600,
    ],
    ['a batch with nesting', `[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${deep}}}]`, undefined, -32600],
    ['a response, whose id is not that of a request', '{"jsonrpc":"2.0","id":1,"result":{}}', undefined, -32600],
    ['a response with nesting', `{"jsonrpc":"2.0","id":1,"result":${deep}}`, undefined, -32600],
  ])('%s', async (_, line, id, code) => {
    const [response] = (await talk([line])) as [{ error: { code: number } }]
    expect(response.error.code).toBe(code)
    expect(response).toEqual({ jsonrpc: '2.0', error: response.error, ...(id !== undefined && { id }) })
  })
})

describe('a batch', () => {
  const batch = `[${ping(1)},${call(2, 'add', 1, 2)},{"jsonrpc":"2.0","method":"notifications/initialized"},{"id":3}]`
  const initialize = (protocolVersion: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion } })

  test.each([
    ['without a handshake', []],
    ['after that of 2025-03-26', [initialize('2025-03-26')]],
  ])('%s: one list of responses', async (_, before) => {
    const received = await talk([[...before, batch].join('\n')])
    expect(received.at(-1)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      result(2, '3'),
      { jsonrpc: '2.0', id: 3, error: expect.objectContaining({ code: -32600 }) },
    ])
  })

  test.each(['2025-11-25', '2025-06-18', '2024-11-05', '2030-01-01'])(
    'after a handshake of %s: -32600',
    async (version) => {
      const received = await talk([[initialize(version), batch].join('\n')])
      expect(received.at(-1)).toMatchObject({ error: { code: -32600, message: expect.stringContaining('2025-03-26') } })
    },
  )

  test('can be cancelled in part', async () => {
    const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    const received = await talk([[`[${call(1, 'wait', 20)},${ping(2)}]`, cancel].join('\n')])
    expect(received).toEqual([[{ jsonrpc: '2.0', id: 2, result: {} }]])
  })

  test('may cancel a long id', async () => {
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345678901234567890}}'
    const received = await talk([[call(3, 'wait', 20), `[${ping(1)},${cancel}]`].join('\n')])
    expect(received).toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }], result(3, '20')])
  })
})

describe('notifications/cancelled', () => {
  const cancel = (requestId: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })

  test.each(['1', '"a"', '12345678901234567890'])(
    'aborts the signal of the call %s, which has no response',
    async (id) => {
      const errors: unknown[] = []
      const server = new RpcServer({ onError: (error) => void errors.push(error) })
      const reasons: string[] = []
      const waits = ({ signal }: RpcContext) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason.name)
            reject(signal.reason)
          })
        })
      server.registerProcedure(waits, { name: 'waits', unchecked: true, contextTarget: 0 })
      const lines = [call(9, 'waits'), cancel('other'), cancel(undefined), cancel(9), ping(2)]
      const text = lines.join('\n').replaceAll(/(?<=[iI]d":)9/g, id)
      expect(await talk([text], {}, server)).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }])
      expect(reasons).toEqual(['AbortError'])
      expect(errors).toEqual([])
    },
  )
})

test('calls whose request cannot be made do not take the places of others', async () => {
  const request = { url: 'not a URL', headers: {} } as never
  const calls = Array.from({ length: 101 }, (_, i) => `${call(i, 'add', 1, 2)}\n`)
  expect(await talk(calls, { request })).toEqual(calls.map((_, id) => result(id, '3')))
})

test('predicates get the request of the options', async () => {
  const server = createServer()
  const isStaff = (request: Request) => request.headers.get('Authorization') === 'Bearer sesame'
  server.registerProcedure(() => 'open', { name: 'secret', unchecked: true, auth: isStaff })
  expect(await talk([call(1, 'secret')], {}, server)).toMatchObject([{ result: { isError: true } }])
  const request = new Request('http://localhost/', { headers: { Authorization: 'Bearer sesame' } })
  expect(await talk([call(1, 'secret')], { request }, server)).toEqual([result(1, 'open')])
})

test('two tools with one name: the start fails', async () => {
  const server = createServer()
  for (const name of ['a.b', 'a_b']) server.registerProcedure(() => 1, { name, unchecked: true })
  await expect(talk([], {}, server)).rejects.toThrow('mcp: a.b and a_b are both the tool a_b')
})

test('a client that does not read gets no further calls run', async () => {
  const server = createServer()
  const length = 1_000_000
  const count = 100
  let runs = 0
  const large = () => {
    runs += 1
    return 'x'.repeat(length)
  }
  server.registerProcedure(large, { name: 'large', unchecked: true })
  const input = new PassThrough()
  const output = new PassThrough()
  const served = serveStdio(server, { tools: 'all', input, output })
  for (let id = 0; id < count; id += 1) input.write(`${call(id, 'large')}\n`)
  input.end()
  await expect.poll(() => runs).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(runs).toBeLessThan(count / 2)
  output.resume()
  await served
  expect(runs).toBe(count)
})

test('a line that is too long, in small chunks', async () => {
  const server = createServer({ bodyBytes: 100_000 })
  const chunks = [...Array.from({ length: 1000 }, () => 'x'.repeat(1000)), `\n${ping(1)}\n`]
  const message = 'Invalid Request: larger than 100000 bytes'
  expect(await talk(chunks, {}, server)).toEqual([
    { jsonrpc: '2.0', error: { code: -32600, message } },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])
})

describe('an output whose reader has gone', () => {
  /** Fails with an error when something is written to it. */
  const failing = (code: string) =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })) })

  /** Lines, and then none although the input stays open. */
  const open = (...lines: string[]) => {
    const input = new PassThrough()
    input.write(lines.map((line) => `${line}\n`).join(''))
    return input
  }

  test('ends quietly, aborts the calls that run, and closes the input', async () => {
    const server = createServer()
    const signals: AbortSignal[] = []
    const hang = ({ signal }: RpcContext) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    server.registerProcedure(hang, { name: 'hang', unchecked: true, contextTarget: 0 })
    const input = open(call(1, 'hang'), ping(2))
    await serveStdio(server, { tools: 'all', input, output: failing('EPIPE') })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(input.destroyed).toBe(true)
  })

  test('an error of another kind rejects, also one that write throws', async () => {
    const serve = (output: StdioOptions['output'] & object) =>
      serveStdio(createServer(), { tools: 'all', input: open(ping(1)), output })
    await expect(serve(failing('ENOSPC'))).rejects.toThrow('write ENOSPC')
    const write = () => {
      throw new Error('no')
    }
    await expect(serve({ write })).rejects.toThrow('no')
  })
})
