import { describe, expect, test } from 'vitest'
import { appOf, callJson, callXml, post, request } from '../support/requests.js'

const size = 1_000_000
const app = appOf()

/** As many copies of a text as fit into a megabyte, less the text around them. */
const fill = (text: string, around = 0) => text.repeat(Math.floor((size - around) / text.length))

/** Milliseconds: the best of three. */
async function timeOf(body: string, type: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3; run++) {
    const start = performance.now()
    const { status, text } = await request(app, post(body, { 'Content-Type': type }))
    best = Math.min(best, performance.now() - start)
    expect(status).toBeLessThan(300)
    // Some characters of the sender may be returned, but never the megabyte: that would double the cost of a flood.
    expect(text.length).toBeLessThan(10_000)
    expect(text).not.toMatch(/node_modules|\bat .+:\d+:\d+/)
  }
  return best
}

/** The reference: an equally long and harmless request. */
function benignly(body: string, type: string): () => Promise<number> {
  let time: Promise<number> | undefined
  return () => {
    time ??= timeOf(body, type)
    return time
  }
}

/** What quadratic time would exceed a hundred times over, and a slow machine never: it is slow for both. */
const most = 75

describe('a hostile megabyte of JSON takes no longer than an ordinary one', () => {
  const type = 'application/json'
  const benign = benignly(callJson('kindOf', `[[${fill('1,', 60)}1]]`), type)
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
    expect((await timeOf(body, type)) / (await benign())).toBeLessThan(most)
  })
})

describe('a hostile megabyte of XML takes no longer than an ordinary one', () => {
  const type = 'text/xml'
  const value = `<array><data>${fill('<value><int>1</int></value>', 200)}</data></array>`
  const benign = benignly(callXml('kindOf', value), type)
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
    expect((await timeOf(body, type)) / (await benign())).toBeLessThan(most)
  })
})
