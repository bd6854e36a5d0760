import { describe, expect, test } from 'vitest'
import { appOf, ask, post } from '../http/ask.js'

const size = 1_000_000
const app = appOf()

/** So many copies of a text that they fill a megabyte, less what stands around them. */
const fill = (text: string, around = 0) => text.repeat(Math.floor((size - around) / text.length))

const callJson = (method: string, params: string) => `{"jsonrpc":"2.0","method":"${method}","params":${params},"id":1}`
const callXml = (method: string, value: string) =>
  `<methodCall><methodName>${method}</methodName><params><param><value>${value}</value></param></params></methodCall>`

/** Milliseconds: the best of three. */
async function timeOf(body: string, type: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const start = performance.now()
    const { status, text } = await ask(app, post(body, { 'Content-Type': type }))
    best = Math.min(best, performance.now() - start)
    expect(status).toBeLessThan(300)
    // A few odd characters of the sender's may come back, never the megabyte: it would double what a flood costs.
    expect(text.length).toBeLessThan(10_000)
    expect(text).not.toMatch(/node_modules|\bat .+:\d+:\d+/)
  }
  return best
}

/** What quadratic time would exceed a hundred times over, and a slow machine never: it is slow for both. */
const most = 25

describe('a megabyte of JSON takes no longer than an honest one', () => {
  const type = 'application/json'
  const benign = callJson('kindOf', `[[${fill('1,', 60)}1]]`)
  const digits = '9007199254740993'

  test.each(
    Object.entries({
      'quotes escaped, without an end': `${digits}"${fill('\\"', 20)}`,
      'quotes escaped, in a string': callJson('kindOf', `["${fill('\\"', 90)}",${digits}]`),
      'backslashes without an end': `"${fill('\\', 1)}`,
      'empty strings': callJson('kindOf', `[[${fill('"",', 90)}${digits}]]`),
      'long integers': callJson('kindOf', `[[${fill(`${digits},`, 90)}1]]`),
      'one integer': callJson('kindOf', `[${fill('9', 90)}]`),
      'an id': `{"jsonrpc":"2.0","method":"sum","id":${fill('9', 60)}}`,
      'a bigint': callJson('echo.bigint', `[${fill('9', 90)}]`),
      'a bigint as a string': callJson('echo.bigint', `["${fill('9', 90)}"]`),
      'a bigint of zeros': callJson('echo.bigint', `["${fill('0', 90)}"]`),
      'integers just within the limit': callJson('kindOf', `[[${fill(`${'9'.repeat(10_000)},`, 90)}1]]`),
      'a number with spaces behind': callJson('kindOf', `[${digits}${fill(' ', 90)}]`),
      'digits with a point': callJson('kindOf', `[${fill('9', 90)}.5]`),
      'large exponents': callJson('kindOf', `[[${fill('1e999,', 90)}1]]`),
      exponents: callJson('kindOf', `["${fill('e1', 90)}e111"]`),
      'minus signs': fill('-'),
      'open brackets': fill('['),
      'open braces': fill('{"a":'),
      'brackets side by side': callJson('kindOf', `[[${fill('[],', 90)}1]]`),
      commas: `[${fill(',', 1)}`,
      'line ends': fill('\n'),
      'names unknown': callJson('sum', `{${Array.from({ length: 60_000 }, (_, i) => `"name${i}":1`).join(',')}}`),
      'wrong elements': callJson('echo.array', `[[${fill('"",', 90)}1]]`),
      'wrong members': callJson(
        'echo.record',
        `[{${Array.from({ length: 60_000 }, (_, i) => `"name${i}":""`).join(',')}}]`,
      ),
      'a date of digits': callJson('echo.date', `["${fill('2', 90)}"]`),
      'a date with a fraction': callJson('echo.date', `["2024-01-01T00:00:00.${fill('1', 120)}"]`),
      'base64 of padding': callJson('echo.bytes', `["${fill('=', 90)}"]`),
      'base64 of spaces': callJson('echo.bytes', `["${fill(' ', 90)}*"]`),
      'a method': callJson(fill('a', 90), '[]'),
    }),
  )('%s', async (_, body) => {
    expect((await timeOf(body, type)) / (await timeOf(benign, type))).toBeLessThan(most)
  })
})

describe('a megabyte of XML takes no longer than an honest one', () => {
  const type = 'text/xml'
  const benign = callXml('kindOf', `<array><data>${fill('<value><int>1</int></value>', 200)}</data></array>`)
  const attributes = Array.from({ length: 60_000 }, (_, i) => `name${i}=""`).join(' ')

  test.each(
    Object.entries({
      'open angle brackets': fill('<'),
      'open tags': fill('<a>'),
      'tags side by side': `<methodCall>${fill('<a/>', 60)}</methodCall>`,
      'an element of spaces': `<a${fill(' ', 10)}`,
      'an element of spaces that ends': `<a${fill(' ', 10)}/>`,
      'a name': `<${fill('a', 10)}>`,
      attributes: `<methodCall ${attributes}/>`,
      'one attribute': `<methodCall a="${fill('x', 60)}"/>`,
      'one attribute without an end': `<methodCall a="${fill('x', 60)}`,
      'apostrophes in attributes': `<methodCall a="${fill(`'`, 60)}"/>`,
      'an attribute of spaces': `<methodCall a${fill(' ', 60)}`,
      ampersands: callXml('kindOf', fill('&', 200)),
      entities: callXml('kindOf', fill('&amp;', 200)),
      'a reference of digits': callXml('kindOf', `&#${fill('9', 200)};`),
      'a reference of zeros': callXml('kindOf', `&#${fill('0', 200)}65;`),
      'a reference without an end': callXml('kindOf', `&${fill('a', 200)}`),
      references: callXml('kindOf', fill('&#65;', 200)),
      'square brackets': callXml('kindOf', fill(']]', 200)),
      'comment without an end': `<!-${fill('-', 10)}`,
      comments: `${fill('<!---->', 60)}<a/>`,
      'comments in a value': callXml('kindOf', fill('a<!---->', 200)),
      instructions: `${fill('<?a?>', 60)}<a/>`,
      'instructions without an end': fill('<?a '),
      'CDATA sections': callXml('kindOf', fill('<![CDATA[]]>', 200)),
      'CDATA without an end': callXml('kindOf', fill('<![CDATA[', 200)),
      'a declaration of spaces': `<?xml${fill(' ', 10)}`,
      'a declaration without an end': `<?xml version="1.0" encoding="${fill('a', 60)}`,
      'spaces before': `${fill(' ', 200)}${callXml('sum', '<int>1</int>')}`,
      'spaces around': callXml('sum', `${fill(' ', 200)}<int>1</int>`),
      'line ends': callXml('kindOf', fill('\r\n', 200)),
      'an int': callXml('echo.int', `<int>${fill('9', 200)}</int>`),
      'an int of zeros': callXml('echo.int', `<int>${fill('0', 200)}</int>`),
      'a biginteger': callXml('echo.bigint', `<ex:biginteger>${fill('9', 200)}</ex:biginteger>`),
      'a double': callXml('echo.double', `<double>${fill('9', 200)}x</double>`),
      'a double with a point': callXml('echo.double', `<double>1.${fill('9', 200)}x</double>`),
      'a date': callXml('echo.date', `<dateTime.iso8601>20240101T00:00:00.${fill('9', 200)}x</dateTime.iso8601>`),
      'base64 of padding': callXml('echo.bytes', `<base64>${fill('=', 200)}</base64>`),
      'one member': callXml('echo.record', `<struct>${fill('<member><name>a</name><value/></member>', 200)}</struct>`),
      'a doctype': `<!DOCTYPE a [${fill('<!ENTITY a "b">', 60)}]>`,
    }),
  )('%s', async (_, body) => {
    expect((await timeOf(body, type)) / (await timeOf(benign, type))).toBeLessThan(most)
  })
})

describe('digits', () => {
  const long = '9'.repeat(10_000)

  test('an integer of 10,000 digits travels, exactly', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = (result: string, id: string) => `{"jsonrpc":"2.0","result":"${result}","id":${id}}`
    const body = `{"jsonrpc":"2.0","method":"echo.bigint","params":[-${long}],"id":${long}}`
    expect((await ask(app, post(body, headers))).text).toBe(answer(`-${long}`, long))
    const text = body.replace(`[-${long}]`, `["-${long}"]`)
    expect((await ask(app, post(text, headers))).text).toBe(answer(`-${long}`, long))
  })

  test.each([
    ['a number', callJson('echo.any', `[${long}9]`), -32600],
    ['an id', `{"jsonrpc":"2.0","method":"sum","id":-${long}9}`, -32600],
    ['a bigint as a string', callJson('echo.bigint', `["${long}9"]`), -32602],
  ])('one more is refused: %s', async (_, body, code) => {
    const { text } = await ask(app, post(body, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(code)
  })

  test.each(['int', 'i8', 'ex:biginteger'])('one more is refused: <%s>', async (element) => {
    const body = callXml('echo.any', `<${element}>0${long}</${element}>`)
    const { text } = await ask(app, post(body, { 'Content-Type': 'text/xml' }))
    expect(text).toContain('<int>-32602</int>')
  })
})

describe('nesting', () => {
  test.each([256, 257, 100_000, 1_000_000])('%d open brackets', async (depth) => {
    const { text } = await ask(app, post('['.repeat(depth), { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(depth > 256 ? -32600 : -32700)
  })

  test('100,000 nested arrays', async () => {
    const json = callJson('kindOf', '['.repeat(100_000) + ']'.repeat(100_000))
    const inJson = await ask(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(inJson.text).error.data).toBe('nested deeper than 256')
    const xml = callXml('kindOf', '<array><data><value>'.repeat(100_000) + '</value></data></array>'.repeat(100_000))
    const inXml = await ask(app, post(xml, { 'Content-Type': 'text/xml' }))
    expect(inXml.text).toContain('<int>-32600</int>')
  })

  test('a type that contains itself, in each of its branches', async () => {
    const deep = (levels: number, end: string) => '{"kind":"twig","left":'.repeat(levels) + end + '}'.repeat(levels)
    const right = callJson('tree.depth', `[${deep(250, '{"kind":"leaf"}')}]`)
    const inJson = await ask(app, post(right, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(inJson.text).result).toBe(251)
    const wrong = callJson('tree.depth', `[${deep(250, '{"kind":"lea"}')}]`)
    const refused = await ask(app, post(wrong, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(refused.text).error.data).toEqual([
      {
        path: `tree${'.left'.repeat(250)}.kind`,
        expected: '"leaf" | "pair" | "twig"',
        received: 'string "lea"',
      },
    ])
  })
})

describe('many of them', () => {
  test('200,000 positional parameters', async () => {
    const json = callJson('sum', `[${'1,'.repeat(199_999)}1]`)
    const { text } = await ask(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).error.code).toBe(-32602)
  })

  test('10,000 positional parameters', async () => {
    const json = callJson('sum', `[${'1,'.repeat(9_999)}1]`)
    const { text } = await ask(app, post(json, { 'Content-Type': 'application/json' }))
    expect(JSON.parse(text).result).toBe(10_000)
  })

  test('nothing reaches the prototype of all objects', async () => {
    const evil = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'
    for (const method of ['echo.any', 'echo.struct', 'echo.record', 'echo.map', 'echo.union', 'nothing.here']) {
      await ask(app, post(callJson(method, `[${evil}]`), { 'Content-Type': 'application/json' }))
      await ask(app, post(callJson(method, evil), { 'Content-Type': 'application/json' }))
      const member = (name: string, value: string) => `<member><name>${name}</name><value>${value}</value></member>`
      const polluted = `<struct>${member('polluted', '1')}</struct>`
      const struct = `<struct>${member('__proto__', polluted)}${member('constructor', polluted)}</struct>`
      await ask(app, post(callXml(method, struct), { 'Content-Type': 'text/xml' }))
    }
    expect('polluted' in {}).toBe(false)
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
  })
})
