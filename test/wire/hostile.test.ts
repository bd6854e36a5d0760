import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../support/paths.js'
import { appOf, callJson, callXml, post, request } from '../support/requests.js'
import { stepCounter } from '../support/step-counter.js'

// The work for a hostile body grows with its size: twice the size is about twice the steps. The work of the engine in one step, such as
// that of a regular expression, is not counted: quadratic work on a megabyte would take minutes, and the test would not end.

const app = appOf()
const countSteps = stepCounter()

/** As many copies of a text as fit into the size, less the text around them. */
type Fill = (text: string, around?: number) => string

const fillTo =
  (size: number): Fill =>
  (text, around = 0) =>
    text.repeat(Math.floor((size - around) / text.length))

async function send(body: string, type: string): Promise<void> {
  const { status, text } = await request(app, post(body, { 'Content-Type': type }))
  expect(status).toBeLessThan(300)
  // Some characters of the sender may be returned, but never the megabyte: that would double the cost of a flood.
  expect(text.length).toBeLessThan(10_000)
  expect(text).not.toMatch(/node_modules|\bat .+:\d+:\d+/)
}

/** Twice the size is twice the steps; if they grow with the square of the size it is four times as many. */
const most = 3

async function expectLinear(bodyOf: (size: number) => string, type: string): Promise<void> {
  await send(bodyOf(1_000_000), type)
  const stepsFor = (size: number) => countSteps(join(root, 'fixtures'), () => send(bodyOf(size), type))
  const [some, twice] = [await stepsFor(20_000), await stepsFor(40_000)]
  expect(twice / some).toBeLessThan(most)
}

/** The names of a struct. */
const namesFor = (size: number) => Array.from({ length: size * 0.06 }, (_, i) => `name${i}`)

const digits = '9007199254740993'

function jsonBodies(size: number): Record<string, string> {
  const fill = fillTo(size)
  return {
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
    'names unknown': callJson(
      'sum',
      `{${namesFor(size)
        .map((name) => `"${name}":1`)
        .join(',')}}`,
    ),
    'wrong elements': callJson('echo.array', `[[${fill('"",', 90)}1]]`),
    'wrong members': callJson(
      'echo.record',
      `[{${namesFor(size)
        .map((name) => `"${name}":""`)
        .join(',')}}]`,
    ),
    'a date of digits': callJson('echo.date', `["${fill('2', 90)}"]`),
    'a date with a fraction': callJson('echo.date', `["2024-01-01T00:00:00.${fill('1', 120)}"]`),
    'base64 of padding': callJson('echo.bytes', `["${fill('=', 90)}"]`),
    'base64 of spaces': callJson('echo.bytes', `["${fill(' ', 90)}*"]`),
    'a method': callJson(fill('a', 90), '[]'),
  }
}

function xmlBodies(size: number): Record<string, string> {
  const fill = fillTo(size)
  return {
    'open angle brackets': fill('<'),
    'open tags': fill('<a>'),
    'tags side by side': `<methodCall>${fill('<a/>', 60)}</methodCall>`,
    'an element of spaces': `<a${fill(' ', 10)}`,
    'an element of spaces that ends': `<a${fill(' ', 10)}/>`,
    'a name': `<${fill('a', 10)}>`,
    attributes: `<methodCall ${namesFor(size)
      .map((name) => `${name}=""`)
      .join(' ')}/>`,
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
  }
}

describe.each([
  ['JSON', 'application/json', jsonBodies],
  ['XML', 'text/xml', xmlBodies],
] as const)('the work for hostile %s grows with its size', (_, type, bodies) => {
  test.each(Object.keys(bodies(1000)))('%s', (name) => expectLinear((size) => bodies(size)[name] ?? '', type))
})
