interface Fence {
  readonly mark: string
  readonly index: number
}

/** What may stand before a fence on its line: a tag, a field, a list marker. */
const before = /^\s*(?:(?:@\S+|:\w+[^:]*:|[-*+]|\d+[.)])\s+)?/

/**
 * Which lines lie in a fenced code block (CommonMark 0.31 section 4.5), the closing line included and the opening one not.
 * `open` is the index of a fence that never closes.
 */
export function findFences(lines: readonly string[]): { readonly fenced: readonly boolean[]; readonly open?: number } {
  let fence: Fence | undefined
  const fenced = lines.map((line, index) => {
    const inside = fence !== undefined
    if (fence === undefined) fence = opening(line, index)
    else if (closes(fence, line)) fence = undefined
    return inside
  })
  return fence === undefined ? { fenced } : { fenced, open: fence.index }
}

/** A fence of backticks has no backtick behind it: otherwise it is code within a line. */
function opening(line: string, index: number): Fence | undefined {
  const mark = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line.replace(before, ''))
  return mark === null ? undefined : { mark: mark[1] ?? mark[2] ?? '', index }
}

function closes(fence: Fence, line: string): boolean {
  const mark = line.trim()
  return mark.startsWith(fence.mark) && mark === (fence.mark[0] ?? '').repeat(mark.length)
}
