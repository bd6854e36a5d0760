import type { BytesClass } from './wire-type.js'

interface BufferHost {
  readonly Buffer?: { from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array }
}

/**
 * Binary data in the class that a procedure declares. A Buffer shares the memory of `bytes`, an ArrayBuffer is a copy;
 * where the host has no Buffer the bytes stay what they are.
 */
export function asBytes(bytes: Uint8Array, as: BytesClass): unknown {
  if (as === 'Uint8Array') return bytes
  if (as === 'ArrayBuffer') return new Uint8Array(bytes).buffer
  const host: BufferHost = globalThis
  return host.Buffer ? host.Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes
}

/** The bytes of a Uint8Array (a Buffer is one) or an ArrayBuffer; undefined for anything else. */
export function toUint8Array(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined
}
