import { onTestFinished } from 'vitest'

/** Counts the turns of the event loop until the test has finished. Returns a function that returns the number of the current one. */
export function countTurns(): () => number {
  let turn = 0
  let isWatching = true
  const watch = () => {
    turn += 1
    if (isWatching) setImmediate(watch)
  }
  watch()
  onTestFinished(() => {
    isWatching = false
  })
  return () => turn
}
