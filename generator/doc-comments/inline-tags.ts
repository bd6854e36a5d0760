/** Code, in which braces are text; then `{@name content}` of JSDoc and TSDoc, perhaps with a label before it. */
const inlineTag = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)|(?:\[([^[\]\n]*)\])?\{@(\w+)(?!\w)([^{}]*)\}/g

const address = /^(?:https?:\/\/|mailto:)/i

/**
 * Returns a text with its inline tags as Markdown, for readers who have no links to the source: `{@link Order.id | its id}` is `its id`,
 * `{@link Order}` is `Order`, and `{@link https://example.org the site}` is `[the site](https://example.org)`. `inherited` returns the
 * docs that replace `{@inheritDoc}`; without it, the tag is kept for a later pass.
 */
export function plainText(text: string, inherited?: (target: string) => string): string {
  if (!text.includes('{@')) return text
  const plain = text.replace(inlineTag, (all: string, code?: string, label = '', tag = '', content = '') => {
    if (code !== undefined) return code
    const words = content.trim()
    switch (tag.toLowerCase()) {
      case 'link':
      case 'linkplain':
      case 'see':
      case 'tutorial':
        return linkText(label, words)
      case 'linkcode':
        return address.test(words) ? linkText(label, words) : `\`${linkText(label, words)}\``
      case 'code':
        return `\`${words}\``
      case 'inheritdoc':
        return inherited ? inherited(words) : all
      default:
        return all
    }
  })
  return plain === text ? text : plain.trim()
}

/** The target is the first word; TSDoc has a bar before the label. */
function linkText(before: string, content: string): string {
  const [, target = '', after = ''] = /^([^\s|]*)\s*\|?\s*([\s\S]*)$/.exec(content) ?? []
  const label = before || after.trim()
  if (!address.test(target)) return label || target
  return label === '' ? target : `[${label}](${target})`
}
