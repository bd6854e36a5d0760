import type { BytesClass } from './types.js'

const padding = 0x3d
const wrong = 255
const space = 254
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

// Marked as pure, so that a bundle that uses no base64 leaves these out.
const codes = /* @__PURE__ */ new TextEncoder().encode(alphabet)
const ascii = /* @__PURE__ */ new TextDecoder()
const values = /* @__PURE__ */ Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/\s/.test(char)) return space
  const value = alphabet.indexOf(char)
  return value < 0 ? wrong : value
})

/**
 * Decodes base64 (RFC 4648 section 4), with white space anywhere; ignores surplus bits after the last byte.
 *
 * Returns undefined for another character, or a wrong length or padding. `atob` would accept text without padding.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let size = 0
  let bits = 0
  let count = 0
  let at = 0
  for (; at < text.length && text.charCodeAt(at) !== padding; at++) {
    const value = values[text.charCodeAt(at)] ?? wrong
    if (value === space) continue
    if (value === wrong) return undefined
    bits = (bits << 6) | value
    count++
    if (count % 4 === 0) {
      bytes[size++] = bits >> 16
      bytes[size++] = bits >> 8
      bytes[size++] = bits
      bits = 0
    }
  }
  const rest = count % 4
  if (countPadding(text, at) !== (4 - rest) % 4) return undefined
  if (rest === 1) return undefined
  if (rest >= 2) bytes[size++] = bits >> (rest === 2 ? 4 : 10)
  if (rest === 3) bytes[size++] = bits >> 2
  return bytes.slice(0, size)
}

/** Counts `=` up to the end; undefined if there is another character than these and white space. */
function countPadding(text: string, from: number): number | undefined {
  let count = 0
  for (let at = from; at < text.length; at++) {
    if (text.charCodeAt(at) === padding) count++
    else if (values[text.charCodeAt(at)] !== space) return undefined
  }
  return count
}

/** Encodes base64 with padding, on one line. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(padding)
  const code = (value: number) => codes[value & 63] as number
  let size = 0
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const bits = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text[size] = code(bits >> 18)
    text[size + 1] = code(bits >> 12)
    if (left > 1) text[size + 2] = code(bits >> 6)
    if (left > 2) text[size + 3] = code(bits)
    size += 4
  }
  return ascii.decode(text)
}

interface BufferHost {
  readonly Buffer?: { from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array }
}

/**
 * Returns binary data in the class that a procedure declares. A Buffer shares the memory of `bytes`, an ArrayBuffer is a copy.
 * Returns `bytes` itself if the host has no Buffer.
 */
export function fromUint8Array(bytes: Uint8Array, as: BytesClass): unknown {
  if (as === 'Uint8Array') return bytes
  if (as === 'ArrayBuffer') return new Uint8Array(bytes).buffer
  const { Buffer }: BufferHost = globalThis as object
  return Buffer ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes
}

/** Returns the bytes of a Uint8Array (such as a Buffer) or an ArrayBuffer; undefined for anything else. */
export function toUint8Array(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
