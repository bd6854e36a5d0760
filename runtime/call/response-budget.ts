const encoder = /* @__PURE__ */ new TextEncoder()

/** True if a text has at most `bytes` in UTF-8; it is measured only when that matters: a code unit has one to three. */
export function isWithin(text: string, bytes: number): boolean {
  return 3 * text.length <= bytes || (text.length <= bytes && encoder.encode(text).byteLength <= bytes)
}

/** What is left of `limits.responseBytes` while the texts of the entries of a message are made. */
export class ResponseBudget {
  #left: number
  /** Texts that count as three bytes a code unit, the most that UTF-8 takes. They are measured only when that matters. */
  #unmeasured: string[] = []
  /** True once a text did not fit: no later one does. */
  isExceeded = false
  /** Of the texts so far. */
  characters = 0

  constructor(bytes: number) {
    this.#left = bytes
  }

  /** Takes a text; returns false if it does not fit, or if one before it did not. */
  take(text: string): boolean {
    if (this.isExceeded) return false
    this.characters += text.length
    const most = 3 * text.length
    if (most <= this.#left) {
      this.#left -= most
      this.#unmeasured.push(text)
      return true
    }
    for (const each of this.#unmeasured) this.#left += 3 * each.length - encoder.encode(each).byteLength
    this.#unmeasured = []
    this.isExceeded = !isWithin(text, this.#left)
    if (!this.isExceeded) this.#left -= encoder.encode(text).byteLength
    return !this.isExceeded
  }
}
