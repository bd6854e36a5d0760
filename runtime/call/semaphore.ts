import { type Awaitable, isPromise, maybeThen } from './maybe-async.js'
import { Queue } from './queue.js'
import { turnOfResult } from './turns.js'

/** At most `count` calls run at once; others wait. */
export class Semaphore {
  #free: number
  readonly #onFree: () => void
  #waiting = new Queue<() => void>()

  /**
   * @param count how many calls run at once
   * @param onFree called when a call has ended and none waits. Default: nothing
   */
  constructor(count: number, onFree: () => void = () => {}) {
    this.#free = count
    this.#onFree = onFree
  }

  get isFree(): boolean {
    return this.#free > 0
  }

  /** Runs a call now or later. It must not throw, and what it returns must not reject: its slot would be lost. */
  run<T>(call: () => Awaitable<T>): Awaitable<T> {
    if (this.isFree) return this.#start(call)
    // Synchronous calls that waited would all run between the end of one call and other work.
    return new Promise<void>((resolve) => void this.#waiting.push(resolve)).then(() =>
      maybeThen(turnOfResult(), () => this.#start(call, true)),
    )
  }

  /** Drops the calls that wait. */
  end(): void {
    this.#waiting = new Queue()
  }

  /** `isHeld`: the slot was handed over by the call that ended. */
  #start<T>(call: () => Awaitable<T>, isHeld = false): Awaitable<T> {
    if (!isHeld) this.#free -= 1
    const result = call()
    if (!isPromise(result)) {
      this.#release()
      return result
    }
    return result.then((value) => {
      this.#release()
      return value
    })
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next) {
      next()
    } else {
      this.#free += 1
      this.#onFree()
    }
  }
}
