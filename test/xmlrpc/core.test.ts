import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  isRpcError,
  RpcInsecureRequest,
  RpcInvalidParams,
  RpcInvalidRequest,
  RpcParseError,
} from '../../runtime/error.js'
import { xmlrpc } from '../../runtime/xmlrpc/codec.js'
import { readCall, type XmlCall } from '../../runtime/xmlrpc/decode.js'
import { readCallWithNamespaces } from '../../runtime/xmlrpc/fallback.js'
import { completeLimits } from '../support/limits.js'
import { root } from '../support/paths.js'
import { malformed } from './malformed.js'
import { paramsOf } from './params.js'

const limits = completeLimits()
const call = (params: string, method = 'm') =>
  `<methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`
const param = (content: string) => `<param><value>${content}</value></param>`

/** A call, or what was thrown. */
function outcome(read: () => XmlCall): unknown {
  try {
    const call = read()
    return { method: call.method, params: paramsOf(call) }
  } catch (error) {
    return isRpcError(error) ? { code: error.code, message: error.message, data: error.data } : error
  }
}

const core = (text: string) => outcome(() => readCall(text, limits))
/** The exact places are in the fixtures of the wire. */
const placed = (reason: string) => ({
  code: -32600,
  message: expect.stringMatching(
    new RegExp(`^Invalid Request: line \\d+, column \\d+: ${reason.replace(/[[\]<>.]/g, '\\$&')}$`),
  ),
})

describe('three verdicts', () => {
  test('plain calls are read at once', () => {
    const text = `<?xml version='1.0'?>\n${call(param('<int>1</int>'))}`
    expect(xmlrpc.decode(text, limits)).toEqual({
      kind: 'single',
      entries: [{ method: 'm', params: [1], wantsReply: true }],
    })
  })

  test.each(malformed)('malformed: %j', async (text, message) => {
    const error = await Promise.resolve()
      .then(() => xmlrpc.decode(text, limits))
      .catch((error) => error)
    expect(error).toBeInstanceOf(RpcParseError)
    expect(error.message).toBe(`Parse error: ${message}`)
  })

  test.each([
    [call('<param x="1"><value/></param>'), ['']],
    [call(param('<int xsi:type="x">5</int>')), [5]],
    [call(param(`<int xmlns='&lt;"' é = ">">5</int>`)), [5]],
    [call(param('<boolean\n\tx="1"\n/>')).replace('/>', '>1</boolean>'), [true]],
    [`<methodCall xmlns:ex="e">${call(param('<ex:nil/>')).slice(12)}`, [null]],
  ])('attributes are ignored: %s', (text, params) => {
    expect(core(text)).toEqual({ method: 'm', params })
  })

  test.each([
    [call('<x:param/>'), 'params: an unknown element in <params>'],
    [call(param('<é>1</é>')), 'params[0]: expected a type of XML-RPC, found an unknown element'],
    [call(param('<ex:é x="1"/>')), 'params[0]: expected a type of XML-RPC, found an unknown element'],
    [call('<param x="1"><values/></param>'), 'params[0]: an unknown element in <param>'],
  ])('elements that XML-RPC does not have: %s', (text, reason) => {
    expect(core(text)).toMatchObject(placed(reason))
  })

  test('a document with attributes may be malformed further on', () => {
    const text = call('<param x="1"><value/></params>')
    expect(core(text)).toMatchObject({
      message: expect.stringMatching(/^Parse error: line 1, column \d+: expected <\/param>/),
    })
  })

  test.each([
    ['&nbsp;', 'unknown entity'],
    ['&#0;', 'a reference to a character that XML does not allow'],
    ['\x01', 'U+0001 is not allowed in XML'],
  ])('the value of an attribute is checked: %j', (value, reason) => {
    expect(core(call(`<param x="${value}"><value/></param>`))).toMatchObject({
      code: -32700,
      message: expect.stringContaining(reason),
    })
  })

  test.each(['<!DOCTYPE a>', '<!doctype a>', '<!DOCTYPE a [<!ENTITY b "c">]>', '<!ENTITY x "y">'])(
    '%s is rejected, before the call and in it',
    (declaration) => {
      for (const text of [`${declaration}<methodCall a="1"/>`, call(`<param x="1">${declaration}`)]) {
        expect(() => readCall(text, limits)).toThrow(RpcInsecureRequest)
      }
    },
  )

  test('a declaration in a comment or a CDATA section is text', () => {
    expect(core(call(param('<![CDATA[<!DOCTYPE a>]]><!-- <!ENTITY x "y"> -->')))).toMatchObject({
      params: ['<!DOCTYPE a>'],
    })
  })

  test.each([
    ['nested', '<a>'.repeat(100_000) + '</a>'.repeat(100_000)],
    ['not closed', '<a>'.repeat(100_000)],
    ['in a call', call(param('<a b="c">'.repeat(100_000)))],
  ])('a hundred thousand elements, %s', (_, text) => {
    expect(core(text)).toMatchObject({ code: -32600 })
  })

  test('a call with attributes may be as long as a body', () => {
    expect(core(call(`<param x="1"><value>${'a'.repeat(1_000_000)}</value></param>`))).toMatchObject({ method: 'm' })
  })
})

describe('precedence of errors', () => {
  test('a malformed document, before a document that is not a call', () => {
    expect(core(`${call('<x/>')}<b/>`)).toMatchObject({ code: -32700 })
    expect(core(call('<x>&y;</x>'))).toMatchObject({ code: -32700 })
    expect(core(call(`<x>${'<value>'.repeat(300)}`))).toMatchObject({ code: -32700 })
    expect(core('<x></y>')).toMatchObject({ code: -32700 })
  })

  test('a document that is not a call, before an invalid scalar', () => {
    const scalar = param('<int>x</int>')
    expect(core(call(`${scalar}<x/>`))).toMatchObject(placed('params: an unknown element in <params>'))
    expect(core(call(scalar) + call(scalar))).toMatchObject({ code: -32700 })
    expect(core(call(`${scalar}${param('<double>y</double>')}`))).toMatchObject({
      data: [{ path: [0], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' }],
    })
  })

  test('the first invalid scalar is reported, also before its name', () => {
    const value = '<value><array><data><value/><value><int>x</int></value></data></array></value>'
    const member = (name: string, content: string) => `<member>${content}<name>${name}</name></member>`
    const inner = `<struct>${member('b c', value)}${member('d', '<value><int/></value>')}</struct>`
    expect(core(call(param(`<struct>${member('a', `<value>${inner}</value>`)}</struct>`)))).toMatchObject({
      data: [{ path: [0, 'a', 'b c', 1], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' }],
    })
  })
})

describe('parameters before the method', () => {
  const early = (params: string, method: string) =>
    `<methodCall><params>${params}</params><methodName>${method}</methodName></methodCall>`

  test('are read', () => {
    expect(core(early(`${param('<int>1</int>')}<!-- -->${param('')}`, 'm'))).toEqual({ method: 'm', params: [1, ''] })
    expect(core(early('', 'm'))).toEqual({ method: 'm', params: [] })
  })

  test('of a multicall, too', () => {
    const entries = '<array><data><value><int>x</int></value><value>y</value></data></array>'
    expect(core(early(param(entries), 'system.multicall'))).toEqual({
      method: 'system.multicall',
      params: [[expect.any(RpcInvalidParams), 'y']],
    })
  })

  test('may occur once', () => {
    expect(core(`<methodCall><params/><params/></methodCall>`)).toMatchObject(
      placed('a second <params> in <methodCall>'),
    )
  })
})

describe('the entries of a multicall', () => {
  const entries = (...values: string[]) =>
    call(param(`<array><data>${values.join('\n')}</data></array>`), 'system.multicall')
  const read = (...values: string[]) => (paramsOf(readCall(entries(...values), limits)) as unknown[][])[0]

  test('that are not values are errors at their index', () => {
    const [first, second, third, fourth] = read(
      '<value><x><y/>text<!-- </value> --></x></value>',
      '<value>a</value>',
      '<value ><array><value/></array></value >',
      '<value><int>1</int><int>2</int></value>',
    ) as [Error, string, Error, Error]
    expect(first).toMatchObject(placed('params[0][0]: expected a type of XML-RPC, found an unknown element'))
    expect(second).toBe('a')
    expect(third).toMatchObject(placed('params[0][2]: <value> in <array>'))
    expect(fourth).toMatchObject(placed('params[0][3]: <value> with more than one element'))
  })

  test('have separate errors, the first of each', () => {
    const bad = (text: string) =>
      `<value><array><data><value><int>${text}</int></value><value><i8/></value></data></array></value>`
    const paths = read(bad('x'), '<value/>', bad('y'))?.map((each) => (each as RpcInvalidParams).data)
    expect(paths).toEqual([
      [{ path: [0, 0, 0], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' }],
      undefined,
      [{ path: [0, 2, 0], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' }],
    ])
  })

  test('a malformed entry makes the whole document malformed', () => {
    expect(core(entries('<value>a</value>', '<value><x></value>'))).toMatchObject({ code: -32700 })
  })

  test('that are nested too deeply are errors at their index', () => {
    const deep = `${'<value><array><data>'.repeat(256)}<value/>${'</data></array></value>'.repeat(256)}`
    expect(read(deep, '<value/>')).toEqual([new RpcInvalidRequest('Invalid Request: nested deeper than 256'), ''])
  })

  test('beyond the limit are counted', () => {
    const { params } = readCall(
      entries('<value/>', '<value>a</value>', '<value><x/></value>'),
      completeLimits({ batch: 1 }),
    )
    expect(params).toEqual([['', undefined, undefined]])
  })
})

describe('equivalent documents have the same values', () => {
  test.each([
    '<?xml version="1.0" encoding="utf-8" ?>',
    "<?xml version='1.0' encoding='UTF-8'?>\r\n\t ",
    '<?xml version="1.1" standalone="no"?>',
    '\ufeff<?xml version="1.0"?><!-- --><?a b?>',
    ' \n',
  ])('a call behind %j', (start) => {
    expect(core(start + call(param('<int>1</int>')))).toEqual({ method: 'm', params: [1] })
  })

  test.each([
    ['<int>-0</int>', 0],
    ['<i4>-15</i4>', -15],
    ['<i4 >15</i4\n>', 15],
    ['<int>999999999999999</int>', 999999999999999],
    ['<int>1000000000000000</int>', 1000000000000000],
    ['<int>9007199254740993</int>', 9007199254740993n],
    ['<double>-0.0</double>', -0],
    ['<double>0.1</double>', 0.1],
    ['<double>123456789012345678901234567890.5</double>', 123456789012345680000000000000],
    ['<boolean>1</boolean><!-- -->', true],
    ['<string>a]b]]c</string>', 'a]b]]c'],
    ['<string>é€\ue000</string>', 'é€\ue000'],
    ['<string>😀\u2028\u0085</string>', '😀\u2028\u0085'],
    ['<string>a\rb\r\nc</string>', 'a\nb\nc'],
    ['<string>&amp;</string>', '&'],
    ['<string>&lt;&gt;&quot;&apos;&amp;lt;</string>', '<>"\'&lt;'],
    ['<string>&amp;#65;&#233;&#x20ac;&lt;]</string>', '&#65;é€<]'],
    ['&lt;b&gt;', '<b>'],
    ['<!-- --><nil/><!-- -->', null],
    ['<nil/ >'.replace(' ', ''), null],
    ['&#32;<int>1</int><![CDATA[ ]]>', 1],
    [`<struct><member><name>${'n'.repeat(40)}</name><value>1</value></member></struct>`, { ['n'.repeat(40)]: '1' }],
    ['<struct><member><name>a<!-- --></name><value>1</value></member></struct>', { a: '1' }],
    ['<struct><member><name>a</name><!-- --><value>1</value><!-- --></member></struct>', { a: '1' }],
    ['<struct><!-- --><member ><name >a</name><value />\n</member></struct >', { a: '' }],
    ['<array><!-- --><data><value>1</value><!-- --><value/><value >2</value></data><!-- --></array>', ['1', '', '2']],
    ['<array ><data ><value><nil/></value></data></array>', [null]],
    [
      '<array><data><value><int>1</int></value> <value><string>a&amp;b</string></value><value>c</value>\n<value><struct>' +
        '</struct></value><value><int>2</int></value></data></array>',
      [1, 'a&b', 'c', {}, 2],
    ],
    [
      '<struct> <member><name>a</name> <value><int>1</int></value></member><member><name>b c</name><value>2</value></member>' +
        '<member>\n<value>3</value><name>d</name></member> <member><name>e</name><value/></member><!-- --></struct>\n',
      { a: 1, 'b c': '2', d: '3', e: '' },
    ],
  ])('%s', (content, value) => {
    const text = call(param(content))
    expect(core(text)).toEqual({ method: 'm', params: [value] })
    expect(outcome(() => readCallWithNamespaces(text, limits))).toEqual({ method: 'm', params: [value] })
  })

  test.each([999, 1000, 1001, 5000])('a text with %d references', (count) => {
    const text = '&lt;a&amp;'.repeat(count)
    expect(core(call(param(`<string>${text}</string>`)))).toEqual({ method: 'm', params: ['<a&'.repeat(count)] })
    expect(core(call(param(`<string>${text}&nbsp;</string>`)))).toMatchObject({ code: -32700 })
  })

  test('an empty element does not affect the next value', () => {
    const text = call('<param><value><nil/><!-- --></value><!-- --></param><!-- -->').replace(
      '</params>',
      '</params><!-- -->',
    )
    expect(core(text)).toEqual({ method: 'm', params: [null] })
  })

  test.each(['<string>x</string>', '<int>1</int>', '<boolean>1</boolean>', '<double>1.5</double>'])(
    'nothing is read behind an empty value: %s',
    (element) => {
      expect(core(call(`<param><value/>${element}</value></param>`))).toMatchObject({ code: -32700 })
      expect(core(call(`<param><value/>${element}</param>`))).toMatchObject({ code: -32600 })
      const array = (content: string) => param(`<array><data>${content}</data></array>`)
      expect(core(call(array(`<value/>${element}</value>`)))).toMatchObject({ code: -32700 })
      const member = `<member><name>a</name><value/>${element}</value></member>`
      expect(core(call(param(`<struct>${member}</struct>`)))).toMatchObject({ code: -32700 })
    },
  )

  test('an invalid double', () => {
    const double = `<double>${'9'.repeat(400)}.0</double>`
    expect(core(call(param(double)))).toMatchObject({ code: -32602 })
    expect(core(call(param(`<array><data><value>${double}</value></data></array>`)))).toMatchObject({ code: -32602 })
  })

  test('names with the same hash are not confused', () => {
    // 31 × 'a' + 'P' is 31 × 'b' + '1'.
    const member = (name: string) => `<member><name>${name}</name><value>${name}</value></member>`
    for (const names of [
      ['aP', 'b1'],
      ['b1', 'aP', 'aP'],
    ]) {
      const expected = Object.fromEntries(names.map((name) => [name, name]))
      expect(core(call(param(`<struct>${names.map(member).join('')}</struct>`)))).toMatchObject({ params: [expected] })
    }
  })
})

test('long names are shortened in messages', () => {
  const { message } = core(call(`<${'b'.repeat(10_000)}/>`)) as Error
  expect(message.length).toBeLessThan(200)
})

test('the fallback, and the parser in it, are not loaded with the codec', () => {
  const runtime = join(root, 'runtime/xmlrpc')
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    if (!path.endsWith('.ts')) return
    const source = readFileSync(path, 'utf8')
    for (const [, to = ''] of source.matchAll(/^(?:import|export) (?!type).*? from '(.+)'|^\} from '(.+)'/gm)) {
      visit(to.startsWith('.') ? join(dirname(path), to.replace(/\.js$/, '.ts')) : to)
    }
  }
  visit(join(runtime, 'codec.ts'))
  expect(seen).toContain(join(runtime, 'decode.ts'))
  expect(seen).not.toContain(join(runtime, 'fallback.ts'))
  expect(seen).not.toContain('fast-xml-parser')
})
