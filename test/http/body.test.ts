import { describe, expect, test } from 'vitest'
import { appOf, json, jsonResponse, post, rejected, request, utf16 } from '../support/requests.js'

const app = appOf()

describe('charset', () => {
  const call = '{"jsonrpc":"2.0","method":"echo.string","params":["café €"],"id":1}'
  const response = { ...jsonResponse, text: '{"jsonrpc":"2.0","result":"café €","id":1}' }

  test.each([
    ['utf-8', new TextEncoder().encode(call)],
    ['utf-16le', utf16(call)],
    ['UTF-16', utf16(`\ufeff${call}`)],
    ['utf-16be', utf16(call).map((_, i, bytes) => bytes[i ^ 1] as number)],
    ['windows-1252', latin(call.replace('€', '\x80'))],
    ['iso-8859-15', latin(call.replace('€', '\xa4'))],
  ])('%s', async (charset, body) => {
    expect(await request(app, post(body, { 'Content-Type': `application/json; charset=${charset}` }))).toEqual(response)
  })

  test.each(['utf-7', 'klingon', 'utf-32'])('%s is not supported', async (charset) => {
    for (const type of ['application/json', 'text/xml']) {
      expect(await request(app, post(call, { 'Content-Type': `${type}; charset=${charset}` }))).toEqual(
        rejected(`The charset "${charset}" is not supported`),
      )
    }
  })

  test.each([
    ['utf-8', latin(call.replace('€', ''))],
    ['us-ascii', new TextEncoder().encode(call)],
    ['utf-16le', new TextEncoder().encode(`${call} `.slice(0, 51))],
  ])('bytes that are not %s are rejected, never guessed', async (charset, body) => {
    const { status, text } = await request(app, post(body, { 'Content-Type': `application/json; charset=${charset}` }))
    expect([status, JSON.parse(text).error.code]).toEqual([200, -32700])
  })
})

describe('size', () => {
  const app = appOf({ limits: { bodyBytes: 200 } })
  const sized = (size: number) => json.padEnd(size)
  const tooLarge = rejected('The body is larger than 200 bytes.', 413)
  const headers = { 'Content-Type': 'application/json' }

  test.each([
    ['announced', { 'Content-Length': '200' }, { 'Content-Length': '201' }],
    ['not announced', {}, {}],
    ['announced as rubbish', { 'Content-Length': 'x' }, { 'Content-Length': 'x' }],
    ['chunked', { 'Transfer-Encoding': 'chunked' }, { 'Transfer-Encoding': 'chunked', 'Content-Length': '2' }],
  ])('%s', async (_, small, large) => {
    expect(await request(app, post(sized(200), { ...headers, ...small }))).toEqual(jsonResponse)
    expect(await request(app, post(sized(201), { ...headers, ...large }))).toEqual(tooLarge)
  })

  test('an announced size is rejected before anything is read', async () => {
    const source = endless(64)
    expect(await request(app, post(source.stream, { ...headers, 'Content-Length': '4096' }))).toEqual(tooLarge)
    expect(source.sent()).toBeLessThanOrEqual(64)
  })

  test('a stream without a size is read no further than to the limit', async () => {
    const source = endless(64)
    expect(await request(app, post(source.stream, headers))).toEqual(tooLarge)
    expect(source.sent()).toBeLessThanOrEqual(200 + 2 * 64)
    expect(source.cancelled()).toBe(true)
  })

  test('a stream in many pieces', async () => {
    const bytes = new TextEncoder().encode(json)
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await request(app, post(stream, headers))).toEqual(jsonResponse)
  })

  test('bytes are counted, not characters', async () => {
    expect((await request(app, post('é'.repeat(101), headers))).status).toBe(413)
    expect((await request(app, post('é'.repeat(100), headers))).status).toBe(200)
  })

  test('the default is 4 MiB', async () => {
    const app = appOf()
    expect((await request(app, post(sized(4 * 1024 * 1024), headers))).status).toBe(200)
    expect((await request(app, post(sized(4 * 1024 * 1024 + 1), headers))).status).toBe(413)
  })
})

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}

/** A body that never ends, in chunks of `size` bytes. */
function endless(size: number) {
  let sent = 0
  let cancelled = false
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += size
      controller.enqueue(new Uint8Array(size).fill(0x20))
    },
    cancel() {
      cancelled = true
    },
  })
  return { stream, sent: () => sent, cancelled: () => cancelled }
}
