// Text to text, as JSON or as XML: a contestant specifies which with `format`.
import { documents } from '../work/documents.mjs'

export function prepare({ answer, format }, name) {
  const text = documents[name][format]
  return () => answer(text)
}
