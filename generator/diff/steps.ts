/** A comparison took more steps than it may; the message is for the report. */
export class TooManySteps extends Error {}

/** The steps that comparisons may still take: pairs of branches of pairs of types multiply, and a stranger may have written the types. */
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
}
