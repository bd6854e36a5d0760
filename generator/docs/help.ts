import type { DocComment } from './comment.js'

/**
 * The help text of a procedure: the description, then `:param a: …` lines in the order of `paramNames` and `:return: …`.
 *
 * Only what has a text is listed; a documented parameter that is not in `paramNames` is left out. Continuation lines are
 * indented by four spaces. Empty when nothing is documented.
 */
export function helpText(doc: DocComment, paramNames: readonly string[]): string {
  const documented = new Map(doc.params.map(({ name, text }) => [name, text]))
  const fields = [
    ...paramNames.map((name) => field(`:param ${name}:`, documented.get(name))),
    field(':return:', doc.returns?.text),
  ].flat()
  return [doc.description, fields.join('\n')].filter((part) => part !== '').join('\n\n')
}

function field(head: string, text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  return [`${head} ${text.replace(/\n(?=[^\n])/g, '\n    ')}`]
}
