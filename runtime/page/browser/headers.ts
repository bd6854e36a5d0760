/** Headers that the reader entered, for every call of this page. They are not stored. */
let lines = ''

/** The field for them. All such fields have the same text. */
export function shareHeaders(field: HTMLTextAreaElement): void {
  field.value = lines
  field.addEventListener('input', () => {
    if (lines === field.value) return
    lines = field.value
    for (const each of document.querySelectorAll<HTMLTextAreaElement>('.request-headers')) {
      if (each === field) continue
      each.value = lines
      // Its form shows them too.
      each.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
}

/**
 * Returns the headers of a request.
 *
 * @throws Error for an invalid line
 */
export function headersFor(contentType: string): Headers {
  const headers = new Headers({ 'Content-Type': contentType })
  for (const line of lines.split('\n')) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    if (colon < 1) throw new Error(`A header is written as Name: value, not as ${JSON.stringify(line)}`)
    const name = line.slice(0, colon).trim()
    headers.set(name, encodeBasic(name, line.slice(colon + 1).trim()))
  }
  return headers
}

/** The same while the user types: an incomplete line has no header. */
export function headersSoFar(contentType: string): Headers {
  try {
    return headersFor(contentType)
  } catch {
    return new Headers({ 'Content-Type': contentType })
  }
}

/** `Basic user:password` as RFC 7617 has it; base64 has no colon. */
function encodeBasic(name: string, value: string): string {
  const pair = /^authorization$/i.test(name) ? /^basic\s+(.*:.*)$/i.exec(value)?.[1] : undefined
  if (pair === undefined) return value
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(pair)))}`
}
