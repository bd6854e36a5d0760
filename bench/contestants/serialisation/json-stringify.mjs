// The base.
import { enveloped } from '../../adapters/serialisation.mjs'

export async function start() {
  return { write: () => (value) => enveloped(JSON.stringify(value)) }
}
