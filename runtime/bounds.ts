/** Cuts a text to at most so many UTF-16 code units and an ellipsis, and no surrogate pair in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
