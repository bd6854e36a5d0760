/** JSON text instead of a value, which the JSON encoder writes unchanged. */
export class EncodedJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const encodedOnce = new WeakMap<object, EncodedJson>()

/** Returns the JSON text of an object that never changes. It is made once. */
export function encodeOnce(value: object): EncodedJson {
  const known = encodedOnce.get(value)
  if (known) return known
  const encoded = new EncodedJson(JSON.stringify(value))
  encodedOnce.set(value, encoded)
  return encoded
}
