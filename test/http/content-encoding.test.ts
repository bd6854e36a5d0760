import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { appOf, json, jsonResponse, post, rejected, request, utf16, xml, xmlResponse } from '../support/requests.js'

const app = appOf()

/** A request whose body claims to be encoded. */
function encoded(body: string | Uint8Array | ReadableStream, encoding: string, type = 'application/json') {
  return post(body, { 'Content-Type': type, 'Content-Encoding': encoding })
}

const notGzip = rejected('The body is not valid gzip data.', 400)
const notDeflate = rejected('The body is not valid deflate data: send the zlib format (RFC 1950).', 400)

afterEach(() => vi.unstubAllGlobals())

test.each(['', 'identity', 'Identity', ' identity '])('%j: the body is not compressed', async (encoding) => {
  expect(await request(app, encoded(json, encoding))).toEqual(jsonResponse)
})

test.each([
  ['gzip', gzipSync],
  ['GZip', gzipSync],
  ['x-gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['Deflate', deflateSync],
])('%s is decompressed', async (encoding, compress) => {
  expect(await request(app, encoded(compress(json), encoding))).toEqual(jsonResponse)
  expect(await request(app, encoded(compress(xml), encoding, 'text/xml'))).toEqual(xmlResponse)
  const text = utf16(`\ufeff${json}`)
  expect(await request(app, encoded(compress(text), encoding))).toEqual(jsonResponse)
  for (const level of [0, 1, 9])
    expect(await request(app, encoded(compress(json, { level }), encoding))).toEqual(jsonResponse)
})

test('a compressed body in many pieces, and a body that middleware has read', async () => {
  const bytes = gzipSync(json)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect(await request(app, encoded(stream, 'gzip'))).toEqual(jsonResponse)
  const reading = new Hono().use(async (c, next) => {
    await c.req.arrayBuffer()
    await next()
  })
  expect(await request(reading.route('/', app), encoded(bytes, 'gzip'))).toEqual(jsonResponse)
})

test('the protocol of a body without a type is that of the decompressed body', async () => {
  const app = appOf({ sniffContentType: true })
  expect(await request(app, post(gzipSync(json), { 'Content-Encoding': 'gzip' }))).toEqual(jsonResponse)
  expect(await request(app, post(deflateSync(xml), { 'Content-Encoding': 'deflate' }))).toEqual(xmlResponse)
})

test.each(['br', 'zstd', 'compress', 'gzip, gzip', 'gzip, identity', 'deflate,gzip', 'aws-chunked', 'x-unknown'])(
  '%s is not supported, and the response names the supported ones',
  async (encoding) => {
    const sent = encoded(brotliCompressSync(json), encoding)
    const text = `The Content-Encoding ${encoding} is not supported: send gzip or deflate, or none.`
    expect(await request(app, sent)).toEqual(rejected(text))
    expect((await app.request('/rpc', sent)).headers.get('accept-encoding')).toBe('gzip, deflate')
  },
)

describe.each([
  ['gzip', gzipSync, notGzip],
  ['deflate', deflateSync, notDeflate],
] as const)('damaged %s', (encoding, compress, response) => {
  const good = compress(json)

  test('truncated at any byte', async () => {
    for (let length = 0; length < good.length; length++) {
      expect(await request(app, encoded(good.subarray(0, length), encoding))).toEqual(response)
    }
  })

  test('a checksum or a length that is not that of the data', async () => {
    for (let from = 1; from <= (encoding === 'gzip' ? 8 : 4); from++) {
      const bad = Uint8Array.from(good)
      bad[bad.length - from] = (bad.at(-from) ?? 0) ^ 1
      expect(await request(app, encoded(bad, encoding))).toEqual(response)
    }
  })

  test.each([
    ['text', Buffer.from('garbage')],
    ['zeros', Buffer.alloc(8)],
    ['more than a piece', Buffer.alloc(10_000, 0x41)],
    ['another body', compress(xml)],
  ])('followed by %s', async (_, more) => {
    expect(await request(app, encoded(Buffer.concat([good, more]), encoding))).toEqual(response)
  })

  test('other data', async () => {
    for (const other of [json, '', Buffer.alloc(100), deflateRawSync(json), brotliCompressSync(json)]) {
      expect(await request(app, encoded(other, encoding))).toEqual(response)
    }
  })
})

/** Gzip data with a name in its header, as the command gzip writes it. */
function named(data: Buffer): Buffer {
  const header = Buffer.from(data.subarray(0, 10))
  header[3] = 8
  return Buffer.concat([header, Buffer.from('a.json\0'), data.subarray(10)])
}

test('gzip of one member: with a name, without data, and with zeros in its bytes', async () => {
  expect(await request(app, encoded(named(gzipSync(json)), 'gzip'))).toEqual(jsonResponse)
  expect((await request(app, encoded(gzipSync(''), 'gzip'))).text).toContain('-32700')
  const blanks = gzipSync(json + ' '.repeat(100_000))
  expect(blanks.includes(Buffer.alloc(20))).toBe(true)
  expect(await request(app, encoded(blanks, 'gzip'))).toEqual(jsonResponse)
})

test.each<[string, Buffer]>([
  ['one before the data', Buffer.concat([gzipSync(''), gzipSync(json)])],
  ['many before the data', Buffer.concat([...Array<Buffer>(100).fill(gzipSync('', { level: 0 })), gzipSync(json)])],
  ['one with a name', Buffer.concat([named(gzipSync('')), gzipSync(json)])],
  ['nothing else', Buffer.concat([gzipSync(''), gzipSync('')])],
])('gzip with empty members: %s', async (_, body) => {
  expect(await request(app, encoded(body, 'gzip'))).toEqual(notGzip)
})

test('gzip data is not valid deflate data, and the reverse', async () => {
  expect(await request(app, encoded(deflateSync(json), 'gzip'))).toEqual(notGzip)
  expect(await request(app, encoded(gzipSync(json), 'deflate'))).toEqual(notDeflate)
})

describe('the limit', () => {
  const limit = 200
  const app = appOf({ limits: { bodyBytes: limit } })
  const tooLarge = rejected(`The body is larger than ${limit} bytes.`, 413)

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('%s: applies to the decompressed bytes', async (encoding, compress) => {
    expect(await request(app, encoded(compress(json.padEnd(limit)), encoding))).toEqual(jsonResponse)
    expect(await request(app, encoded(compress(json.padEnd(limit + 1)), encoding))).toEqual(tooLarge)
  })

  test('applies to the compressed bytes', async () => {
    const stored = gzipSync(json.padEnd(limit), { level: 0 })
    expect(stored.length).toBeGreaterThan(limit)
    expect(await request(app, encoded(stored, 'gzip'))).toEqual(tooLarge)
    const empty = Buffer.concat(Array(limit).fill(gzipSync('')))
    expect(await request(app, encoded(empty, 'gzip'))).toEqual(tooLarge)
  })

  test('stops the decompression', async () => {
    let decompressed = 0
    const Real = DecompressionStream
    vi.stubGlobal(
      'DecompressionStream',
      class {
        readonly writable
        readonly readable
        constructor(format: CompressionFormat) {
          const inner = new Real(format)
          this.writable = inner.writable
          const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController) => {
            decompressed += chunk.length
            controller.enqueue(chunk)
          }
          this.readable = inner.readable.pipeThrough(new TransformStream({ transform }))
        }
      },
    )
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 })
    const bytes = 1024 * 1024
    const app = appOf({ limits: { bodyBytes: bytes } })
    expect(bomb.length).toBeLessThan(bytes)
    expect(await request(app, encoded(bomb, 'gzip'))).toEqual(rejected(`The body is larger than ${bytes} bytes.`, 413))
    expect(decompressed).toBeGreaterThan(bytes)
    expect(decompressed).toBeLessThan(bytes + 5 * 1024 * 1024)
  })
})
