import { afterEach, expect, test, vi } from 'vitest'
import { appOf, json, jsonText, post, request } from '../support/requests.js'

/** The lengths of all byte arrays that are made. */
function watchBuffers(): number[] {
  const lengths: number[] = []
  const construct = (target: typeof Uint8Array, args: [number]) => {
    if (typeof args[0] === 'number') lengths.push(args[0])
    return Reflect.construct(target, args)
  }
  vi.stubGlobal('Uint8Array', new Proxy(Uint8Array, { construct }))
  return lengths
}

afterEach(() => void vi.unstubAllGlobals())

/** A body without a declared length, in pieces. */
function pieces(text: string, size: number): ReadableStream {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + size))
      else controller.close()
      at += size
    },
  })
}

const headers = { 'Content-Type': 'application/json' }

test.each([
  [1000, 1],
  [5000, 100],
  [100_000, 1000],
  [100_000, 99_999],
])('the buffer of a body is never larger than the limit of %d bytes, in pieces of %d', async (bodyBytes, size) => {
  const app = appOf({ limits: { bodyBytes } })
  const lengths = watchBuffers()
  expect((await request(app, post(pieces(json.padEnd(bodyBytes), size), headers))).text).toBe(jsonText)
  expect((await request(app, post(pieces(json.padEnd(bodyBytes + 1), size), headers))).status).toBe(413)
  expect(lengths.length).toBeGreaterThan(0)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(bodyBytes)
})
