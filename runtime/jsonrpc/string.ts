/** The position of the quote that ends the string which begins at `start`; the text's length when none does. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1
  return slashes % 2 === 1
}

/**
 * A JSON text with what `token` matches outside of its strings put into quotes; undefined when that is nothing. `token` is
 * global and matches a quote, too. The text is well-formed, so that every string has its end.
 */
export function quoteTokens(
  text: string,
  token: RegExp,
  check: (found: string, at: number) => void,
): string | undefined {
  const parts: string[] = []
  let done = 0
  token.lastIndex = 0
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [match] = found
    if (match === '"') {
      token.lastIndex = endOfString(text, found.index) + 1
    } else {
      check(match, found.index)
      parts.push(text.slice(done, found.index), `"${match}"`)
      done = token.lastIndex
    }
  }
  return done === 0 ? undefined : parts.join('') + text.slice(done)
}
