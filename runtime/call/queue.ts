/** The items of which `shift` moves all others quickly. */
const SHORT = 32

/** A queue of any length. `shift` of a long array moves all others, so that to empty one takes quadratic time. */
export class Queue<T> {
  /** Items in the order in which they came, behind those of `#next`, of which the last one is the first of the queue. */
  #added: T[] = []
  #next: T[] = []

  get length(): number {
    return this.#added.length + this.#next.length
  }

  push(item: T): void {
    this.#added.push(item)
  }

  /** Removes the first item, and returns it; undefined if there is none. */
  shift(): T | undefined {
    if (this.#next.length > 0) return this.#next.pop()
    if (this.#added.length <= SHORT) return this.#added.shift()
    this.#next = this.#added.reverse()
    this.#added = []
    return this.#next.pop()
  }
}
