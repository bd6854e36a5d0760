/** A comparison took more steps than it may; the message is for the report. */
export class TooManySteps extends Error {}

/** The steps to compare the types of two versions, about two seconds: 1,000 methods whose types all contain each other take 500,000. */
export const MAX_STEPS = 4_000_000

/** A type whose branches are made when they are needed. */
interface Expanded {
  forget(): void
}

/**
 * The types that are being expanded, one inside of the other. What the inner ones are without an outer one is not what they are: `B` of `A | Int` is
 * more than an Int, if `A` is `B | string`.
 */
export class Expansion {
  readonly #open = new Set<Expanded>()
  #ended: Expanded[] = []
  /** True if one of them was needed for itself. */
  #isCut = false

  needs(type: Expanded): void {
    if (this.#open.size > 0 && this.#open.has(type)) this.#isCut = true
  }

  begin(type: Expanded): void {
    this.#open.add(type)
  }

  end(type: Expanded): void {
    this.#open.delete(type)
    this.#ended.push(type)
    if (this.#open.size > 0) return
    if (this.#isCut) for (const each of this.#ended) if (each !== type) each.forget()
    this.#ended = []
    this.#isCut = false
  }
}

/**
 * The steps that a comparison may still take: references and pairs of branches multiply, and a stranger may have written the types. A step is
 * about half a microsecond. Each part of a file is read once, without steps; what is made from a type or compared for each of many references
 * takes as many steps as it has parts, before it is made.
 */
export class Steps {
  readonly expansion = new Expansion()
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
