import { describe, expect, test } from 'vitest'
import { decodeBase64, encodeBase64, fromUint8Array, toUint8Array } from '../../runtime/values/bytes.js'

describe('decodeBase64', () => {
  test.each([
    ['', []],
    ['AA==', [0]],
    ['AAE=', [0, 1]],
    ['AAEC', [0, 1, 2]],
    ['+/+/', [0xfb, 0xff, 0xbf]],
    [' A\tA\r\nE\n=\f ', [0, 1]],
    ['AA= =', [0]],
    ['AB==', [0]],
    ['AAF=', [0, 1]],
  ])('%j', (text, bytes) => {
    expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes))
  })

  test.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    'AAA==',
    'A===',
    '====',
    '=',
    'AA==AA==',
    'AA=A',
    'AAE=x',
    'A-_A',
    'AAA\u00a0',
    'é',
    'AAAĀ',
  ])('%j is rejected', (text) => {
    expect(decodeBase64(text)).toBeUndefined()
  })

  test('the buffer is not larger than the bytes', () => {
    expect(decodeBase64('A A E =')?.buffer.byteLength).toBe(2)
  })
})

test.each([0, 1, 2, 3, 4, 5, 100, 1000])(
  '%d bytes are encoded in one line as by btoa, and decoded to the same bytes',
  (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 167 + 13) % 256)
    const text = encodeBase64(bytes)
    expect(text).toBe(btoa(String.fromCharCode(...bytes)))
    expect(decodeBase64(text)).toEqual(bytes)
  },
)

test('several megabytes are encoded and decoded', () => {
  const bytes = new Uint8Array(5_000_000).map((_, i) => i % 251)
  const back = decodeBase64(encodeBase64(bytes))
  expect(back?.length).toBe(bytes.length)
  expect(back?.every((byte, i) => byte === bytes[i])).toBe(true)
})

describe('asBytes', () => {
  const part = new Uint8Array([9, 1, 2, 9]).subarray(1, 3)

  test('Uint8Array is returned unchanged', () => {
    expect(fromUint8Array(part, 'Uint8Array')).toBe(part)
  })

  test('Buffer is a view', () => {
    const buffer = fromUint8Array(part, 'Buffer')
    expect(Buffer.isBuffer(buffer)).toBe(true)
    expect(buffer).toEqual(Buffer.from([1, 2]))
  })

  test('ArrayBuffer is a copy of the part, also of a Buffer', () => {
    expect(new Uint8Array(fromUint8Array(part, 'ArrayBuffer') as ArrayBuffer)).toEqual(Uint8Array.of(1, 2))
    expect(fromUint8Array(Buffer.from([1, 2]), 'ArrayBuffer')).toEqual(Uint8Array.of(1, 2).buffer)
  })
})

test('toUint8Array returns the bytes as Uint8Array', () => {
  expect(toUint8Array(Uint8Array.of(1).buffer)).toEqual(Uint8Array.of(1))
  expect(toUint8Array(Buffer.from([1]))).toEqual(Buffer.from([1]))
  expect(toUint8Array([1])).toBeUndefined()
  expect(toUint8Array(null)).toBeUndefined()
  expect(toUint8Array(new DataView(new ArrayBuffer(1)))).toBeUndefined()
})
