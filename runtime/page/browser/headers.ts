// The headers of every call from the page: `Authorization: Bearer …`, which the reader enters as text, or as credentials.
import { freshId, make } from './dom.js'

/** The field for headers as text, which all forms of the page share. */
export function headersField(): HTMLElement {
  const id = freshId()
  const field = make('textarea', {
    id,
    class: 'request-headers mono',
    rows: '2',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'Authorization: Bearer …',
    'aria-describedby': `${id}.hint`,
  })
  field.value = lines
  field.addEventListener('input', () => {
    if (lines !== field.value) setLines(field.value)
  })
  const hint =
    'One a line, sent with every call from this page, shown in its code and never stored. Basic user:password is encoded for you.'
  return make(
    'details',
    { class: 'expand' },
    make('summary', {}, 'Headers'),
    make('label', { for: id, class: 'unseen' }, 'Headers'),
    field,
    make('p', { class: 'hint', id: `${id}.hint` }, hint),
  )
}

/** Headers that the reader entered, for every call of this page. They are not stored. */
let lines = ''

/** All fields have the same text. */
function setLines(text: string): void {
  lines = text
  for (const each of document.querySelectorAll<HTMLTextAreaElement>('.request-headers')) {
    if (each.value === lines) continue
    each.value = lines
    // Its form shows them too.
    each.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** The forms for credentials, each of which is one header of every call. */
export function startCredentials(): void {
  const forms = Array.from(document.querySelectorAll<HTMLFormElement>('.authorize form'))
  for (const form of forms) {
    const { header = '', prefix } = form.dataset
    const isSame = (name?: string) => name?.trim().toLowerCase() === header.toLowerCase()
    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('input', () => {
      const values = Array.from(form.querySelectorAll('input'), ({ value }) => value)
      for (const other of forms) if (other !== form && isSame(other.dataset['header'])) other.reset()
      const isOther = (line: string) => !isSame(line.split(':')[0])
      const others = lines.split('\n').filter((line) => line !== '' && isOther(line))
      const own = values.some((value) => value !== '') ? [`${header}: ${prefix}${values.join(':')}`] : []
      setLines([...others, ...own].join('\n'))
    })
  }
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
