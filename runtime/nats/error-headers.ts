import type { WireError } from '../call/types.js'
import type { NatsHeaders } from './options.js'

/** How much of a message is in the header; the whole message is in the response. */
const MAX_DESCRIPTION = 200

/**
 * The headers by which clients of NATS services recognise an error (NATS ADR-32). `encode` is what `@nats-io/nats-core` calls to send
 * them, so that the package need not be imported.
 */
export class ErrorHeaders implements NatsHeaders {
  readonly #values: ReadonlyMap<string, string>

  constructor({ code, message }: WireError) {
    // A header is one line.
    const description = message
      .slice(0, MAX_DESCRIPTION)
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
    this.#values = new Map([
      ['Nats-Service-Error', description || 'error'],
      ['Nats-Service-Error-Code', `${code}`],
    ])
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  values(name: string): string[] {
    const value = this.get(name)
    return value === '' ? [] : [value]
  }

  get(name: string): string {
    return this.#values.get(name) ?? ''
  }

  /** Returns the block of headers as it is sent. */
  encode(): Uint8Array {
    const lines = Array.from(this.#values, ([name, value]) => `${name}: ${value}\r\n`)
    return new TextEncoder().encode(`NATS/1.0\r\n${lines.join('')}\r\n`)
  }
}
