import fc from 'fast-check'
import { type Compatibility, RpcServer } from 'rpc-gen'
import { createClient, type XmlRpcOptions, xmlRpc } from 'rpc-gen/client'
import { describe, expect, test } from 'vitest'
import type { WireType } from '../../runtime/values/types.js'
import { writeValue, writingOf } from '../../runtime/xmlrpc/encode.js'
import { xmlrpcScalars } from '../../runtime/xmlrpc/scalars.js'

// What is sent for bigints, and for characters that XML does not have: by servers with switches, and by the client with options.

interface Echo {
  echo(...params: readonly unknown[]): unknown
}

interface Called {
  readonly client: ReturnType<typeof createClient<Echo>>
  /** The bodies that the client sent. */
  readonly sent: string[]
  readonly errors: string[]
}

function connect(
  compatibility: Compatibility,
  options: XmlRpcOptions,
  echo = (value: unknown): unknown => value,
): Called {
  const [sent, errors]: [string[], string[]] = [[], []]
  const server = new RpcServer({ compatibility, onError: (error) => void errors.push(error.message) })
  server.registerProcedure(echo, { name: 'echo', unchecked: true })
  const client = createClient<Echo>('http://localhost/', {
    transport: xmlRpc(options),
    fetch: async (url, init) => {
      sent.push(String(init?.body))
      return server.fetch(new Request(url, init))
    },
  })
  return { client, sent, errors }
}

/** Characters that XML 1.0 does not have (section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu
const replaced = (text: string) => text.replace(forbidden, '\ufffd')

const oddTexts = [
  'bell\u0007',
  '\0',
  '\ud83d',
  '\ude00',
  '\ude00\ud83d',
  '\ufffe',
  '\uffff',
  '\x1b[0m',
  'a\x0bb\x0cc',
  '<\x01>&',
]
const evenTexts = ['', ' \t\r\n', '\x7f\x85', '😀', '\u{1fffe}', '\ue000', '\ufffd', 'ü<&>"\'']

describe('characters that XML does not have', () => {
  test.each(oddTexts)('in a result, replaced: %j', async (text) => {
    const { client, errors } = connect({ xmlRpcInvalidText: 'replace' }, {}, () => [{ text }, text])
    expect(await client.echo()).toEqual([{ text: replaced(text) }, replaced(text)])
    expect(errors).toEqual([])
  })

  test('in a result: onError gets the procedure and the path, once each', async () => {
    const { client, errors } = connect({}, {}, (value) => (value === 1 ? { lines: [{ note: '\x01' }] } : '\x01'))
    for (const value of [1, 2]) await expect(client.echo(value)).rejects.toMatchObject({ code: -32603 })
    expect(errors).toEqual([
      'echo: result.lines[0].note: XML cannot represent the character U+0001',
      'echo: result: XML cannot represent the character U+0001',
    ])
  })

  test.each(oddTexts)('in a result, by default an error of this call alone: %j', async (text) => {
    const { client, errors } = connect({}, {}, (value) => (value === 1 ? text : value))
    await expect(client.echo(1)).rejects.toMatchObject({ code: -32603, message: 'Internal error' })
    expect(await client.echo(2)).toBe(2)
    expect(errors).toEqual([expect.stringMatching(/XML cannot represent the character U\+[\dA-F]{4}$/)])
  })

  test.each(evenTexts)('other characters are unchanged: %j', async (text) => {
    const { client } = connect({ xmlRpcInvalidText: 'replace' }, { invalidText: 'replace' })
    expect(await client.echo({ [text]: text })).toEqual({ [text]: text })
  })

  test.each(oddTexts)('in an argument of the client: %j', async (text) => {
    const { client } = connect({}, { invalidText: 'replace' })
    expect(await client.echo({ [text]: [text] })).toEqual({ [replaced(text)]: [replaced(text)] })
    const strict = connect({}, {})
    await expect(strict.client.echo(text)).rejects.toThrow(/^echo: params\[0\]: XML cannot represent the character U\+/)
    expect(strict.sent).toEqual([])
  })

  test('any text in both directions is what replacing makes of it', async () => {
    const { client } = connect({ xmlRpcInvalidText: 'replace' }, { invalidText: 'replace' })
    const units = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(0, 7, 13, 0xd83d, 0xde00, 0xfffe)),
    )
    const texts = units.map((each) => String.fromCharCode(...each))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await client.echo(text)).toBe(replaced(text))
      }),
      { numRuns: 200 },
    )
  })

  test('a name of a member is replaced, and one that would be there twice is an error', async () => {
    const names = ['a\u0001', 'a\u0002']
    const values: Record<string, unknown> = {
      one: { 'a\u0001': 1 },
      map: new Map([['\ud83d', 2]]),
      two: Object.fromEntries(names.map((name) => [name, name])),
      mapOfTwo: new Map(names.map((name) => [name, name])),
      own: { 'a\u0001': 1, 'a\ufffd': 2 },
      undefined: { 'a\u0001': 1, 'a\u0002': undefined },
    }
    const { client, errors } = connect({ xmlRpcInvalidText: 'replace' }, {}, (key) => values[key as string])
    expect(await client.echo('one')).toEqual({ 'a\ufffd': 1 })
    expect(await client.echo('map')).toEqual({ '\ufffd': 2 })
    expect(await client.echo('undefined')).toEqual({ 'a\ufffd': 1 })
    for (const key of ['two', 'mapOfTwo', 'own']) await expect(client.echo(key)).rejects.toMatchObject({ code: -32603 })
    expect(errors).toHaveLength(3)
    for (const error of errors)
      expect(error).toContain('two names are equal without the characters that XML does not have')
  })

  test('names that a type declares', () => {
    const int: WireType = { kind: 'int' }
    const member = (name: string) => ({ name, type: int as never, optional: false })
    const one: WireType = { kind: 'struct', members: [member('a\u0001'), member('b')] }
    const replacing = writingOf({ invalidText: 'replace' })
    const text = (a: string) =>
      `<value><struct><member><name>${a}</name><value><int>1</int></value></member>` +
      '<member><name>b</name><value><int>2</int></value></member></struct></value>'
    for (let i = 0; i < 2; i++) expect(writeValue(one, { 'a\u0001': 1, b: 2 }, replacing)).toBe(text('a\ufffd'))
    expect(() => writeValue(one, { 'a\u0001': 1, b: 2 })).toThrow('U+0001')
    const twice: WireType = { kind: 'struct', members: [member('a\u0001'), member('a\u0002')] }
    expect(() => writeValue(twice, { 'a\u0001': 1, 'a\u0002': 2 }, replacing)).toThrow('two names are equal')
    const indexed: WireType = { kind: 'struct', members: [member('a\u0001')], indexes: [{ type: int as never }] }
    expect(() => writeValue(indexed, { 'a\u0001': 1, 'a\u0002': 2 }, replacing)).toThrow('two names are equal')
  })

  test('in a literal of a union', () => {
    const union: WireType = { kind: 'union', branches: [{ kind: 'literal', value: 'a\u0001' }, { kind: 'int' }] }
    expect(writeValue(union, 'a\u0001', writingOf({ invalidText: 'replace' }))).toBe(
      '<value><string>a\ufffd</string></value>',
    )
  })

  test('JSON has them', async () => {
    const server = new RpcServer({ compatibility: { xmlRpcInvalidText: 'replace' } })
    server.registerProcedure(() => 'bell\u0007', { name: 'bell', unchecked: true })
    expect(await server.handle('{"jsonrpc":"2.0","id":1,"method":"bell"}')).toContain('"bell\\u0007"')
  })
})

describe('bigints', () => {
  const [i8, string, double] = ['i8', 'string', 'double'] as const
  const large = 2n ** 53n + 1n

  test.each([
    [i8, 5n, '<i8>5</i8>'],
    [i8, -(2n ** 63n), '<i8>-9223372036854775808</i8>'],
    [string, 5n, '<string>5</string>'],
    [string, large, '<string>9007199254740993</string>'],
    [string, -(2n ** 64n), '<string>-18446744073709551616</string>'],
    [double, 5n, '<double>5.0</double>'],
    [double, 0n, '<double>0.0</double>'],
    // All digits: `String(2 ** 60)` has others.
    [double, -(2n ** 60n), '<double>-1152921504606846976.0</double>'],
    [double, 2n ** 1000n, `<double>${2n ** 1000n}.0</double>`],
  ])('as %s: %s', async (bigint, value, text) => {
    const { client, sent } = connect({}, { bigint })
    await client.echo(value).catch(() => {})
    expect(sent[0]).toContain(`<param><value>${text}</value></param>`)
    const read = /<double>(.*)<\/double>/.exec(text)?.[1]
    if (read !== undefined) expect(BigInt(Number(read))).toBe(value)
    const server = new RpcServer({ compatibility: { xmlRpcBigint: bigint } })
    server.registerProcedure(() => [{ value }], { name: 'value', unchecked: true })
    const call = '<methodCall><methodName>value</methodName></methodCall>'
    expect(await server.handle(call, { protocol: 'xml-rpc' })).toContain(
      `<member><name>value</name><value>${text}</value></member>`,
    )
  })

  test.each([
    [i8, 2n ** 63n, 'an integer beyond 64 bits'],
    [double, large, 'an integer that a double does not represent exactly'],
    [double, 10n ** 400n, 'an integer that a double does not represent exactly'],
  ])('as %s an error: %s', async (bigint, value, error) => {
    const { client, sent } = connect({}, { bigint })
    await expect(client.echo(value)).rejects.toThrow(`echo: params[0]: ${error}`)
    expect(sent).toEqual([])
  })

  test('no rounding: what is read back is the value, or nothing', () => {
    const read = (element: string, value: bigint) => {
      const text = writeValue({ kind: 'bigint' }, value, writingOf({ bigint: element as 'i8' }))
      const [, digits = ''] = /<(?:i8|string|double)>(-?\d+)(?:\.0)?</.exec(text) ?? []
      return xmlrpcScalars.readBigint(digits)
    }
    for (const value of [0n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 62n]) {
      expect([i8, string, double].map((each) => read(each, value))).toEqual([value, value, value])
    }
  })
})
