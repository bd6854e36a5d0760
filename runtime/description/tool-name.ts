/** The APIs of language models accept no longer name of a tool. MCP itself allows 128. */
const MAX_TOOL_NAME = 64

/** What the name of a tool consists of, for hints. */
export const toolNames = `a name of at most ${MAX_TOOL_NAME} letters, digits, _ and -`

/**
 * Returns the name of a procedure's tool: that of `@mcpName`, or that of the procedure, with `_` for each character that the APIs of
 * language models do not accept.
 */
export function toolNameOf({
  name,
  mcpName,
}: {
  readonly name: string
  readonly mcpName?: string | undefined
}): string {
  return mcpName ?? name.replace(/[^\w-]/g, '_')
}

/** Returns what is wrong with the name of a tool; undefined if nothing is. */
export function toolNameProblem(name: string): string | undefined {
  if (name === '') return 'the name of a tool is empty'
  if (!/^[\w-]+$/.test(name)) return `the name ${JSON.stringify(name)} of a tool has characters that are not allowed`
  if (name.length <= MAX_TOOL_NAME) return undefined
  return `the name ${name} of a tool is longer than ${MAX_TOOL_NAME} characters`
}
