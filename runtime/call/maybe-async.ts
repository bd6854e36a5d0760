// Values or promises, one path for both: a synchronous procedure makes no promise. Where each call passes, what waits for a promise is a function of
// its own: an engine allocates the variables that a closure refers to when the function around it begins.
import { Turns } from './turns.js'

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>

/** True for what has a `then`: a promise, also one of another library. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  )
}

/** Like `isPromise`, for what is an object in any case: that sees objects of so many shapes that a small call would cost 4 % more. */
export function isPending<T extends object>(value: Awaitable<T>): value is PromiseLike<T> {
  return 'then' in value
}

/** Like `then`, but synchronous if the value is not a promise. The `then` of another library may return anything. */
export function maybeThen<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value)
}

/** Like `catch`, for what `run` throws and for the promise that it returns. */
export function maybeCatch<T>(run: () => Awaitable<T>, recover: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = run()
    return isPromise(value) ? Promise.resolve(value).then(undefined, recover) : value
  } catch (error) {
    return recover(error)
  }
}

/**
 * Like `Promise.all` over a list, with at most `concurrency` promises pending at once; synchronous if `step` never returns a
 * promise and the steps end within one turn. Steps start in the order of the list, and so are the results.
 */
export function maybeAll<T, U>(
  list: readonly T[],
  concurrency: number,
  step: (item: T) => Awaitable<U>,
): Awaitable<U[]> {
  const results: U[] = []
  const turns = new Turns()
  while (results.length < list.length) {
    const value = inTurn(turns, list[results.length] as T, step)
    if (isPromise(value)) return settleAll(list, concurrency, step, results, value, turns)
    results.push(value)
  }
  return results
}

/** Runs a step in this turn, or in the first one that is not over by then. */
function inTurn<T, U>(turns: Turns, item: T, step: (item: T) => Awaitable<U>): Awaitable<U> {
  const turn = turns.next()
  return turn ? inLaterTurn(turn, turns, item, step) : step(item)
}

function inLaterTurn<T, U>(
  turn: Promise<void>,
  turns: Turns,
  item: T,
  step: (item: T) => Awaitable<U>,
): PromiseLike<U> {
  return turn.then(() => inTurn(turns, item, step))
}

/** Continues with a list whose next step has returned `pending`. */
function settleAll<T, U>(
  list: readonly T[],
  concurrency: number,
  step: (item: T) => Awaitable<U>,
  results: U[],
  pending: PromiseLike<U>,
  turns: Turns,
): Promise<U[]> {
  return new Promise((resolve, reject) => {
    let next = results.length
    let running = 0
    const settle = (value: PromiseLike<U>) => {
      const index = next
      next += 1
      running += 1
      value.then((result) => {
        results[index] = result
        running -= 1
        work()
      }, reject)
    }
    /** Runs steps until enough of them are pending or none is left. */
    const work = () => {
      try {
        while (next < list.length && running < concurrency) {
          const value = inTurn(turns, list[next] as T, step)
          if (isPromise(value)) {
            settle(value)
          } else {
            results[next] = value
            next += 1
          }
        }
        if (running === 0) resolve(results)
      } catch (error) {
        reject(error)
      }
    }
    settle(pending)
    work()
  })
}
