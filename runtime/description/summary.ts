/** The first sentence of a description, in one line. */
export function summaryOf(description: string): string {
  const [paragraph = ''] = description.split(/\n\s*\n/, 1)
  const line = paragraph.replace(/\s+/g, ' ').trim()
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
}
