/** A comparison took more steps than it may; the message is for the report. */
export class TooManySteps extends Error {}

/** The steps to compare the types of two versions, about two seconds: 1,000 methods whose types all contain each other take 500,000. */
export const MAX_STEPS = 4_000_000

/** What one part of a comparison may take, however many steps the others took. */
const LEAST_STEPS = 1000

/**
 * The steps that a comparison may still take: references and pairs of branches multiply, and a stranger may have written the types. A step is
 * about half a microsecond. Each part of a file is read once, without steps; what is made from a type or compared for each of many references
 * takes as many steps as it has parts, before it is made.
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

  /** Runs a part with half of the steps that are left, so that the others are still compared. */
  share(run: () => void): void {
    const share = Math.max(Math.floor(this.left / 2), LEAST_STEPS)
    const others = this.left - share
    this.left = share
    run()
    this.left = others + Math.max(this.left, 0)
  }
}
