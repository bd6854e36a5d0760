import { describe, expect, test } from 'vitest'
import { jsonScalars, parseDate } from '../../runtime/jsonrpc/scalars.js'

describe('dates', () => {
  test.each([
    ['2024-02-29T12:34:56.789Z', '2024-02-29T12:34:56.789Z'],
    ['2024-02-29T12:34:56', '2024-02-29T12:34:56.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T12:34:56+0530', '2024-02-29T07:04:56.000Z'],
    ['2024-02-29T00:00:00-08', '2024-02-29T08:00:00.000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-02-29T12:34:56.1Z', '2024-02-29T12:34:56.100Z'],
  ])('%s', (text, iso) => {
    expect(parseDate(text)?.toISOString()).toBe(iso)
  })

  test.each([
    '1900-02-29',
    '2024-04-31',
    '2024-00-01',
    '2024-01-00',
    '2024-1-1',
    '20240101',
    '2024-01-01T',
    '2024-01-01T1:00',
    '2024-01-01T00:60',
    '2024-01-01T00:00:00 Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T24:00:01Z',
    '2024-01-01T00:00:00+2',
    '2024-01-01T00:00:00+24:00',
    ' 2024-01-01',
    '2024-01-01\n',
    '٢٠٢٤-01-01',
    'now',
    '0',
  ])('%j is not a date', (text) => {
    expect(parseDate(text)).toBeUndefined()
  })

  test('without an offset they are UTC, in every time zone of the server', () => {
    const before = process.env['TZ']
    try {
      for (const zone of ['Pacific/Kiritimati', 'America/St_Johns', 'Europe/Zurich', 'UTC']) {
        process.env['TZ'] = zone
        expect(new Date(2024, 6, 1).getTimezoneOffset() === 0).toBe(zone === 'UTC')
        expect(parseDate('2024-07-01T00:30:00')?.toISOString()).toBe('2024-07-01T00:30:00.000Z')
        expect(parseDate('2024-03-31T02:30')?.toISOString()).toBe('2024-03-31T02:30:00.000Z')
        expect(parseDate('2024-07-01')?.toISOString()).toBe('2024-07-01T00:00:00.000Z')
      }
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })
})

describe('other values are returned unchanged', () => {
  const { readDate, readBytes, readBigint, writeDate, writeBytes, writeBigint } = jsonScalars
  const object = {}

  test.each([null, undefined, 1, true, object, 'x y'])('%j', (value) => {
    expect(readDate(value)).toBe(value)
    expect(readBytes(value, 'Uint8Array')).toBe(value)
    expect(writeDate(value)).toBe(value)
    expect(writeBytes(value)).toBe(value)
    expect(writeBigint(value)).toBe(value)
  })

  test.each([null, undefined, 1.5, 2 ** 53, Number.NaN, true, '', '-', '1.0', '1e3', '0x1', ' 1', '1n', '١'])(
    '%j is not a bigint',
    (value) => {
      expect(readBigint(value)).toBe(value)
    },
  )
})

test('bigints', () => {
  expect(jsonScalars.readBigint('-00012')).toBe(-12n)
  expect(jsonScalars.readBigint(-5)).toBe(-5n)
  expect(jsonScalars.readBigint(-0)).toBe(0n)
  expect(jsonScalars.readBigint(2n ** 70n)).toBe(2n ** 70n)
  expect(jsonScalars.writeBigint(-(2n ** 70n))).toBe('-1180591620717411303424')
})

test('bytes', () => {
  expect(jsonScalars.readBytes('AQI=', 'Uint8Array')).toEqual(Uint8Array.of(1, 2))
  expect(jsonScalars.readBytes('AQI=', 'Buffer')).toEqual(Buffer.from([1, 2]))
  expect(jsonScalars.readBytes('AQI=', 'ArrayBuffer')).toEqual(Uint8Array.of(1, 2).buffer)
  expect(jsonScalars.writeBytes(Uint8Array.of(1, 2).buffer)).toBe('AQI=')
})
