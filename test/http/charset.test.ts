import { describe, expect, test } from 'vitest'
import { RpcParseError } from '../../runtime/error.js'
import { textReaderOf } from '../../runtime/http/body.js'
import type { TextOptions } from '../../runtime/platform/charset.js'
import { declaredCharset } from '../../runtime/platform/xml-charset.js'

/** Decodes a body as an HTTP request with a Content-Type, or without one. */
function decode(bytes: Uint8Array, contentType: string | undefined, { declaredCharset, wasText }: TextOptions): string {
  return textReaderOf({ bytes, ...(wasText && { wasText }) }, contentType, declaredCharset)()
}

const xml = { declaredCharset }
const json = {}
const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))

function latin1Text(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian)
  return bytes
}

describe('the charset of the Content-Type', () => {
  test.each([
    ['application/json', 'é€😀'],
    ['application/json; charset=utf-8', 'é€😀'],
    ['application/json;charset=UTF-8', 'é€😀'],
    ['application/json; CHARSET="Utf-8"; x=y', 'é€😀'],
    ['application/json; charset = utf8', 'é€😀'],
    [undefined, 'é€😀'],
  ])('%s', (contentType, text) => {
    expect(decode(utf8(text), contentType, json)).toBe(text)
  })

  test('takes precedence over the XML declaration', () => {
    const text = '<?xml version="1.0" encoding="utf-8"?><a>\xe9</a>'
    expect(decode(latin1(text), 'text/xml; charset=iso-8859-1', xml)).toBe(text)
  })

  test('iso-8859-1 is windows-1252, as browsers have it', () => {
    expect(decode(latin1('\x80\x81\x93\x9f\xe9'), 'text/xml; charset=iso-8859-1', xml)).toBe('€\x81“Ÿé')
    expect(decode(latin1('\x80'), 'text/xml; charset=windows-1252', xml)).toBe('€')
    expect(decode(utf8('\x80'), 'text/xml; charset=utf-8', xml)).toBe('\x80')
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const text = decode(all, 'text/xml; charset=latin1', xml)
    expect(text).toHaveLength(256)
    expect(text.slice(0, 0x80) + text.slice(0xa0)).toBe(latin1Text(all).slice(0, 0x80) + latin1Text(all).slice(0xa0))
    expect(text.slice(0x80, 0xa0)).toBe('€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ')
  })

  test('utf-16 has the byte order of the mark, else of the first <', () => {
    const type = 'text/xml; charset=utf-16'
    expect(decode(utf16('\ufeff<é/>', true), type, xml)).toBe('<é/>')
    expect(decode(utf16('\ufeff<é/>', false), type, xml)).toBe('<é/>')
    expect(decode(utf16('<é/>', false), type, xml)).toBe('<é/>')
    expect(decode(utf16('<é/>', true), type, xml)).toBe('<é/>')
  })

  test.each([json, xml])('a byte order mark takes precedence over it: %o', (options) => {
    for (const charset of [
      'iso-8859-1',
      'utf-8',
      'utf-16',
      'utf-16be',
      'utf-16le',
      'us-ascii',
      'shift_jis',
      'x-klingon',
    ]) {
      const type = `text/xml; charset=${charset}`
      expect(decode(utf8('\ufeff<é/>'), type, options)).toBe('<é/>')
      expect(decode(utf16('\ufeff<é/>', true), type, options)).toBe('<é/>')
      expect(decode(utf16('\ufeff<é/>', false), type, options)).toBe('<é/>')
    }
  })

  test('without a mark it takes precedence over zeros that look like UTF-16', () => {
    expect(decode(utf16('<a/>', true), 'text/xml; charset=utf-8', xml)).toBe('<\0a\0/\0>\0')
  })

  test('an unknown one is named in the error', () => {
    const decoded = () => decode(utf8('{}'), 'application/json; charset=x-klingon', json)
    expect(decoded).toThrow(
      expect.objectContaining({ status: 415, message: expect.stringContaining('is not supported') }),
    )
    expect(decoded).toThrow('The charset "x-klingon" is not supported')
  })
})

describe('without a charset parameter', () => {
  test.each([json, xml])('a byte order mark decides, and is not part of the text: %o', (options) => {
    expect(decode(utf8('\ufeff<é/>'), undefined, options)).toBe('<é/>')
    expect(decode(utf16('\ufeff<é/>', true), undefined, options)).toBe('<é/>')
    expect(decode(utf16('\ufeff<é/>', false), undefined, options)).toBe('<é/>')
  })

  test.each([
    `<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe9</a>`,
    `<?xml version='1.0' encoding='windows-1252'?><a>\xe9</a>`,
    `<?xml version="1.0"\n\tencoding = "latin1" standalone="yes"?><a>\xe9</a>`,
  ])('XML specifies it in its declaration: %s', (text) => {
    expect(decode(latin1(text), 'text/xml', xml)).toBe(text)
  })

  test('a declaration has no effect in JSON', () => {
    expect(() => decode(latin1('<?xml version="1.0" encoding="latin1"?>\xe9'), undefined, json)).toThrow(RpcParseError)
  })

  test.each([true, false])('UTF-16 XML without a mark is recognised, little endian: %s', (littleEndian) => {
    const text = '<?xml version="1.0" encoding="utf-16"?><a>é</a>'
    expect(decode(utf16(text, littleEndian), undefined, xml)).toBe(text)
    expect(decode(utf16('<a>é</a>', littleEndian), undefined, xml)).toBe('<a>é</a>')
  })

  test('a declaration of UTF-16 in single bytes is a contradiction', () => {
    expect(() => decode(utf8('<?xml version="1.0" encoding="utf-16"?><a/>'), undefined, xml)).toThrow(
      'Parse error: the body is declared as utf-16, which it is not',
    )
  })

  test('an unknown one in a declaration is an error of the message', () => {
    const decoded = () => decode(utf8('<?xml version="1.0" encoding="X-Klingon"?><a/>'), undefined, xml)
    expect(decoded).toThrow(RpcParseError)
    expect(decoded).toThrow('Parse error: the charset "x-klingon" is not supported')
  })

  test('the default is UTF-8', () => {
    expect(decode(utf8('<?xml version="1.0"?><a>é</a>'), undefined, xml)).toBe('<?xml version="1.0"?><a>é</a>')
    expect(decode(utf8(' "encoding="latin1" é'), undefined, xml)).toBe(' "encoding="latin1" é')
    expect(decode(new Uint8Array(), undefined, xml)).toBe('')
  })
})

describe('invalid bytes', () => {
  test.each([
    ['utf-8', Uint8Array.of(0xff, 0x41)],
    ['utf-8', Uint8Array.of(0xed, 0xa0, 0x80)],
    ['utf-8', Uint8Array.of(0xc0, 0x80)],
    ['utf-8', Uint8Array.of(0x41, 0xc3, 0xa9, 0x41, 0x80, 0x41)],
    ['us-ascii', Uint8Array.of(0x41, 0xc3, 0xa9)],
    ['utf-16le', Uint8Array.of(0x00, 0xd8)],
    ['shift_jis', Uint8Array.of(0x81)],
  ])('%s %o', (charset, bytes) => {
    const decoded = () => decode(bytes, `text/xml; charset=${charset}`, xml)
    expect(decoded).toThrow(RpcParseError)
    expect(decoded).toThrow(`Parse error: the body is not valid ${charset}`)
  })

  test('a long declaration is read to its end', () => {
    const text = `<?xml version="1.0"${' '.repeat(5000)} encoding="ISO-8859-1"?><a>`
    const bytes = Uint8Array.of(...utf8(text), 0xc3, 0xa9)
    expect(decode(bytes, 'text/xml', xml)).toBe(`${text}Ã©`)
  })

  test.each([
    ['text/xml; x="a; charset=iso-8859-1"', 'é'],
    ['text/xml; x="\\"; charset=utf-16"; CHARSET = "iso-8859-1"', 'Ã©'],
    ['text/xml;charset=iso-8859-1;charset=utf-8', 'Ã©'],
    ['text/xml;;charset="UTF\\-8"', 'é'],
  ])('the charset of %s', (contentType, text) => {
    expect(decode(utf8('é'), contentType, xml)).toBe(text)
  })

  test('a failure leaves nothing behind for the next body', () => {
    expect(() => decode(Uint8Array.of(0xe2, 0x82), undefined, json)).toThrow(RpcParseError)
    expect(decode(utf8('\ufeffok'), undefined, json)).toBe('ok')
  })
})
