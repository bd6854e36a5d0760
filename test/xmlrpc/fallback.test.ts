import { describe, expect, test } from 'vitest'
import { xmlrpc } from '../../runtime/xmlrpc/codec.js'
import { readCallWithNamespaces } from '../../runtime/xmlrpc/fallback.js'
import { completeLimits } from '../support/limits.js'
import { malformed } from './malformed.js'

const limits = completeLimits()
const extensions = 'http://ws.apache.org/xmlrpc/namespaces/extensions'
const call = (value: string, attributes = `xmlns:e="${extensions}"`) =>
  `<methodCall ${attributes}><methodName>m</methodName><params><param><value>${value}</value></param></params></methodCall>`

/** The parameters of a call as the codec decodes it, or its error. */
async function decode(text: string): Promise<unknown> {
  try {
    const { entries } = await xmlrpc.decode(text, limits)
    return (entries[0] as { params: unknown }).params
  } catch (error) {
    return error
  }
}

describe("the prefix of Apache's extensions", () => {
  test.each([
    [call('<e:nil/>'), null],
    [call('<e:i8>5</e:i8>'), 5],
    [call('<e:dateTime>20240229T12:00:00</e:dateTime>'), new Date('2024-02-29T12:00:00Z')],
    [call(`<ex:i8>5</ex:i8>`), 5],
    [call('<e:nil/>', `\n xmlns:e\t=\n'${extensions}'`), null],
    [call('<my-x.1:nil/>', `a=">" xmlns:my-x.1="${extensions}"`), null],
    [call(`<f:nil xmlns:f="${extensions}"/>`), null],
    [call(`<f:nil/>`, `xmlns:e="${extensions}" xmlns:f="${extensions}"`), null],
    [call('<struct><member><name>e:nil</name><value><e:nil/></value></member></struct>'), { 'e:nil': null }],
    [call(`<nil xmlns="${extensions}"/>`, ''), null],
  ])('is that of its namespace: %s', async (text, value) => {
    expect(await decode(text)).toEqual([value])
  })

  test.each([
    call('<f:nil/>'),
    call('<e:nil xmlns:e="urn:other"/>'),
    call('<e:nil/>', 'xmlns:e="urn:other"'),
    call('<e:nil/>', ''),
    call(`<e:nil xmlns:e="${extensions}"/>`, ''),
    call('<e:x/>'),
    call(`<array><data><value><f:nil xmlns:f="${extensions}"/></value><value><f:nil/></value></data></array>`, ''),
    call('<e:constructor/>'),
    call('<constructor/>'),
  ])('is not that of another namespace: %s', async (text) => {
    expect(await decode(text)).toMatchObject({ code: -32600 })
  })

  test('a long document is not parsed with the fallback', async () => {
    const text = call(`<array><data><value><e:nil/></value><value>${'a'.repeat(64 * 1024)}</value></data></array>`)
    expect(await decode(text)).toMatchObject({
      code: -32600,
      message: expect.stringMatching(
        /^Invalid Request: line 1, column \d+: params\[0\]\[0\]: expected a type of XML-RPC, found an unknown element$/,
      ),
    })
  })
})

test.each(malformed)('malformed: %j', (text, message) => {
  expect(() => readCallWithNamespaces(text, limits)).toThrow(`Parse error: ${message}`)
})

test('the errors of a document that is malformed have its positions', async () => {
  expect(await decode(`<!-- x -->\n${call('<e:nil/>')}<b/>`)).toMatchObject({
    code: -32700,
    message: expect.stringMatching(/^Parse error: line 2, column \d+: a second root element$/),
  })
})

describe('texts are unchanged', () => {
  test.each([
    ['', ''],
    ['  x  ', '  x  '],
    ['x<?p?>y<!-- </a> & < -->z', 'xyz'],
    ["<?it don't?>'", "'"],
    ['x<!----><!-->-->', 'x'],
    ['&lt;&gt;&amp;&quot;&apos;', '<>&"\''],
    ['&amp;lt; &amp;#65;', '&lt; &#65;'],
    ['&#65;&#x42;&#x63;&#x1F600;&#9;&#10;&#13;', 'ABc😀\t\n\r'],
    [`&#${'0'.repeat(40)}65;`, 'A'],
    ['x\r\ny\rz\n', 'x\ny\nz\n'],
    ['x\r<!-- -->\ny', 'x\n\ny'],
    ['<![CDATA[<b>&amp;</b>]]>', '<b>&amp;</b>'],
    ['<![CDATA[<!-- <?p?> -->]]>', '<!-- <?p?> -->'],
    ['x<![CDATA[]]>y<![CDATA[ ]] ]>]]>', 'xy ]] ]>'],
    ['<![CDATA[1\r\n2]]>', '1\n2'],
    [' > " \' ] ]] ]>>', ' > " \' ] ]] ]>>'],
    ['<string a="1" b=\'2 > "\'>007</string>', '007'],
    ['true', 'true'],
    ['é€😀\u0085\u00a0\u2028\ufffd', 'é€😀\u0085\u00a0\u2028\ufffd'],
    ['&lt;&#65;'.repeat(5_000), '<A'.repeat(5_000)],
  ])('%j', async (text, value) => {
    for (const attributes of ['', `xmlns:e="${extensions}"`])
      expect(await decode(call(text, attributes))).toEqual([value])
  })
})
