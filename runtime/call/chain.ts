/** A value now, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Goes on with a value: at once when it is there, else when its promise is kept. One path for both. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Calls `run`, and `recover` with whatever it throws, now or later. */
export function attempt<T>(run: () => Awaitable<T>, recover: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = run()
    return isPromise(value) ? value.then(undefined, recover) : value
  } catch (error) {
    return recover(error)
  }
}

/** Runs `step` over a list, one after another, or all at once; the answers keep the order of the list either way. */
export function each<T, U>(list: readonly T[], sequential: boolean, step: (item: T) => Awaitable<U>): Awaitable<U[]> {
  if (sequential) return oneByOne(list, step, 0, [])
  const values = list.map(step)
  return values.some(isPromise) ? Promise.all(values) : (values as U[])
}

function oneByOne<T, U>(list: readonly T[], step: (item: T) => Awaitable<U>, from: number, done: U[]): Awaitable<U[]> {
  for (let i = from; i < list.length; i += 1) {
    const value = step(list[i] as T)
    if (isPromise(value)) {
      return value.then((kept) => {
        done.push(kept)
        return oneByOne(list, step, i + 1, done)
      })
    }
    done.push(value)
  }
  return done
}
