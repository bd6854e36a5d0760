import { describe, expect, test } from 'vitest'
import { appOf, callJson, callXml, post, request } from '../support/requests.js'

const app = appOf()

describe('digits', () => {
  const long = '9'.repeat(10_000)

  test('an integer of 10,000 digits is sent exactly', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const responseText = (result: string, id: string) => `{"jsonrpc":"2.0","result":"${result}","id":${id}}`
    const body = `{"jsonrpc":"2.0","method":"echo.bigint","params":[-${long}],"id":${long}}`
    expect((await request(app, post(body, headers))).text).toBe(responseText(`-${long}`, long))
    const text = body.replace(`[-${long}]`, `["-${long}"]`)
    expect((await request(app, post(text, headers))).text).toBe(responseText(`-${long}`, long))
  })

  test.each([
    ['a number', callJson('echo.any', `[${long}9]`), -32600],
    ['an id', `{"jsonrpc":"2.0","method":"sum","id":-${long}9}`, -32600],
    ['a bigint as a string', callJson('echo.bigint', `["${long}9"]`), -32602],
  ])('one more is rejected: %s', async (_, body, code) => {
    const { text } = await request(app, post(body, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(code)
  })

  test.each(['int', 'i8', 'ex:biginteger'])('one more is rejected: <%s>', async (element) => {
    const body = callXml('echo.any', `<${element}>0${long}</${element}>`)
    const { text } = await request(app, post(body, { 'Content-Type': 'text/xml' }))
    expect(text).toContain('<int>-32602</int>')
  })
})

describe('nesting', () => {
  test.each([256, 1_000, 1_000_000])('%d open brackets', async (depth) => {
    const { text } = await request(app, post('['.repeat(depth), { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(depth > 256 ? -32600 : -32700)
  })

  test.each([
    [256, 'Array'],
    [257, undefined],
  ])('a parameter of %d arrays is the same in both protocols, in a batch too', async (depth, kind) => {
    const inJson = callJson('kindOf', `[${'['.repeat(depth)}${']'.repeat(depth)}]`)
    const open = '<array><data><value>'
    const inXml = callXml(
      'kindOf',
      `${open.repeat(depth - 1)}<array><data/></array>${'</value></data></array>'.repeat(depth - 1)}`,
    )
    const json = await request(app, post(inJson, { 'Content-Type': 'application/json' }))
    const batch = await request(app, post(`[${inJson}]`, { 'Content-Type': 'application/json' }))
    const xml = await request(app, post(inXml, { 'Content-Type': 'text/xml' }))
    if (kind) {
      expect(JSON.parse(json.text).result).toBe(kind)
      expect(JSON.parse(batch.text)[0].result).toBe(kind)
      expect(xml.text).toContain(`<string>${kind}</string>`)
    } else {
      expect(JSON.parse(json.text).error).toMatchObject({
        code: -32600,
        data: expect.stringMatching(/^line 1, column \d+: nested deeper than 256$/),
      })
      expect(JSON.parse(batch.text).error).toMatchObject({
        code: -32600,
        data: expect.stringMatching(/^line 1, column \d+: nested deeper than 256$/),
      })
      expect(xml.text).toContain('<int>-32600</int>')
    }
  })

  test('100,000 nested arrays', async () => {
    const app = appOf({ limits: { bodyBytes: 10_000_000 } })
    const json = callJson('kindOf', '['.repeat(100_000) + ']'.repeat(100_000))
    const inJson = await request(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(inJson.text).error.data).toMatch(/^line 1, column \d+: nested deeper than 256$/)
    const xml = callXml('kindOf', '<array><data><value>'.repeat(100_000) + '</value></data></array>'.repeat(100_000))
    const inXml = await request(app, post(xml, { 'Content-Type': 'text/xml' }))
    expect(inXml.text).toContain('<int>-32600</int>')
  })

  test.each(['strip', 'reject'] as const)(
    'a type that contains itself and a value that is not of it: %s',
    async (unknownKeys) => {
      const app = appOf({ unknownKeys })
      const deep = `${'{"kind":"twig","left":'.repeat(250)}{"kind":"lea"}${'}'.repeat(250)}`
      const { text } = await request(
        app,
        post(callJson('tree.depth', `[${deep}]`), { 'Content-Type': 'application/json' }),
      )
      expect(JSON.parse(text).error.data).toEqual([
        {
          path: ['tree', ...Array(250).fill('left'), 'kind'],
          code: 'enum',
          limit: ['leaf', 'pair', 'twig'],
          expected: '"leaf" | "pair" | "twig"',
          received: 'string of length 3',
        },
      ])
    },
  )

  test('an integer that a double cannot represent', async () => {
    const { text } = await request(
      app,
      post(callJson('echo.number', `[${'9'.repeat(400)}]`), { 'Content-Type': 'application/json' }),
    )
    expect(JSON.parse(text).error.code).toBe(-32602)
    expect(text.length).toBeLessThan(500)
  })

  test('a type that contains itself', async () => {
    const deep = (levels: number, end: string) => '{"kind":"twig","left":'.repeat(levels) + end + '}'.repeat(levels)
    const right = callJson('tree.depth', `[${deep(250, '{"kind":"leaf"}')}]`)
    const inJson = await request(app, post(right, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(inJson.text).result).toBe(251)
  })
})

describe('large messages', () => {
  test('invalid entries of a multicall behind two million lines: each has its position, and lines are counted once', async () => {
    const entries = `<value>${'\n'.repeat(2_000_000)}</value>${'<value><x/></value>'.repeat(999)}`
    const xml = callXml('system.multicall', `<array><data>${entries}</data></array>`)
    const { text } = await request(app, post(xml, { 'Content-Type': 'text/xml' }))
    const errors = text.match(/line 2000001, column \d+: params\[0\]\[\d+\]: expected a type of XML-RPC, found/g)
    expect(errors).toHaveLength(999)
  })

  test('200,000 positional parameters', async () => {
    const json = callJson('sum', `[${'1,'.repeat(199_999)}1]`)
    const { text } = await request(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(-32602)
  })

  test('10,000 positional parameters', async () => {
    const json = callJson('sum', `[${'1,'.repeat(9_999)}1]`)
    const { text } = await request(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).result).toBe(10_000)
  })

  test('no message changes Object.prototype', async () => {
    const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    for (const method of ['echo.any', 'echo.struct', 'echo.record', 'echo.map', 'echo.union', 'nothing.here']) {
      await request(app, post(callJson(method, `[${evil}]`), { 'Content-Type': 'application/json' }))
      await request(app, post(callJson(method, evil), { 'Content-Type': 'application/json' }))
      const member = (name: string, value: string) => `<member><name>${name}</name><value>${value}</value></member>`
      const polluted = `<struct>${member('polluted', '1')}</struct>`
      const struct = `<struct>${member('__proto__', polluted)}${member('constructor', polluted)}</struct>`
      await request(app, post(callXml(method, struct), { 'Content-Type': 'text/xml' }))
    }
    expect('polluted' in {}).toBe(false)
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  })
})
