import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Call } from '../../runtime/call/call.js'
import { completeLimits } from '../../runtime/call/limits.js'
import { isRpcError, RpcInvalidParams, RpcInvalidRequest, RpcParseError } from '../../runtime/error.js'
import { xmlrpc } from '../../runtime/xmlrpc/codec.js'
import { readCallOutsideCore } from '../../runtime/xmlrpc/fallback.js'
import { readCall } from '../../runtime/xmlrpc/message.js'
import { malformed } from './malformed.js'

const limits = completeLimits()
const call = (params: string, method = 'm') =>
  `<methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`
const param = (content: string) => `<param><value>${content}</value></param>`

/** A call, or what was thrown. */
function outcome(read: () => Call): unknown {
  try {
    const { method, params } = read()
    return { method, params }
  } catch (error) {
    return isRpcError(error) ? { code: error.code, message: error.message, data: error.data } : error
  }
}

const core = (text: string) => outcome(() => readCall(text, limits))
const invalid = (message: string) => ({ code: -32600, message: `Invalid Request: ${message}` })
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
      entries: [{ method: 'm', params: [1], wantsReply: true }],
      batch: false,
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
    [call('<param x="1"><value/></param>'), 'an attribute', ['']],
    [call(param('<int xsi:type="x">5</int>')), 'an attribute', [5]],
    [call(param(`<int xmlns='&lt;"'>5</int>`)), 'an attribute', [5]],
    [`<methodCall xmlns:ex="e">${call(param('<ex:nil/>')).slice(12)}`, 'an attribute', [null]],
  ])('outside of the core: %s', async (text, what, params) => {
    expect(core(text)).toMatchObject({ name: 'OutsideCore', message: what })
    expect(await xmlrpc.decode(text, limits)).toMatchObject({ entries: [{ method: 'm', params }] })
  })

  test.each([
    [call('<x:param/>'), 'a name that XML-RPC does not have', 'params: an unknown element in <params>'],
    [
      call(param('<é>1</é>')),
      'a name that XML-RPC does not have',
      'params[0]: expected a type of XML-RPC, found an unknown element',
    ],
    [
      call(param('<ex:é/>')),
      'a name that XML-RPC does not have',
      'params[0]: expected a type of XML-RPC, found an unknown element',
    ],
  ])('outside of the core, and no call: %s', async (text, what, reason) => {
    expect(core(text)).toMatchObject({ name: 'OutsideCore', message: what })
    await expect(xmlrpc.decode(text, limits)).rejects.toThrow(new RpcInvalidRequest(`Invalid Request: ${reason}`))
  })

  test('what is outside may be malformed further on', async () => {
    const text = call('<param x="1"><value/></params>')
    await expect(xmlrpc.decode(text, limits)).rejects.toThrow(/^Parse error: line 1, column \d+: expected <\/param>/)
  })

  test.each(['<!DOCTYPE a>', '<!ENTITY x "y">'])(
    '%s is refused at once, also where there are attributes',
    (declaration) => {
      expect(core(`${declaration}<methodCall a="1"/>`)).toMatchObject({ code: -32700 })
    },
  )
})

describe('limits.xmlSlowBytes', () => {
  const text = call('\n<param x="1"><value>é</value></param>')
  const bytes = new TextEncoder().encode(text).length

  test('so many bytes are read', async () => {
    const message = await xmlrpc.decode(text, completeLimits({ xmlSlowBytes: bytes }))
    expect(message).toMatchObject({ entries: [{ params: ['é'] }] })
  })

  test.each([bytes - 1, text.length - 1])('and no more: %d', (xmlSlowBytes) => {
    expect(outcome(() => xmlrpc.decode(text, completeLimits({ xmlSlowBytes })) as never)).toEqual({
      ...invalid(`line 2, column 7: an attribute, in a document of more than ${xmlSlowBytes} bytes`),
      data: undefined,
    })
  })

  test('256 KiB without a word', () => {
    expect(limits.xmlSlowBytes).toBe(262144)
    const long = (size: number) => call(`<param x="1"><value>${'a'.repeat(size)}</value></param>`)
    expect(() => xmlrpc.decode(long(300_000), limits)).toThrow('in a document of more than 262144 bytes')
  })

  test('plain calls may be as long as a body may', () => {
    expect(core(call(param('a'.repeat(1_000_000))))).toMatchObject({ method: 'm' })
  })
})

describe('what is told first', () => {
  test('that a document is malformed, before that it is no call', () => {
    expect(core(`${call('<x/>')}<b/>`)).toMatchObject({ code: -32700 })
    expect(core(call('<x>&y;</x>'))).toMatchObject({ code: -32700 })
    expect(core(call(`<x>${'<value>'.repeat(300)}`))).toMatchObject({ code: -32700 })
    expect(core('<x></y>')).toMatchObject({ code: -32700 })
  })

  test('that it is no call, before that a scalar is not of its type', () => {
    const scalar = param('<int>x</int>')
    expect(core(call(`${scalar}<x/>`))).toMatchObject(placed('params: an unknown element in <params>'))
    expect(core(call(scalar) + call(scalar))).toMatchObject({ code: -32700 })
    expect(core(call(`${scalar}${param('<double>y</double>')}`))).toMatchObject({
      data: [{ path: 'params[0]', expected: 'int', received: 'string of length 1' }],
    })
  })

  test('the first scalar is told though it stands before its name', () => {
    const value = '<value><array><data><value/><value><int>x</int></value></data></array></value>'
    const member = (name: string, content: string) => `<member>${content}<name>${name}</name></member>`
    const inner = `<struct>${member('b c', value)}${member('d', '<value><int/></value>')}</struct>`
    expect(core(call(param(`<struct>${member('a', `<value>${inner}</value>`)}</struct>`)))).toMatchObject({
      data: [{ path: 'params[0].a["b c"][1]', expected: 'int', received: 'string of length 1' }],
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

  test('may stand there once', () => {
    expect(core(`<methodCall><params/><params/></methodCall>`)).toMatchObject(
      placed('a second <params> in <methodCall>'),
    )
  })
})

describe('the entries of a multicall', () => {
  const entries = (...values: string[]) =>
    call(param(`<array><data>${values.join('\n')}</data></array>`), 'system.multicall')
  const read = (...values: string[]) => (readCall(entries(...values), limits).params as unknown[][])[0]

  test('that are no values are errors in their place', () => {
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

  test('have errors of their own, the first of each', () => {
    const bad = (text: string) =>
      `<value><array><data><value><int>${text}</int></value><value><i8/></value></data></array></value>`
    const paths = read(bad('x'), '<value/>', bad('y'))?.map((each) => (each as RpcInvalidParams).data)
    expect(paths).toEqual([
      [{ path: 'params[0][0][0]', expected: 'int', received: 'string of length 1' }],
      undefined,
      [{ path: 'params[0][2][0]', expected: 'int', received: 'string of length 1' }],
    ])
  })

  test('may be malformed, which no other entry survives', () => {
    expect(core(entries('<value>a</value>', '<value><x></value>'))).toMatchObject({ code: -32700 })
  })

  test('nested too deep are errors in their place', () => {
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

describe('in whatever form, the same values', () => {
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
    ['<!-- --><nil/><!-- -->', null],
    ['<nil/ >'.replace(' ', ''), null],
    ['&#32;<int>1</int><![CDATA[ ]]>', 1],
    [`<struct><member><name>${'n'.repeat(40)}</name><value>1</value></member></struct>`, { ['n'.repeat(40)]: '1' }],
    ['<struct><member><name>a<!-- --></name><value>1</value></member></struct>', { a: '1' }],
    ['<struct><member><name>a</name><!-- --><value>1</value><!-- --></member></struct>', { a: '1' }],
    ['<struct><!-- --><member ><name >a</name><value />\n</member></struct >', { a: '' }],
    ['<array><!-- --><data><value>1</value><!-- --><value/><value >2</value></data><!-- --></array>', ['1', '', '2']],
    ['<array ><data ><value><nil/></value></data></array>', [null]],
  ])('%s', (content, value) => {
    const text = call(param(content))
    expect(core(text)).toEqual({ method: 'm', params: [value] })
    expect(outcome(() => readCallOutsideCore(text, limits))).toEqual({ method: 'm', params: [value] })
  })

  test('an empty element leaves nothing behind', () => {
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

  test('a double that is none', () => {
    expect(core(call(param(`<double>${'9'.repeat(400)}.0</double>`)))).toMatchObject({ code: -32602 })
  })

  test('names with one hash are not taken for each other', () => {
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

test('long names are not in messages', () => {
  const { message } = core(call(`<${'b'.repeat(10_000)}/>`)) as Error
  expect(message.length).toBeLessThan(200)
})

test('the fallback, and the parser in it, are loaded when a document is outside of the core', () => {
  const runtime = fileURLToPath(new URL('../../runtime/xmlrpc', import.meta.url))
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
  expect(seen).toContain(join(runtime, 'reader.ts'))
  expect(seen).not.toContain(join(runtime, 'fallback.ts'))
  expect(seen).not.toContain('fast-xml-parser')
})
