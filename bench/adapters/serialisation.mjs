// A result to the text of its response.
import { values } from '../work/values.mjs'

export function prepare({ write }, name) {
  const writeValue = write(name)
  return writeValue && (() => writeValue(values[name]))
}

/** The envelope is the same for all contestants. */
export const enveloped = (json) => `{"jsonrpc":"2.0","result":${json},"id":1}`
