import { helpText as textOf } from '../../runtime/schema/description.js'
import type { DocComment } from './comment.js'

/** The help text of a procedure whose parameters that travel are `paramNames`; other documented ones are left out. */
export function helpText({ description, params, returns }: DocComment, paramNames: readonly string[]): string {
  const documented = new Map(params.map(({ name, text }) => [name, text]))
  return textOf(description, {
    params: paramNames.map((name) => ({ name, doc: documented.get(name) })),
    returns: { doc: returns?.text },
  })
}
