/** A comparison took more steps than it may; the message is for the report. */
export class TooManySteps extends Error {}

/** The steps to compare the types of two versions, about two seconds. */
export const MAX_STEPS = 8_000_000

const LEAST_STEPS = 1000

/**
 * The steps that a comparison may still take, since references and pairs of branches multiply, and a stranger may have written the types. What is
 * read of a file takes none; a step is a branch, member or element that is made from a type, or that is compared for one of many references.
 */
export class Steps {
  left: number

  constructor(left: number) {
    this.left = left
  }

  /** @throws TooManySteps if none are left */
  take(count: number, message = 'its types contain each other in more ways than are compared'): void {
    this.left -= count
    if (this.left < 0) throw new TooManySteps(message)
  }

  /** Runs with half of the steps that are left, so that what follows is still compared, and at least some. */
  half<Result>(run: () => Result): Result {
    const all = this.left
    const own = Math.max(Math.floor(all / 2), LEAST_STEPS)
    this.left = own
    const result = run()
    this.left += all - own
    return result
  }
}
