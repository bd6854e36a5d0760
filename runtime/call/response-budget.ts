const encoder = /* @__PURE__ */ new TextEncoder()

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
