import { Session } from 'node:inspector'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { afterAll } from 'vitest'
import { root } from './paths.js'

const runtime = join(root, 'runtime')

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

/** Returns how many blocks of the runtime and of a generated module were entered while `work` ran. */
export type CountSteps = (generated: string, work: () => Promise<unknown>) => Promise<number>

/**
 * Returns a function that counts steps in a test file, as V8 counts them: a measure of the work that is the same on every machine,
 * however loaded it is. V8 begins to count at the first call, and stops at the end of the file: each time that it begins it compiles
 * again all code that runs. Optimised code does not count, so that nothing is optimised meanwhile: what is counted would depend on when
 * an engine optimises what.
 */
export function stepCounter(): CountSteps {
  let session: Session | undefined
  const post = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve, reject) => {
      session?.post(method, params, (error, result) => (error ? reject(error) : resolve(result)))
    })

  async function start(): Promise<void> {
    session = new Session()
    session.connect()
    setFlagsFromString('--no-opt')
    // What was counted of a function is lost with its bytecode.
    setFlagsFromString('--no-flush-bytecode')
    await post('Profiler.enable')
    await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  afterAll(async () => {
    if (!session) return
    await post('Profiler.stopPreciseCoverage')
    session.disconnect()
    session = undefined
    setFlagsFromString('--flush-bytecode')
    setFlagsFromString('--opt')
  })

  return async (generated, work) => {
    if (!session) await start()
    await post('Profiler.takePreciseCoverage')
    await work()
    const { result } = (await post('Profiler.takePreciseCoverage')) as Coverage
    const ours = result.filter(({ url }) => url.includes(runtime) || url.includes(generated))
    if (ours.length === 0) throw new Error('no step was counted')
    return ours
      .flatMap(({ functions }) => functions)
      .flatMap(({ ranges }) => ranges)
      .reduce((sum, { count }) => sum + count, 0)
  }
}
