/** Of hosts other than Node a timer is a number. */
interface Timer {
  unref?(): void
}

/** Runs a function again and again; the process does not wait for it. Returns a function that stops it. */
export function repeat(ms: number, run: () => void): () => void {
  const timer: Timer & ReturnType<typeof setInterval> = setInterval(run, ms)
  timer.unref?.()
  return () => clearInterval(timer)
}

/** Runs a function once; the process does not wait for it. */
export function later(ms: number, run: () => void): void {
  const timer: Timer & ReturnType<typeof setTimeout> = setTimeout(run, ms)
  timer.unref?.()
}
