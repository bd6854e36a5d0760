import { describe, expect, test } from 'vitest'
import { RpcInvalidParams, RpcInvalidRequest } from '../../runtime/error.js'
import { readCall } from '../../runtime/xmlrpc/decode.js'
import { completeLimits } from '../support/limits.js'
import { paramsOf } from './params.js'

const limits = completeLimits()
const decode = (text: string) => {
  const call = readCall(text, limits)
  return { method: call.method, params: paramsOf(call), wantsReply: call.wantsReply }
}
const call = (...values: readonly string[]) =>
  `<?xml version="1.0"?><methodCall><methodName>m</methodName><params>${values
    .map((value) => `<param>${value}</param>`)
    .join('')}</params></methodCall>`
const read = (value: string) => (decode(call(value)).params as unknown[])[0]
const typed = (element: string) => read(`<value>${element}</value>`)

function failure(run: () => unknown): unknown {
  try {
    return { returned: run() }
  } catch (error) {
    return error
  }
}

/** The exact places are in the fixtures of the wire. */
const placed = (reason: string) =>
  expect.stringMatching(new RegExp(`^Invalid Request: line 1, column \\d+: ${escaped(reason)}$`))
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

describe('scalars', () => {
  test.each<[element: string, value: unknown]>([
    ['<int>41</int>', 41],
    ['<i4>-41</i4>', -41],
    ['<int> \n+7\t</int>', 7],
    ['<int>007</int>', 7],
    ['<int>-0</int>', 0],
    ['<int>2147483647</int>', 2147483647],
    ['<int>-2147483648</int>', -2147483648],
    ['<int>2147483648</int>', 2147483648],
    ['<i4>-9007199254740993</i4>', -9007199254740993n],
    ['<int><![CDATA[5]]></int>', 5],
    ['<int>1<!-- 2 -->3</int>', 13],
    ['<i8>9007199254740991</i8>', 9007199254740991],
    ['<i8>9007199254740992</i8>', 9007199254740992n],
    ['<i8>9223372036854775807</i8>', 9223372036854775807n],
    ['<i8>-9223372036854775808</i8>', -9223372036854775808n],
    ['<ex:i8>5</ex:i8>', 5],
    ['<ex:i1>-128</ex:i1>', -128],
    ['<ex:i2>32767</ex:i2>', 32767],
    ['<ex:biginteger>12</ex:biginteger>', 12],
    ['<ex:biginteger>-123456789012345678901234567890</ex:biginteger>', -123456789012345678901234567890n],
    ['<double>1.5</double>', 1.5],
    ['<double>3</double>', 3],
    ['<double> -0.0 </double>', -0],
    ['<double>+.5</double>', 0.5],
    ['<double>5.</double>', 5],
    ['<double>1e3</double>', 1000],
    ['<double>1.5E-3</double>', 0.0015],
    ['<ex:float>2.5</ex:float>', 2.5],
    ['<ex:double>2.5</ex:double>', 2.5],
    ['<boolean>0</boolean>', false],
    ['<boolean>1</boolean>', true],
    ['<boolean>false</boolean>', false],
    ['<boolean> true </boolean>', true],
    ['<string>x</string>', 'x'],
    ['<string>  x\n </string>', '  x\n '],
    ['<string/>', ''],
    ['<string></string>', ''],
    ['<string>007</string>', '007'],
    ['<string>&lt;b&gt; &amp;amp; &#13;</string>', '<b> &amp; \r'],
    ['<string>a<![CDATA[<b>&amp;]]>c</string>', 'a<b>&amp;c'],
    ['<dateTime.iso8601>19980717T14:08:55</dateTime.iso8601>', new Date('1998-07-17T14:08:55Z')],
    ['<ex:dateTime> 1998-07-17T14:08:55.123+02:00 </ex:dateTime>', new Date('1998-07-17T12:08:55.123Z')],
    ['<base64>AAEC/w==</base64>', Uint8Array.of(0, 1, 2, 255)],
    ['<base64>\n  AAEC\r\n  /w==\n</base64>', Uint8Array.of(0, 1, 2, 255)],
    ['<base64/>', new Uint8Array()],
    ['<nil/>', null],
    ['<nil> </nil>', null],
    ['<ex:nil/>', null],
    ['<int xsi:type="x">5</int>', 5],
  ])('%s', (element, value) => {
    expect(typed(element)).toEqual(value)
    expect(typed(`\n  ${element}\n`)).toEqual(value)
  })

  test.each([
    ['<value>x</value>', 'x'],
    ['<value>  two words\n</value>', '  two words\n'],
    ['<value>  </value>', '  '],
    ['<value></value>', ''],
    ['<value/>', ''],
    ['<value>1<!-- </value> -->2</value>', '12'],
    ['<value><!-- --></value>', ''],
    ['<value><![CDATA[<int>5</int>]]></value>', '<int>5</int>'],
  ])('text without an element is a string: %s', (value, text) => {
    expect(read(value)).toBe(text)
  })

  test.each([
    ['int', ''],
    ['int', 'x'],
    ['int', '0x10'],
    ['int', '1_000'],
    ['int', '1.0'],
    ['int', '1e3'],
    ['int', '1 2'],
    ['int', '--1'],
    ['int', '\u00a01'],
    ['int', '١'],
    ['int', '9223372036854775808'],
    ['i4', '-9223372036854775809'],
    ['i8', '9223372036854775808'],
    ['i8', '-9223372036854775809'],
    ['ex:i1', '128'],
    ['ex:i2', '-32769'],
    ['ex:biginteger', '1.5'],
    ['double', ''],
    ['double', '.'],
    ['double', '0x1'],
    ['double', '1e'],
    ['double', '1,5'],
    ['double', 'Infinity'],
    ['double', '-INF'],
    ['double', 'NaN'],
    ['double', '1e999'],
    ['boolean', ''],
    ['boolean', '2'],
    ['boolean', 'TRUE'],
    ['boolean', 'yes'],
    ['dateTime.iso8601', ''],
    ['dateTime.iso8601', '19980230T00:00:00'],
    ['base64', 'AAA'],
    ['base64', 'AA=A'],
    ['base64', '****'],
    ['nil', 'x'],
  ])('<%s>%s</…> is rejected', (element, text) => {
    const kinds = new Map(
      Object.entries({ int: 'int', i4: 'int', double: 'double', boolean: 'boolean', base64: 'base64', nil: 'null' }),
    )
    for (const name of ['dateTime.iso8601', 'ex:dateTime']) kinds.set(name, 'date')
    for (const name of ['ex:float', 'ex:double']) kinds.set(name, 'double')
    const path = 'params[0]'
    const expected = element.replace('ex:', '').replace('i4', 'int')
    const isTooLarge = /^-?\d{3,}$|^1e999$/.test(text) && element !== 'boolean'
    const article = /^(?:int|i4|i8|ex:.*)$/.test(element) ? 'an' : 'a'
    const form =
      element.endsWith('dateTime.iso8601') || element === 'ex:dateTime' ? ': the form is YYYYMMDDTHH:MM:SS' : ''
    const received = isTooLarge ? `${article} ${element} out of range` : `a malformed ${element}${form}`
    expect(failure(() => typed(`<${element}>${text}</${element}>`))).toMatchObject({
      code: -32602,
      message: `Invalid params: ${path}: expected ${expected}, received ${received}`,
      data: [{ path: [0], code: 'type', limit: kinds.get(element) ?? 'integer', expected, received }],
    })
  })

  test('the error has the path, and not the text', () => {
    const line = '<value><struct><member><name>quantity</name><value><int>many</int></value></member></struct></value>'
    const good = '<value><struct/></value>'
    const lines = `<member><name>lines</name><value><array><data>${good}${good}${line}</data></array></value></member>`
    const error = failure(() => read(`<value><struct>${lines}</struct></value>`)) as RpcInvalidParams
    expect(error.data).toEqual([
      { path: [0, 'lines', 2, 'quantity'], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' },
    ])
    const long = failure(() => typed(`<int>${'x'.repeat(5000)}</int>`)) as RpcInvalidParams
    expect(long.message).toBe('Invalid params: params[0]: expected int, received a malformed int')
  })
})

describe('arrays and structs', () => {
  test('an array', () => {
    expect(typed('<array><data><value>a</value> <value><int>1</int></value></data></array>')).toEqual(['a', 1])
    expect(typed('<array><data/></array>')).toEqual([])
    expect(typed('\n<array>\n<data>\n<value/>\n</data>\n</array>\n')).toEqual([''])
  })

  test('a struct', () => {
    const members =
      '<member><name>a</name><value>1</value></member>\n<member>\n<name>b c</name>\n<value><nil/></value>\n</member>'
    expect(typed(`<struct>${members}</struct>`)).toEqual({ a: '1', 'b c': null })
    expect(typed('<struct/>')).toEqual({})
  })

  test('value before name, empty names, CDATA in names', () => {
    const members =
      '<member><value>1</value><name>a</name></member><member><name/><value>2</value></member>' +
      '<member><name><![CDATA[<c>]]></name><value>3</value></member>'
    expect(typed(`<struct>${members}</struct>`)).toEqual({ a: '1', '': '2', '<c>': '3' })
  })

  test('the last of two members with one name wins', () => {
    const members = '<member><name>a</name><value>1</value></member><member><name>a</name><value>2</value></member>'
    expect(typed(`<struct>${members}</struct>`)).toEqual({ a: '2' })
  })

  test('__proto__ is an own member, not the prototype', () => {
    const inner = '<value><struct><member><name>polluted</name><value>1</value></member></struct></value>'
    const struct = typed(`<struct><member><name>__proto__</name>${inner}</member></struct>`) as object
    expect(Object.getPrototypeOf(struct)).toBe(Object.prototype)
    expect(Object.keys(struct)).toEqual(['__proto__'])
    expect(Object.getOwnPropertyDescriptor(struct, '__proto__')?.value).toEqual({ polluted: '1' })
    expect('polluted' in {}).toBe(false)
  })

  test.each([
    ['<array/>', 'params[0]: <array> without <data>'],
    ['<array><data/><data/></array>', 'params[0]: a second <data> in <array>'],
    ['<array><value/></array>', 'params[0]: <value> in <array>'],
    ['<array><data><int>1</int></data></array>', 'params[0]: <int> in <data>'],
    ['<array><data>x</data></array>', 'params[0]: text in <data> beside or instead of an element'],
    ['<struct><value/></struct>', 'params[0]: <value> in <struct>'],
    ['<struct>x</struct>', 'params[0]: text in <struct> beside or instead of an element'],
    ['<struct><member/></struct>', 'params[0]: <member> without <name>'],
    ['<struct><member><name>a</name></member></struct>', 'params[0]: <member> without <value>'],
    ['<struct><member><name>a</name><name>a</name></member></struct>', 'params[0]: a second <name> in <member>'],
    ['<struct><member><name>a</name><value/><x/></member></struct>', 'params[0]: an unknown element in <member>'],
    ['<struct><member><name><b/></name><value/></member></struct>', 'params[0]: an unknown element in <name>'],
    ['<int>1</int><int>2</int>', 'params[0]: <value> with more than one element'],
    ['x<int>1</int>', 'params[0]: text in <value> beside or instead of an element'],
    ['<int><b/></int>', 'params[0]: an unknown element in <int>'],
    ['<string>a<b/></string>', 'params[0]: an unknown element in <string>'],
    ['<float>1</float>', 'params[0]: expected a type of XML-RPC, found an unknown element'],
    ['<Int>1</Int>', 'params[0]: expected a type of XML-RPC, found an unknown element'],
    ['<toString>1</toString>', 'params[0]: expected a type of XML-RPC, found an unknown element'],
    [
      '<struct><member><name>a b</name><value><x/></value></member></struct>',
      'params[0]["a b"]: expected a type of XML-RPC, found an unknown element',
    ],
  ])('%s is rejected', (element, reason) => {
    expect(failure(() => typed(element))).toMatchObject({ code: -32600, message: placed(reason) })
  })
})

describe('nesting', () => {
  const arrays = (depth: number) =>
    `${'<value><array><data>'.repeat(depth)}<value><int>1</int></value>${'</data></array></value>'.repeat(depth)}`
  const structs = (depth: number) =>
    `${'<value><struct><member><name>a</name>'.repeat(depth)}<value/>${'</member></struct></value>'.repeat(depth)}`

  test.each([arrays, structs])('256 levels are read, 257 are not', (nest) => {
    expect(failure(() => read(nest(256)))).not.toBeInstanceOf(Error)
    const error = failure(() => read(nest(257)))
    expect(error).toBeInstanceOf(RpcInvalidRequest)
    expect(error).toMatchObject({ message: 'Invalid Request: nested deeper than 256' })
  })

  test('a hundred thousand arrays are an error, not a stack overflow', () => {
    expect(failure(() => read(arrays(100_000)))).toMatchObject({ code: -32600 })
  })

  test('another limit', () => {
    const error = () => readCall(call(arrays(3)), completeLimits({ depth: 2 }))
    expect(error).toThrow('Invalid Request: nested deeper than 2')
  })
})

describe('calls', () => {
  test('a method, its parameters and a reply', () => {
    const text = `\ufeff<?xml version='1.0'?>
      <!-- a comment -->
      <methodCall>
        <methodName> user.create </methodName>
        <params>
          <param> <value><int>1</int></value> </param>
          <param><value>x</value></param>
        </params>
      </methodCall>`
    expect(decode(text)).toEqual({ method: 'user.create', params: [1, 'x'], wantsReply: true })
  })

  test.each([
    '<methodCall><methodName>m</methodName></methodCall>',
    '<methodCall><methodName>m</methodName><params/></methodCall>',
    '<methodCall><params> </params><methodName><![CDATA[m]]></methodName></methodCall>',
  ])('no parameters: %s', (text) => {
    expect(decode(text)).toEqual({ method: 'm', params: [], wantsReply: true })
  })

  test('200,000 parameters', () => {
    const text = call('<value/>').replace('<param><value/></param>', '<param><value/></param>'.repeat(200_000))
    expect(decode(text).params).toHaveLength(200_000)
  })

  test.each([
    ['<a/>', 'expected <methodCall>, found an unknown element'],
    ['<methodResponse/>', 'expected <methodCall>, found <methodResponse>'],
    ['<methodCall/>', '<methodCall> without <methodName>'],
    ['<methodCall><methodName/></methodCall>', '<methodName> is empty'],
    ['<methodCall><methodName> </methodName></methodCall>', '<methodName> is empty'],
    ['<methodCall>m</methodCall>', 'text in <methodCall> beside or instead of an element'],
    ['<methodCall><methodName><b>m</b></methodName></methodCall>', 'an unknown element in <methodName>'],
    [
      '<methodCall><methodName>m</methodName><methodName>m</methodName></methodCall>',
      'a second <methodName> in <methodCall>',
    ],
    ['<methodCall><methodName>m</methodName><params/><params/></methodCall>', 'a second <params> in <methodCall>'],
    ['<methodCall><methodName>m</methodName><x/></methodCall>', 'an unknown element in <methodCall>'],
    ['<methodCall><methodName>m</methodName><params><value/></params></methodCall>', 'params: <value> in <params>'],
    [
      '<methodCall><methodName>m</methodName><params><param/></params></methodCall>',
      'params[0]: <param> without <value>',
    ],
    [
      '<methodCall><methodName>m</methodName><params><param><value/><value/></param></params></methodCall>',
      'params[0]: a second <value> in <param>',
    ],
    [
      '<methodCall><methodName>m</methodName><params><param><int>1</int></param></params></methodCall>',
      'params[0]: <int> in <param>',
    ],
  ])('%s is rejected', (text, reason) => {
    expect(failure(() => decode(text))).toMatchObject({ code: -32600, message: placed(reason) })
  })

  test('a scalar that is not of its type is a part of the call, which may fail for another reason first', () => {
    const decoded = readCall(call('<value><int>x</int></value>'), limits)
    expect(decoded).toMatchObject({ method: 'm', invalidValue: { path: [0], expected: 'int' } })
  })

  test('an unreadable entry of a multicall is replaced by its error', () => {
    const entry = (value: string) =>
      `<value><struct><member><name>methodName</name><value>m</value></member><member><name>params</name>` +
      `<value><array><data>${value}</data></array></value></member></struct></value>`
    const entries = `<value><array><data>${entry('<value><int>x</int></value>')}${entry('<value/>')}</data></array></value>`
    const { params } = decode(call(entries).replace('>m<', '>system.multicall<'))
    const [[bad, good]] = params as unknown as [[RpcInvalidParams, unknown]]
    expect(bad).toBeInstanceOf(RpcInvalidParams)
    expect(bad.data).toEqual([
      { path: [0, 0, 'params', 0], code: 'type', limit: 'int', expected: 'int', received: 'a malformed int' },
    ])
    expect(good).toEqual({ methodName: 'm', params: [''] })
  })
})
