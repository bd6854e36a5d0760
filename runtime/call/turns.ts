// Loops that would otherwise run on while other work waits: after 10 ms of a process, together, each step waits for the next macrotask.
//
//   turns.next() before each entry of a long batch  →  undefined while the turn lasts, else a promise of the next one

/** Milliseconds that the loops of a process may run, together, before other work has its turn. */
const TURN_MS = 10

/** The most steps in one turn, for hosts whose clock does not advance while code runs (Workers). */
const TURN_STEPS = 1000

/** The steps before the first look at the clock: a look costs as much as a quick step. */
const STRIDE = 16

/** The most steps between two looks, which become rarer while the turn lasts. */
const LONGEST_STRIDE = 4 * STRIDE

/** 4096 characters of a result take about as long as a small result. */
const RESULT_SHIFT = 12

/** An object that a promise is settled with, whose size is not known, counts as so many small results. */
const OBJECT = STRIDE / 4

/** Each loop waits by a macrotask of its own: a promise of another request never settles on Workers if that request is cancelled. */
const host = globalThis as unknown as { readonly setImmediate?: (run: () => void) => unknown }
const runInNextTurn: (run: () => void) => unknown = host.setImmediate ?? ((run) => setTimeout(run, 0))

/** What the loops and the results of a process share: there is one event loop, whose turns they divide among them. */
class EventLoop {
  /** When the time for messages that arrive in this turn is over; undefined before the first one. */
  #end: number | undefined
  /** The same for results that have waited for this turn. */
  #endOfWaiting: number | undefined
  /** How many loops were resumed in this turn, and in the one before: so many share the time of a turn. */
  #resumed = 0
  #sharers = 1
  /** The work since the last look at the clock, in small results. */
  work = 0
  /** Counts the turns in which loops were resumed. */
  turn = 0

  /** Returns when the turn is over, which began with the first message that was handled in it. */
  endOfTurn(now: number): number {
    // Elsewhere than on Node each message has a turn of its own.
    if (!host.setImmediate) return now + TURN_MS
    if (this.#end === undefined) {
      this.#end = now + TURN_MS
      host.setImmediate(() => {
        this.#end = undefined
      })
    }
    return this.#end
  }

  /** Returns when the turn of a loop is over that has waited since the turn `paused`. The first loop that is resumed begins a turn. */
  resume(paused: number): number {
    if (this.turn === paused) {
      this.turn += 1
      this.#sharers = Math.max(this.#resumed, 1)
      this.#resumed = 0
    }
    this.#resumed += 1
    return performance.now() + TURN_MS / this.#sharers
  }

  /** Calls `resume` in a later turn. Results that wait share ten milliseconds of each turn, in their order; those that are new in a turn have as much. */
  waitForTime(resume: () => void): void {
    runInNextTurn(() => {
      const now = performance.now()
      if (this.#endOfWaiting === undefined) {
        this.#endOfWaiting = now + TURN_MS
        runInNextTurn(() => {
          this.#endOfWaiting = undefined
        })
      }
      if (now < this.#endOfWaiting) resume()
      else this.waitForTime(resume)
    })
  }
}

const eventLoop = /* @__PURE__ */ new EventLoop()

/**
 * Gives the thread back during a loop that has no other reason to: one whose steps are synchronous, or promises that have settled.
 * Timers, sockets and other callers have their turn after ten milliseconds, however many loops run, or after as many steps again if these take
 * longer.
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
    if (this.#steps < this.#nextLook && eventLoop.work < STRIDE) return this.#waiting
    return this.#look()
  }

  #look(): Promise<void> | undefined {
    if (this.#waiting) return this.#waiting
    const now = performance.now()
    if (this.#end === 0) this.#end = eventLoop.endOfTurn(now)
    if (this.#steps <= TURN_STEPS && now < this.#end) {
      eventLoop.work = 0
      this.#stride = Math.min(2 * this.#stride, LONGEST_STRIDE)
      this.#nextLook = this.#steps + this.#stride
      return undefined
    }
    const paused = eventLoop.turn
    this.#waiting = new Promise((resolve) => {
      runInNextTurn(() => {
        this.#resume(paused)
        resolve()
      })
    })
    return this.#waiting
  }

  #resume(paused: number): void {
    this.#waiting = undefined
    // The first step of a turn runs in any case, also after long work.
    eventLoop.work = 0
    this.#steps = 0
    this.#stride = 1
    this.#nextLook = 2
    this.#end = eventLoop.resume(paused)
  }
}

/** Counts a result, or parameters, of so many characters as work of this turn. */
export function countWork(characters: number): void {
  eventLoop.work += 1 + (characters >> RESULT_SHIFT)
}

/** After work that may have taken a millisecond the next step looks at the clock. */
export function countLongWork(): void {
  eventLoop.work = STRIDE
}

/**
 * Returns a promise of the turn of what follows a promise, undefined if it may continue now; `result` is what the promise is settled with.
 * Of calls whose promises are settled together, as by one event, nothing else would run between the results of the first and the last one.
 */
export function turnOfResult(result?: unknown): Promise<void> | undefined {
  eventLoop.work += typeof result === 'object' ? OBJECT : 1
  if (eventLoop.work < STRIDE) return undefined
  const now = performance.now()
  if (now < eventLoop.endOfTurn(now)) {
    eventLoop.work = 0
    return undefined
  }
  return new Promise((resolve) => eventLoop.waitForTime(resolve))
}
