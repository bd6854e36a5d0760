/** Hides a member, as entities of ORMs do. */
export class Account {
  readonly name: string
  readonly passwordHash: string

  constructor(name: string, passwordHash = 'SECRET') {
    this.name = name
    this.passwordHash = passwordHash
  }

  toJSON(): object {
    return { name: this.name }
  }
}

/** A text on the wire, as of decimal numbers and dates of libraries. */
export class Money {
  readonly cents: number

  constructor(cents: number) {
    this.cents = cents
  }

  toJSON(): string {
    return (this.cents / 100).toFixed(2)
  }
}

/** Inherits toJSON(), and contains others. */
export class Team extends Account {
  readonly lead = new Account('grace')
  readonly accounts = [new Account('edsger')]
  readonly prices = { low: new Money(150) }

  override toJSON(): object {
    return { ...super.toJSON(), lead: this.lead, accounts: this.accounts, prices: this.prices }
  }
}

export class Broken {
  readonly passwordHash = 'SECRET'

  toJSON(): never {
    throw new TypeError('broken SECRET')
  }
}

/** A method of its own, which the copy that it returns has as well. */
function literal(): object {
  return {
    name: 'ada',
    passwordHash: 'SECRET',
    toJSON(this: Record<string, unknown>) {
      const { passwordHash: _, ...shown } = this
      return shown
    },
  }
}

/** The values by name. */
export function sampleOf(kind: string): unknown {
  switch (kind) {
    case 'account':
      return new Account('ada')
    case 'money':
      return new Money(1999)
    case 'team':
      return new Team('ada')
    case 'literal':
      return literal()
    case 'broken':
      return new Broken()
    default:
      return { list: [new Account('ada')], map: { price: new Money(5), team: new Team('ada') } }
  }
}

export const kinds = ['account', 'money', 'team', 'literal', 'nested'] as const

/** Kinds whose `toJSON()` returns an object, for types that are one. */
export const objects = ['account', 'team', 'literal', 'nested'] as const
