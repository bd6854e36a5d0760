/**
 * A request from its first attempt to its end. `stop` ends the attempt, or the wait for the next one, that is going
 * on.
 */
export interface Flight {
  stop?: ((reason?: unknown) => void) | undefined
}

/** 23 days. A timer of 2 ** 31 milliseconds and more would end at once. */
const longestTimer = 2e9

/**
 * Does a part of a flight: `work`, which ends with the flight and by what `late` does after a time, also when it does
 * not listen to its signal.
 */
export function limited<T>(
  flight: Flight,
  ms: number,
  late: (resolve: (value: T) => void) => void,
  work?: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController()
    // The reason is passed on, because without it every call of the flight would get a separate error.
    flight.stop = (reason) => {
      reject(reason)
      controller.abort(reason)
    }
    if (ms <= longestTimer) timer = setTimeout(late, ms, resolve)
    work?.(controller.signal).then(resolve, reject)
  }).finally(() => {
    clearTimeout(timer)
    // The response has arrived: aborting now does not end the request.
    flight.stop = undefined
  })
}
