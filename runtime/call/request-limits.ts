import { RpcInvalidRequest } from '../error.js'
import type { StepLimit } from '../values/wire.js'
import type { Limits } from './limits.js'
import type { BodyBounds, CallSettings, Procedure, Table } from './types.js'

// What is left of the limits of one request: of the bytes of its body and its response, and of the work for its unions.

const encoder = /* @__PURE__ */ new TextEncoder()

/** A body is larger than what the called procedure accepts. */
export class BodyTooLarge extends RpcInvalidRequest {
  readonly limit: number

  constructor(procedure: string, limit: number) {
    super(`Invalid Request: the body is larger than the ${limit} bytes that ${procedure} accepts`)
    this.limit = limit
  }
}

export function bodyBoundsOf(table: Table, { bodyBytes }: Limits): BodyBounds {
  let [smallest, largest] = [bodyBytes, bodyBytes]
  for (const procedure of table.values()) {
    smallest = Math.min(smallest, procedure.bodyBytes ?? bodyBytes)
    largest = Math.max(largest, procedure.bodyBytes ?? bodyBytes)
  }
  return { smallest, largest }
}

/** @throws BodyTooLarge if the body of the request is larger than what the procedure accepts */
export function checkBody(
  { name, bodyBytes, noLimits }: Procedure,
  { settings, bodyBytes: size }: { readonly settings: CallSettings; readonly bodyBytes: number },
): void {
  const limit = bodyBytes ?? settings.limits.bodyBytes
  if (size > limit && !noLimits) throw new BodyTooLarge(name, limit)
}

/** Returns the bytes of a text in UTF-8, counted only if a limit depends on them: a code unit has one to three. */
export function sizeOf(text: string, { smallest, largest }: BodyBounds): number {
  const isClear = text.length * 3 <= smallest || text.length > largest
  return isClear ? text.length : encoder.encode(text).byteLength
}

/** @throws RpcInvalidRequest if a message is larger than what any procedure accepts */
export function checkMessageSize(bytes: number, { largest }: BodyBounds): void {
  if (bytes > largest) throw new RpcInvalidRequest(`Invalid Request: larger than ${largest} bytes`)
}

/** What is left of `limits.responseBytes` while the texts of a response are made. */
export class ResponseBudget {
  #left: number
  /** Texts that count as three bytes a code unit, the most that UTF-8 takes. They are measured only when that matters. */
  #unmeasured: string[] = []
  #exceeded = false

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** True once a text did not fit: no later one does. */
  get isExceeded(): boolean {
    return this.#exceeded
  }

  /** Takes a text; returns false if it does not fit, or if one before it did not. */
  take(text: string): boolean {
    if (this.#exceeded) return false
    if (!this.#reserve(text)) {
      this.#measure()
      const bytes = text.length > this.#left ? text.length : encoder.encode(text).byteLength
      if (bytes > this.#left) this.#exceeded = true
      else this.#left -= bytes
    }
    return !this.#exceeded
  }

  #reserve(text: string): boolean {
    const most = 3 * text.length
    if (most > this.#left) return false
    this.#left -= most
    this.#unmeasured.push(text)
    return true
  }

  #measure(): void {
    for (const text of this.#unmeasured) this.#left += 3 * text.length - encoder.encode(text).byteLength
    this.#unmeasured = []
  }
}

/** Steps of the unions of one request: about a second of work. */
const MAX_STEPS = 10_000_000

/** Smaller requests cannot reach the limit in a relevant time. Bytes. */
const SMALL_BODY = 65_536

/**
 * Returns what limits the work for the unions of a request, or undefined for a small one. The work is linear in the size of the request; the
 * limit is for types with very many branches.
 */
export function stepLimitOf(bodyBytes: number): StepLimit | undefined {
  if (bodyBytes <= SMALL_BODY) return undefined
  let left = MAX_STEPS
  return {
    take(count) {
      left -= count
      if (left < 0)
        throw new RpcInvalidRequest(undefined, { data: `more than ${MAX_STEPS} steps to compare values with unions` })
    },
  }
}
