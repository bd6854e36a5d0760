import type { Child } from 'hono/jsx'

/**
 * Returns a doc comment as HTML: paragraphs, lists, fenced code, headings, `code`, **bold**, *emphasis* and links to http and
 * https. Everything else is text, HTML tags included.
 */
export function prose(text: string) {
  return <>{blocksOf(text).map(blockHtml)}</>
}

/** Code in a line. */
export function code(content: Child) {
  return <code>{content}</code>
}

type Block =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }

const fence = /^\s*(```|~~~)/
const bullet = /^\s*(?:([-*+])|\d{1,9}[.)])\s+(?=\S)/

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split(/\r\n?|\n/)
  for (let at = 0; at < lines.length; ) {
    const start = at
    const line = lines[at] as string
    if (fence.test(line)) {
      const mark = fence.exec(line)?.[1] as string
      at = endOf(lines, at, (each) => each.trim().startsWith(mark))
      blocks.push({ kind: 'code', text: lines.slice(start + 1, at).join('\n') })
      at++
    } else if (line.trim() === '') {
      at++
    } else if (bullet.test(line)) {
      // An item continues up to an empty line.
      at = endOf(lines, at, (each) => each.trim() === '' || fence.test(each))
      blocks.push(listOf(lines.slice(start, at)))
    } else {
      at = endOf(lines, at, (each) => each.trim() === '' || fence.test(each) || bullet.test(each))
      const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1]
      if (heading !== undefined) at = start + 1
      const content = lines.slice(start, at).join('\n')
      blocks.push(heading === undefined ? { kind: 'paragraph', text: content } : { kind: 'heading', text: heading })
    }
  }
  return blocks
}

/** Returns the index of the first line after `start` that ends a block. */
function endOf(lines: readonly string[], start: number, isEnd: (line: string) => boolean): number {
  const end = lines.findIndex((line, at) => at > start && isEnd(line))
  return end < 0 ? lines.length : end
}

function listOf(lines: readonly string[]): Block {
  const items: string[] = []
  for (const line of lines) {
    if (bullet.test(line)) items.push(line.replace(bullet, ''))
    else items.push(`${items.pop()}\n${line.trim()}`)
  }
  return { kind: 'list', ordered: bullet.exec(lines[0] as string)?.[1] === undefined, items }
}

function blockHtml(block: Block) {
  if (block.kind === 'list') {
    const items = block.items.map((each) => <li>{inline(each)}</li>)
    return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
  }
  if (block.kind === 'code') return <pre>{code(block.text)}</pre>
  const line = inline(block.text)
  return <p>{block.kind === 'heading' ? <strong>{line}</strong> : line}</p>
}

/** Each alternative is linear: none begins or ends with a character that may be in its middle. */
const span =
  /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])|\[([^[\]\n]+)\]\((https?:\/\/[^\s()<>"]+)\)|(https?:\/\/[^\s()<>"'`]*[^\s()<>"'`.,;:!?])/g

/** Returns one line of a doc comment as HTML, without blocks. */
export function inline(text: string): Child[] {
  const spans: Child[] = []
  let at = 0
  for (const found of text.matchAll(span)) {
    spans.push(text.slice(at, found.index), spanHtml(found))
    at = found.index + found[0].length
  }
  return [...spans, text.slice(at)]
}

function spanHtml([, text, bold, emphasis, label, target, bare]: RegExpMatchArray) {
  if (text !== undefined) return code(text)
  if (bold !== undefined) return <strong>{bold}</strong>
  if (emphasis !== undefined) return <em>{emphasis}</em>
  return (
    <a href={target ?? bare} rel="noopener noreferrer">
      {label ?? bare}
    </a>
  )
}
