import type { ProtocolName } from '../../protocols.js'
import { jsonStyle, print } from '../code/print.js'
import { type CallData, protocolTitles } from '../data.js'
import { button, createChoice, freshId, make } from './dom.js'
import { createArguments } from './fields.js'
import type { Page } from './page.js'
import type { RequestDraft } from './request.js'

// What the reader chooses for a call: the parameters as fields or as JSON, the protocol, by name or by position, and headers such as
// `Authorization: Bearer …`, which all forms of the page share.

/** The input of a reader for a call. */
interface Inputs {
  readonly elements: readonly HTMLElement[]
  draft(): RequestDraft
}

/** Creates the form of a call, filled with the first example or a sample. `onFill`: called when a reader fills it with another example. */
export function createInputs(
  call: CallData,
  page: Page,
  protocols: readonly ProtocolName[],
  onFill: () => void,
): Inputs {
  const form = createArguments(call.params, page.byName)
  const raw = make('textarea', {
    class: 'raw mono',
    rows: '8',
    spellcheck: 'false',
    'aria-label': 'Parameters as JSON',
  })
  const slot = make('div', {}, form.element)
  const onExample = (values: readonly unknown[]) => {
    fill(values)
    onFill()
  }
  const options = createOptions(call, protocols, { onMode, onExample })
  fill(call.sample)
  // A browser cannot set the headers of a WebSocket.
  return { elements: [options.element, slot, ...(call.subscription && page.socket ? [] : [options.headers])], draft }

  function fill(values: readonly unknown[]): void {
    form.fill(values)
    raw.value = print(values, jsonStyle, 60)
  }

  function draft(): RequestDraft {
    const { protocol, named, notify, asText } = options.read()
    const params = named && !call.paramsObject ? form.named() : form.list()
    return { protocol, notify, params, ...(asText ? { raw: raw.value } : {}) }
  }

  /** Converts the form to JSON and back. A value that is not a list of arguments leaves the form unchanged. */
  function onMode(asText: boolean): void {
    if (asText) raw.value = print(draft().params, jsonStyle, 60)
    else fillFrom(raw.value)
    slot.replaceChildren(asText ? raw : form.element)
  }

  function fillFrom(text: string): void {
    try {
      const given: unknown = JSON.parse(text)
      form.fill(Array.isArray(given) ? given : call.params.map(({ name }) => (given as never)[name]))
    } catch {
      // The form keeps its values.
    }
  }
}

/** How a call is made. */
export interface Options {
  readonly element: HTMLElement
  readonly headers: HTMLElement
  read(): {
    readonly protocol: ProtocolName
    readonly named: boolean
    readonly notify: boolean
    readonly asText: boolean
  }
}

interface Listeners {
  readonly onMode: (asText: boolean) => void
  readonly onExample: (params: readonly unknown[]) => void
}

/** Makes the choices above the parameters, and the field for headers. */
function createOptions(call: CallData, protocols: readonly ProtocolName[], listeners: Listeners): Options {
  const protocol = createChoice(
    'Protocol',
    protocols.map((each) => [each, protocolTitles[each]]),
  )
  const order = createChoice('Parameters', [
    ['list', 'By position'],
    ['named', 'By name'],
  ])
  const mode = createChoice('Input', [
    ['form', 'Form'],
    ['text', 'JSON'],
  ])
  const notify = make('input', { type: 'checkbox' })
  const notification = make('label', { class: 'include' }, notify, ' As notification')
  const examples = exampleButtons(call, listeners)
  mode.element.addEventListener('change', () => listeners.onMode(mode.value() === 'text'))
  protocol.element.addEventListener('change', update)
  update()

  /** XML-RPC has neither named parameters nor notifications; a subscription needs the response. */
  function update() {
    const json = protocol.value() === 'json-rpc'
    order.element.hidden = !json
    notification.hidden = !json || call.subscription === true
  }

  return {
    element: make(
      'div',
      { class: 'options' },
      protocol.element,
      order.element,
      mode.element,
      notification,
      ...examples,
    ),
    headers: headersField(),
    read() {
      const json = protocol.value() === 'json-rpc'
      return {
        protocol: protocol.value() as ProtocolName,
        named: json && order.value() === 'named',
        notify: json && notify.checked,
        asText: mode.value() === 'text',
      }
    },
  }
}

function exampleButtons({ examples = [] }: CallData, { onExample }: Listeners): HTMLButtonElement[] {
  return examples.map(({ params = [], text }, index) =>
    button(`Example ${index + 1}`, () => onExample(params), { title: text }),
  )
}

function headersField(): HTMLElement {
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
  shareHeaders(field)
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

/** The field for them. All such fields have the same text. */
function shareHeaders(field: HTMLTextAreaElement): void {
  field.value = lines
  field.addEventListener('input', () => {
    if (lines !== field.value) setLines(field.value, field)
  })
}

/** `from` is the field that has them already. */
function setLines(text: string, from?: HTMLTextAreaElement): void {
  lines = text
  for (const each of document.querySelectorAll<HTMLTextAreaElement>('.request-headers')) {
    if (each === from) continue
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
