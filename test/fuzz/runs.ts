import fc from 'fast-check'

const most = Number(process.env['FUZZ_RUNS'] ?? 0)

/** `npm test` is the same every time; a longer run begins somewhere else each time. */
const fixed = most > 0 ? Date.now() % 2 ** 31 : 20_260_101

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env['FUZZ_SEED'] ?? fixed)
console.log(`FUZZ_SEED=${seed}`)

/** Checks a property so many times, or FUZZ_RUNS times where that is set. */
export async function check<Args extends [unknown, ...unknown[]]>(
  runs: number,
  property: fc.IAsyncProperty<Args> | fc.IProperty<Args>,
): Promise<void> {
  const parameters = { seed, numRuns: most > 0 ? most : runs, verbose: 0 } as const
  await fc.assert(property as fc.IAsyncProperty<Args>, parameters)
}

/** The time limit of tests in milliseconds; none for a long run. */
export const timeout: number = most > 0 ? 24 * 3_600_000 : 60_000
