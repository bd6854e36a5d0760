/** Milliseconds that the loops of a process may run, together, before other work has its turn. */
const TURN_MS = 10

/** The most steps in one turn, for hosts whose clock does not advance while code runs (Workers). */
const TURN_STEPS = 1000

/** The most steps between two looks at the clock. */
const STRIDE = 8

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
 * Timers, sockets and other callers have their turn after ten milliseconds, however many loops run.
 *
 * @example
 * const turns = new Turns()
 * for (const each of list) {
 *   await turns.next()
 *   work(each)
 * }
 */
export class Turns {
  #end = performance.now() + TURN_MS
  #steps = 0
  #nextLook = 1
  #waiting: Promise<void> | undefined

  /** Called before each step: returns a promise of the next turn if this one is over. */
  next(): Promise<void> | undefined {
    if (this.#waiting) return this.#waiting
    this.#steps += 1
    if (this.#steps <= this.#nextLook) return undefined
    if (this.#steps <= TURN_STEPS && performance.now() < this.#end) {
      this.#nextLook += Math.min(this.#nextLook, STRIDE)
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
    this.#steps = 0
    this.#nextLook = 1
    this.#end = performance.now() + TURN_MS / sharers
  }
}
