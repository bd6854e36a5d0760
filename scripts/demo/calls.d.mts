export interface Call {
  readonly method: string
  readonly about: string
  readonly params?: object
  readonly result?: unknown
  readonly error?: object
  readonly xml: readonly string[]
  readonly value?: string
  readonly fault?: string
}

export const calls: readonly Call[]
