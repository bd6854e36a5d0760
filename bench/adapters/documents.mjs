// Text to text, as JSON or as XML: a contestant specifies which with `format`.
import { documents } from '../work/documents.mjs'

export function prepare({ respond, format }, name) {
  const text = documents[name][format]
  return () => respond(text)
}
