export type { Codec } from './types.js'

/** Text that is encoded already; an encoder writes it as it stands. */
export class Encoded {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The same whose size is bounded already, as that of a multicall is. */
export class BoundedText extends Encoded {}

const encodedOnce = new WeakMap<object, Encoded>()

/** Returns the JSON text of an object that never changes. It is made once. */
export function encodeOnce(value: object): Encoded {
  const known = encodedOnce.get(value)
  if (known) return known
  const encoded = new Encoded(JSON.stringify(value))
  encodedOnce.set(value, encoded)
  return encoded
}
