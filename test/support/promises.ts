import { createHook } from 'node:async_hooks'

/**
 * Returns how many promises a function makes, its own one among them. Of five runs the one with the fewest counts: others of the process
 * make promises meanwhile, and a slow run gives the thread back.
 */
export async function promisesOf(run: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let i = 0; i < 5; i += 1) {
    let promises = 0
    const init = (_id: number, type: string) => {
      if (type === 'PROMISE') promises += 1
    }
    const hook = createHook({ init }).enable()
    try {
      await run()
    } finally {
      hook.disable()
    }
    counts.push(promises)
  }
  return Math.min(...counts)
}
