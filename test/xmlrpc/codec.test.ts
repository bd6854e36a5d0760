import { describe, expect, test } from 'vitest'
import { RpcError } from '../../runtime/error.js'
import { xmlrpc } from '../../runtime/xmlrpc/codec.js'
import { completeLimits } from '../support/limits.js'

const call = { method: 'm', params: [], wantsReply: true }
const any = { returns: { type: { kind: 'any' } } } as const
const fault = (code: number, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><methodResponse><fault><value><struct><member><name>faultCode</name><value><int>${code}</int></value></member>` +
  `<member><name>faultString</name><value><string>${message}</string></value></member></struct></value></fault></methodResponse>`

test('the Content-Type is exactly text/xml; charset=utf-8', () => {
  expect(xmlrpc.contentType).toBe('text/xml; charset=utf-8')
  expect(xmlrpc.protocol).toBe('xml-rpc')
})

test('a body is one call, not a batch', () => {
  const text = '<methodCall><methodName>m</methodName></methodCall>'
  expect(xmlrpc.decode(text, completeLimits())).toEqual({ kind: 'single', entries: [call] })
})

test('a result', () => {
  expect(xmlrpc.encodeResult(call, 3, { returns: { type: { kind: 'double' } } })).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param><value><double>3.0</double></value></param>' +
      '</params></methodResponse>',
  )
})

test('a result of the wrong type is reported with its path', () => {
  const encode = (value: unknown) => () => xmlrpc.encodeResult(call, value, any)
  expect(encode({ note: '\x01' })).toThrow(/^result\.note: XML cannot represent the character U\+0001$/)
  expect(encode('\x01')).toThrow(/^result: XML cannot represent the character U\+0001$/)
})

describe('a fault', () => {
  test('has the code and the message', () => {
    const reply = xmlrpc.encodeError(call, new RpcError(404, 'No <such> & order', { data: { id: 1 } }))
    expect(reply).toBe(fault(404, 'No &lt;such&gt; &amp; order'))
  })

  test('is sent with any characters in the message', () => {
    const reply = xmlrpc.encodeError(undefined, { code: -32700, message: 'a\0b\x1b\uffff\ud83d😀\r' })
    expect(reply).toBe(fault(-32700, 'a\ufffdb\ufffd\ufffd\ufffd😀&#13;'))
  })

  test.each([1.5, 2 ** 31, Number.NaN])('with the code %d is an internal error', (code) => {
    expect(xmlrpc.encodeError(call, { code, message: 'x' })).toBe(fault(-32603, 'x'))
  })
})

test('a multicall is the result of system.multicall', () => {
  const entry = { ...call, inMulticall: true }
  const replies = [
    xmlrpc.encodeResult(entry, { a: 1 }, any),
    xmlrpc.encodeError(entry, { code: 1, message: 'x' }),
    xmlrpc.encodeResult(entry, null, any),
  ]
  const start = '<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param><value><array><data>'
  const end = '</data></array></value></param></params></methodResponse>'
  expect(xmlrpc.encodeMessage(replies)).toBe(
    start +
      '<value><array><data><value><struct><member><name>a</name><value><int>1</int></value></member></struct></value></data></array></value>' +
      '<value><struct><member><name>faultCode</name><value><int>1</int></value></member>' +
      '<member><name>faultString</name><value><string>x</string></value></member></struct></value>' +
      '<value><array><data><value><nil/></value></data></array></value>' +
      end,
  )
  expect(xmlrpc.encodeMessage([])).toBe(start + end)
})

describe('the wire', () => {
  const { scalars: wire } = xmlrpc.wires.decode
  const date = new Date(0)
  const bytes = Uint8Array.of(1, 2)

  test('dates are converted in both directions; a string is not a date', () => {
    expect(wire.readDate(date)).toBe(date)
    expect(wire.readDate('19980717T14:08:55')).toBe('19980717T14:08:55')
    expect(wire.writeDate(date)).toBe(date)
  })

  test('bytes are decoded to the declared class', () => {
    expect(wire.readBytes(bytes, 'Uint8Array')).toBe(bytes)
    expect(wire.readBytes(bytes, 'Buffer')).toEqual(Buffer.from([1, 2]))
    expect(wire.readBytes(bytes, 'ArrayBuffer')).toEqual(bytes.buffer)
    expect(wire.readBytes('AQI=', 'Uint8Array')).toBe('AQI=')
    expect(wire.writeBytes(bytes.buffer)).toEqual(bytes)
    expect(wire.writeBytes(bytes)).toBe(bytes)
    expect(wire.writeBytes('x')).toBe('x')
  })

  test('a bigint may be sent as a small number or as decimal text', () => {
    expect(wire.readBigint(5)).toBe(5n)
    expect(wire.readBigint(2n ** 60n)).toBe(2n ** 60n)
    expect(wire.readBigint(1.5)).toBe(1.5)
    expect(wire.readBigint('-9007199254740993')).toBe(-9007199254740993n)
    for (const text of ['', ' 5', '5n', '+5', '1e3', '5.0', '0x5']) expect(wire.readBigint(text)).toBe(text)
    expect(wire.writeBigint(5n)).toBe(5n)
  })
})
