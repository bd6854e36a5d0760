/** Milliseconds that the loops of a process may run, together, before other work has its turn. */
const TURN_MS = 10

/** The most steps in one turn, for hosts whose clock does not advance while code runs (Workers). */
const TURN_STEPS = 1000

/** The most steps between two looks at the clock, and those before the first one: a look costs as much as a quick step. */
const STRIDE = 16

/** Each loop waits by a macrotask of its own: a promise of another request never settles on Workers if that request is cancelled. */
const host = globalThis as unknown as { readonly setImmediate?: (run: () => void) => unknown }
const runInNextTurn: (run: () => void) => unknown = host.setImmediate ?? ((run) => setTimeout(run, 0))

/** Counts the turns of the event loop in which loops were resumed. */
let turn = 0
/** How many loops were resumed in this turn, and in the one before: so many share the time of a turn. */
let resumed = 0
let sharers = 1

/**
 * Gives the thread back during a loop that has no other reason to: one whose steps are synchronous, or promises that have settled.
 * Timers, sockets and other callers have their turn after ten milliseconds, however many loops run, or after 32 steps if these take longer.
 *
 * @example
 * const turns = new Turns()
 * for (const each of list) {
 *   await turns.next()
 *   work(each)
 * }
 */
export class Turns {
  /** When the turn is over; 0 before the first look at the clock. */
  #end = 0
  #steps = 0
  #stride: number
  #nextLook: number
  #waiting: Promise<void> | undefined

  /** @param firstLook the first step at which it looks at the clock */
  constructor(firstLook = STRIDE) {
    this.#stride = firstLook
    this.#nextLook = firstLook
  }

  /** Called before each step: returns a promise of the next turn if this one is over. */
  next(): Promise<void> | undefined {
    this.#steps += 1
    if (this.#steps < this.#nextLook) return this.#waiting
    return this.#look()
  }

  #look(): Promise<void> | undefined {
    if (this.#waiting) return this.#waiting
    const now = performance.now()
    if (this.#end === 0) this.#end = now + TURN_MS
    if (this.#steps <= TURN_STEPS && now < this.#end) {
      this.#stride = Math.min(2 * this.#stride, STRIDE)
      this.#nextLook = this.#steps + this.#stride
      return undefined
    }
    const paused = turn
    this.#waiting = new Promise((resolve) => {
      runInNextTurn(() => {
        this.#resume(paused)
        resolve()
      })
    })
    return this.#waiting
  }

  #resume(paused: number): void {
    // The first loop that is resumed begins the turn.
    if (turn === paused) {
      turn += 1
      sharers = Math.max(resumed, 1)
      resumed = 0
    }
    resumed += 1
    this.#waiting = undefined
    // The first step of a turn runs in any case.
    this.#steps = 0
    this.#stride = 1
    this.#nextLook = 2
    this.#end = performance.now() + TURN_MS / sharers
  }
}
