/** What may be asked while something is planned. An answer depends on what was asked before, by whomever. */
export type Answering = Readonly<Record<string, (...args: string[]) => unknown>>

/** One question and its answer. */
type Step = readonly [question: string, args: readonly string[], answer: unknown]

/** A result, and all that it was made of beside its own input. */
export interface Recording<Result> {
  readonly steps: readonly Step[]
  readonly result: Result
}

/**
 * The result of `make`, which depends on its input and on the answers that it gets, and on nothing else. What was recorded for
 * the same input is taken over when every question that was asked then is answered now as it was: asking again does
 * what asking does (a name is given out, an import is noted), and is all that is done.
 */
export function replay<Asked extends Answering, Result>(
  known: Recording<Result> | undefined,
  asked: Asked,
  make: (asked: Asked) => Result,
): Recording<Result> {
  if (!known) return record([], asked, make)
  const { steps } = known
  for (let i = 0; i < steps.length; i += 1) {
    const [question, args, before] = steps[i] as Step
    const answer = asked[question]?.(...args)
    // What was asked up to here has been asked, and is not asked again.
    if (!isSame(answer, before)) return record([...steps.slice(0, i), [question, args, answer]], asked, make)
  }
  return known
}

/**
 * The result of `make` where it asks the very questions that were asked before, in their order, if the answers are those of
 * before: nobody is asked then. Undefined where it asks another one; `asked` only says what may be asked.
 */
export function retrace<Asked extends Answering, Result>(
  { steps }: Recording<unknown>,
  asked: Asked,
  make: (asked: Asked) => Result,
): Recording<Result> | undefined {
  let at = 0
  const answer = (question: string, args: readonly string[]): unknown => {
    const [before, argsBefore, given] = steps[at] ?? []
    at += 1
    if (before !== question || !isSame(args, argsBefore)) throw departed
    return given
  }
  const told = Object.keys(asked).map((question) => [question, (...args: string[]) => answer(question, args)] as const)
  try {
    const recording = record([], Object.fromEntries(told) as unknown as Asked, make)
    return at === steps.length ? recording : undefined
  } catch (error) {
    if (error !== departed) throw error
    return undefined
  }
}

/** What ends the retracing of something that asks otherwise than before. */
const departed = new Error('another question')

/** Questions whose answer is another one each time. */
const once: ReadonlySet<string> = new Set(['claim'])

function record<Asked extends Answering, Result>(
  given: readonly Step[],
  asked: Asked,
  make: (asked: Asked) => Result,
): Recording<Result> {
  const steps: Step[] = []
  const answers = new Map<string, unknown>()
  const recording = Object.keys(asked).map((question) => {
    const ask = (...args: string[]): unknown => {
      const key = once.has(question) ? undefined : `${question} ${args.join(' ')}`
      if (key !== undefined && answers.has(key)) return answers.get(key)
      const next = given[steps.length]
      const step = next ?? ([question, args, asked[question]?.(...args)] as const)
      steps.push(step)
      if (key !== undefined) answers.set(key, step[2])
      return step[2]
    }
    return [question, ask] as const
  })
  const result = make(Object.fromEntries(recording) as unknown as Asked)
  return { steps, result }
}

/** Names that belong together are given out together. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!Array.isArray(one) || !Array.isArray(other)) return false
  return one.length === other.length && one.every((each, i) => each === other[i])
}
