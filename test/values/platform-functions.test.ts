import { Hono } from 'hono'
import { RpcServer } from 'rpc-gen'
import { createClient, tableCodec } from 'rpc-gen/client'
import {
  array,
  bigint,
  bytes,
  constrained,
  date,
  idnHostnameFormat,
  int,
  manifest,
  procedure,
  string,
  union,
  url,
} from 'rpc-gen/codegen/v1'
import { mcp } from 'rpc-gen/mcp'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { procedures as urls } from '../../fixtures/generate/urls/expected.gen.js'
import { checkOrigin } from '../../runtime/websocket/options.js'
import { responseTo } from '../support/json-rpc.js'

// Functions of the platform that take more than linear time get texts of limited length only. Shown by what they are called with.

interface Received {
  /** The texts that `new URL` and `URL.canParse` were called with. */
  readonly urls: string[]
  /** Those for which the constructor was called, which throws for what is no URL. */
  readonly constructed: string[]
  readonly bigints: string[]
  readonly dates: string[]
  readonly normalized: string[]
}

let received: Received

beforeEach(() => {
  const found: Received = { urls: [], constructed: [], bigints: [], dates: [], normalized: [] }
  received = found
  const { BigInt: original, URL: OriginalUrl } = globalThis
  class CountedUrl extends OriginalUrl {
    constructor(text: string | URL, base?: string | URL) {
      found.urls.push(`${text}`)
      found.constructed.push(`${text}`)
      super(text, base)
    }
    static override parse(text: string | URL, base?: string | URL): URL | null {
      found.urls.push(`${text}`)
      const url = OriginalUrl.parse(text, base)
      return url && Object.setPrototypeOf(url, CountedUrl.prototype)
    }
    static override canParse(text: string | URL, base?: string | URL): boolean {
      found.urls.push(`${text}`)
      return OriginalUrl.canParse(text, base)
    }
  }
  class CountedDate extends Date {
    constructor(...args: [number | string]) {
      super(...args)
      if (typeof args[0] === 'string') found.dates.push(args[0])
    }
  }
  const counted = (value: string | number | bigint | boolean) => {
    if (typeof value === 'string') found.bigints.push(value)
    return original(value)
  }
  vi.stubGlobal('URL', CountedUrl)
  vi.stubGlobal('Date', CountedDate)
  vi.stubGlobal('BigInt', Object.assign(counted, { asIntN: original.asIntN, asUintN: original.asUintN }))
  for (const name of ['normalize', 'localeCompare'] as const) {
    const { [name]: plain } = String.prototype
    vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...args: [string]) {
      found.normalized.push(`${this}`)
      return (plain as (...args: [string]) => string).apply(this, args) as never
    })
  }
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Posts XML; returns the text of the response. */
async function xmlOf(app: Hono, method: string, value: string): Promise<string> {
  const body = `<methodCall><methodName>${method}</methodName><params><param><value>${value}</value></param></params></methodCall>`
  const response = await app.request('/', { method: 'POST', headers: { 'Content-Type': 'text/xml' }, body })
  return response.text()
}

const escaped = (text: string) => text.replace(/[&<]/g, (each) => (each === '&' ? '&amp;' : '&lt;'))

describe('URL', () => {
  const app = new Hono().all('/', new RpcServer({ procedures: urls, onError: () => {} }).view)

  /** Slow to normalise: marks that have to be sorted, and distinct characters for Punycode. */
  const marks = `a${'\u0300'.repeat(1000)}${'\u0316'.repeat(1000)}`
  const han = Array.from({ length: 1100 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('')

  test.each([
    ['a path of 10,000 characters', `https://a.example/${'b'.repeat(10_000)}`],
    ['a host of marks', `http://${marks}/`],
    ['a host of Han characters', `https://${han}`],
    ['a host with a port', `ws://${han}:80/`],
    ['a host after user information', `ftp://user:password@${han}/`],
    ['user information', `http://${'@'.repeat(1100)}host/`],
    ['a host in percent-encoding', `http://a${'%CC%80'.repeat(200)}/`],
    ['a host after backslashes', `http:\\\\${han}\\path`],
    ['a host after no slash', `http:${han}?query`],
    ['a host after many slashes', `http:${'/'.repeat(20)}${han}#fragment`],
    ['a host of file:', `file://${han}/`],
    ['a scheme in capitals, after spaces and controls', `\0 \u001f HTTPS://${han}/`],
    ['a scheme with tabs and line breaks', `h\tt\nt\rp:/\t/${han}/`],
    ['a host with tabs', `http://a\t${han}/`],
    ['a host after a slash with a tab', `http:/\t/\n/${han}/`],
    ['a host in a blob:', `blob:https://${han}/id`],
  ])('%s is rejected and never parsed, in both protocols', async (_what, text) => {
    const { error } = await responseTo(app, 'open', [text])
    expect(error?.code).toBe(-32602)
    expect(error?.message).toMatch(
      /received string of length \d+ \(a URL has at most 8192 characters, and its host 1024\)/,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML does not have these
    if (!/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text)) {
      expect(await xmlOf(app, 'open', `<string>${escaped(text)}</string>`)).toContain('<int>-32602</int>')
    }
    expect(received.urls.filter((each) => each.length > 1024)).toEqual([])
  })

  test.each([
    ['a path', `https://a.example/${'b'.repeat(8000)}`],
    ['a query', `https://a.example?${'b'.repeat(8000)}`],
    ['a fragment', `https://a.example#${'b'.repeat(8000)}`],
    ['a host of 1,000 characters', `https://${'a.'.repeat(500)}/`],
    ['data', `data:text/plain,${'b'.repeat(8000)}`],
    ['an opaque path', `urn:${'b'.repeat(8000)}`],
    ['an opaque host', `git://${'b'.repeat(2000)}/`],
    ['a path after tabs', `https://a.example/${'\t'.repeat(8000)}`],
  ])('a long URL is accepted and parsed once: %s', async (_what, text) => {
    const { result } = await responseTo(app, 'open', [text])
    expect(received.urls.filter((each) => each === text)).toHaveLength(1)
    expect(result).toBe(new URL(text).href)
  })

  test.each(['1', '2020-01-31', '//a.example', '', 'http:', 'http://', 'http://a:99999', 'http://[/'])(
    'a text that is no URL is compared without an exception: %j',
    async (text) => {
      const value = union([array(union([url, int])), array(union([bigint, date, bytes, string]))])
      const procedures = manifest({ f: procedure(() => 'ok', { params: { value }, returns: string }) })
      const { result } = await responseTo(new RpcServer({ procedures }).router(), 'f', [[text, text]])
      expect(result).toBe('ok')
      expect(received.constructed.filter((each) => each === text)).toEqual([])
    },
  )

  test('a URL whose printed form is too long is rejected: it could not be returned', async () => {
    for (const text of [`https://a.example/${'é'.repeat(2000)}`, `https://${han.slice(0, 1000)}/`]) {
      const { error } = await responseTo(app, 'open', [text])
      expect(error?.message).toContain('(a URL has at most 8192 characters, and its host 1024)')
    }
  })

  test('a result that is too long is an error of the server', async () => {
    const onError = vi.fn()
    const long = new URL(`https://a.example/${'b'.repeat(9000)}`)
    const server = new RpcServer({ procedures: manifest({ long: procedure(() => long, { returns: url }) }), onError })
    const own = new Hono().all('/', server.view)
    expect((await responseTo(own, 'long', [])).error?.code).toBe(-32603)
    expect(String(onError.mock.calls[0]?.[0])).toContain('a URL has at most 8192 characters')
    expect(await xmlOf(own, 'long', '<nil/>')).toContain('<fault>')
  })

  test('MinLength and MaxLength count what is sent and what is printed', async () => {
    const codeOf = async (...params: string[]) => (await responseTo(app, 'page', params)).error?.code
    expect(await codeOf('https://example.org/')).toBeUndefined()
    expect(await codeOf('https://a.org/')).toBe(-32602)
    // 19 characters as it is sent.
    expect(await codeOf('https://example.org')).toBe(-32602)
    expect(await codeOf(`https://example.org/${'a'.repeat(20)}`)).toBeUndefined()
    expect(await codeOf('https://example.org/', `https://example.org/${'a'.repeat(11)}`)).toBe(-32602)
    // 23 characters, and 58 with %C3%A9.
    expect(await codeOf('https://example.org/ééé'.padEnd(27, 'é'))).toBe(-32602)
    received.urls.length = 0
    const { error } = await responseTo(app, 'page', [`https://example.org/${'a'.repeat(21)}`])
    expect(error?.data).toEqual([
      {
        path: ['url'],
        code: 'maxLength',
        limit: 40,
        expected: 'URL of 20 to 40 characters',
        received: 'URL of length 41',
      },
    ])
  })

  test('the client does not parse what a server sends of that kind, and does not send it', async () => {
    let result: unknown
    const fetch = vi.fn(async (_url: string, { body }: RequestInit) => {
      const { id } = JSON.parse(`${body}`) as { id: number }
      return Response.json({ jsonrpc: '2.0', id, result })
    })
    const table = { methods: { open: { params: { url: 'url' }, result: ['array', 'url'] } }, types: {} } as const
    const client = createClient('https://server.example/', { codec: tableCodec(table), fetch }) as unknown as {
      open(url: URL): Promise<URL[]>
    }
    for (const text of [`http://${marks}/`, `http:\\${han}`, `https://a.example/${'b'.repeat(9000)}`]) {
      result = [text]
      await expect(client.open(new URL('https://a.example/'))).rejects.toThrow(/url/i)
    }
    expect(received.urls.filter((each) => each.length > 1024)).toEqual([])
    const { length } = fetch.mock.calls
    const long = new URL(`https://a.example/${'b'.repeat(9000)}`)
    await expect(client.open(long)).rejects.toThrow(/url/i)
    expect(fetch.mock.calls).toHaveLength(length)
  })

  test('the headers Origin and Host of a request', async () => {
    const long = `http://a${'%CC%80'.repeat(500)}`
    const header = (name: string) => (name === 'Origin' ? long : long.slice(7))
    expect(() => checkOrigin({ header }, 'same')).toThrow('Forbidden origin')
    const tools = mcp(new RpcServer({ procedures: urls }))
    for (const headers of [{ Host: long.slice(7) }, { Host: 'localhost', Origin: long }]) {
      const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' }
      expect((await tools.request('http://localhost/', init)).status).toBe(403)
    }
    expect(received.urls.filter((each) => each.length > 1024)).toEqual([])
  })
})

describe('numbers, dates and texts', () => {
  const echo = (value: unknown) => value
  const procedures = manifest({
    integer: procedure(echo as (value: bigint) => bigint, { params: { value: bigint }, returns: bigint }),
    date: procedure(echo as (value: Date) => Date, { params: { value: date }, returns: date }),
    text: procedure(echo as (value: string) => string, { params: { value: string }, returns: string }),
  })
  const app = new Hono().all('/', new RpcServer({ procedures }).view)

  test('BigInt gets at most 10,000 digits, in both protocols and in the client', async () => {
    const digits = '9'.repeat(100_000)
    expect((await responseTo(app, 'integer', [digits])).error?.code).toBe(-32602)
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
    const message = `{"jsonrpc":"2.0","id":1,"method":"integer","params":[${digits}]}`
    expect(await (await app.request('/', { ...init, body: message })).text()).toContain('more than 10000 digits')
    for (const name of ['int', 'i8', 'ex:biginteger', 'string'])
      expect(await xmlOf(app, 'integer', `<${name} xmlns:ex="x">${digits}</${name}>`)).toContain('<fault>')
    const table = { methods: { f: { params: {}, result: 'bigint' } }, types: {} } as const
    const fetch = async () => new Response(`{"jsonrpc":"2.0","id":1,"result":"${digits}"}`)
    const client = createClient('https://server.example/', { codec: tableCodec(table), fetch }) as unknown as {
      f(): Promise<bigint>
    }
    await expect(client.f()).rejects.toThrow(/bigint/)
    expect(received.bigints.filter((each) => each.length > 10_001)).toEqual([])
    expect((await responseTo(app, 'integer', ['9'.repeat(10_000)])).error).toBeUndefined()
    expect(received.bigints.map((each) => each.length)).toContain(10_000)
  })

  test('Date gets at most 40 characters', async () => {
    const fraction = '1'.repeat(100_000)
    await responseTo(app, 'date', [`2026-01-31T12:00:00.${fraction}Z`])
    const text = await xmlOf(app, 'date', `<dateTime.iso8601>20260131T12:00:00.${fraction}Z</dateTime.iso8601>`)
    expect(text).toContain('20260131T12:00:00')
    expect(received.dates.length).toBeGreaterThan(0)
    expect(received.dates.filter((each) => each.length > 40)).toEqual([])
  })

  test('no text is normalised or compared by the rules of a language', async () => {
    await responseTo(app, 'text', [`a${'\u0300'.repeat(1000)}`])
    await xmlOf(app, 'text', `<string>a${'\u0300'.repeat(1000)}</string>`)
    expect(received.normalized).toEqual([])
  })

  test('normalize gets names of hosts only, and at most 506 characters', async () => {
    const host = constrained(string, { format: idnHostnameFormat })
    const procedures = manifest({
      host: procedure(echo as (value: string) => string, { params: { value: host }, returns: host }),
    })
    const app = new Hono().all('/', new RpcServer({ procedures }).view)
    const marks = '\u0345\u0300\u0327\u0316'
    for (const length of [10_000, 127, 100]) {
      await responseTo(app, 'host', [`a${marks.repeat(length)}`])
      await xmlOf(app, 'host', `<string>a${marks.repeat(length)}.example</string>`)
    }
    expect((await responseTo(app, 'host', ['b\u00fccher.example'])).error).toBeUndefined()
    expect(received.normalized).toContain('b\u00fccher')
    expect(received.normalized.filter((each) => each.length > 506)).toEqual([])
  })

  test('a pattern does not get a text of 4 MB if a MaxLength is beside it', async () => {
    const source = '^(a+)+$'
    const limited = constrained(string, { pattern: source, maxLength: 20 })
    const own = manifest({
      f: procedure(echo as (value: string) => string, { params: { value: limited }, returns: limited }),
    })
    const server = new Hono().all('/', new RpcServer({ procedures: own, onError: () => {} }).view)
    const tested: string[] = []
    const { exec } = RegExp.prototype
    // `test`, `match` and `replace` call it.
    vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
      if (this.source === source) tested.push(text)
      return exec.call(this, text)
    })
    const long = `${'a'.repeat(4_000_000)}!`
    expect((await responseTo(server, 'f', [long])).error?.code).toBe(-32602)
    expect(await xmlOf(server, 'f', `<string>${long}</string>`)).toContain('<int>-32602</int>')
    expect(tested).toEqual([])
    expect((await responseTo(server, 'f', ['aaa'])).result).toBe('aaa')
    expect(tested).toContain('aaa')
  })
})
