import { parametersByName } from './overloads.js'

/** What of a procedure or its docs its help text is made of. */
export interface Documented {
  readonly params: readonly DocumentedParam[]
  readonly overloads?: readonly { readonly params: readonly DocumentedParam[] }[] | undefined
  readonly returns: { readonly doc?: string | undefined }
}

interface DocumentedParam {
  readonly name: string
  readonly doc?: string | undefined
}

/**
 * The help text of a procedure: the description, then `:param a: …` lines and `:return: …`. Only what has a text is listed;
 * continuation lines are indented by four spaces. Empty when nothing is documented.
 */
export function helpText(description: string, documented: Documented): string {
  return [description, fieldsOf(documented)].filter((part) => part !== '').join('\n\n')
}

/** The description in a help text: what stands before the lines for the parameters and the result. */
export function descriptionIn(help: string, documented: Documented): string {
  const fields = fieldsOf(documented)
  if (fields === '') return help
  if (help === fields) return ''
  return help.endsWith(`\n\n${fields}`) ? help.slice(0, -fields.length - 2) : help
}

function fieldsOf(documented: Documented): string {
  const params = parametersByName(documented).map(({ name, doc }) => field(`:param ${name}:`, doc))
  const fields = [...params, field(':return:', documented.returns.doc)]
  return fields.flat().join('\n')
}

function field(head: string, text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`${head} ${text.replace(/\n(?=[^\n])/g, '\n    ')}`]
}
