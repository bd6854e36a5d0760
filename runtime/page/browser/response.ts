import { prettyJson, prettyXml } from '../xml.js'
import { button, copyButton, make, messageOf } from './dom.js'

// The request and the response as the reader sees them: what was sent, `200 OK · 3 ms · 42 bytes`, and the body, indented.

/** What the server sent. */
export interface Received {
  readonly status: string
  readonly headers: string
  readonly body: string
  readonly milliseconds: number
}

/** Sends a request to the endpoint. Rejects if there is no response. */
export function post(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<Response> {
  // Never sends a cookie to another origin, or a header to the target of a redirect.
  const init: RequestInit = { method: 'POST', headers, body, signal, credentials: 'same-origin', redirect: 'error' }
  return fetch(url, { ...init, cache: 'no-store', referrerPolicy: 'no-referrer' })
}

/** Reads a response to its end. `start`: when the request was sent. */
export async function receive(response: Response, start: number): Promise<Received> {
  const text = await response.text()
  return {
    status: `${response.status} ${response.statusText}`.trim(),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: text,
    milliseconds: Math.round(performance.now() - start),
  }
}

/** Describes a response in a few words and numbers; `failed` for errors. */
function summaryOfResponse(response: Received): { readonly text: string; readonly failed: boolean } {
  const { text, failed } = verdictOn(response)
  const size = new TextEncoder().encode(response.body).length
  return { text: `${text} · HTTP ${response.status} · ${response.milliseconds} ms · ${size} bytes`, failed }
}

function verdictOn({ body, status }: Received): { readonly text: string; readonly failed: boolean } {
  const failed = !status.startsWith('2')
  if (body === '') return { text: failed ? 'No body' : 'Done, without a result', failed }
  const error = body.trimStart().startsWith('<') ? xmlFault(body) : jsonError(body)
  if (error !== undefined) return { text: error, failed: true }
  return { text: failed ? 'Rejected' : 'Result', failed }
}

function jsonError(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body)
    return error && `Error ${error.code}: ${error.message}`
  } catch {
    return undefined
  }
}

function xmlFault(body: string): string | undefined {
  if (!body.includes('<fault>')) return undefined
  const member = (name: string) =>
    new RegExp(`<name>${name}</name>\\s*<value>\\s*(?:<\\w+>)?([^<]*)`).exec(body)?.[1] ?? ''
  return `Fault ${member('faultCode')}: ${decode(member('faultString'))}`
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** Returns a body with line breaks if it is JSON or XML. */
function prettyBody(body: string): string {
  return body.trimStart().startsWith('<') ? prettyXml(body) : prettyJson(body)
}

const most = 100_000

/** As much of a text as a page can show at once. */
export function shorten(text: string): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n… and ${text.length - most} more characters`
}

/** Shows a whole response. */
export function showReceived(traffic: Traffic, received: Received): void {
  const { text, failed } = summaryOfResponse(received)
  traffic.showVerdict(text, failed)
  const head = `HTTP ${received.status}\n${received.headers}`
  traffic.showBody({ head, body: received.body, pretty: prettyBody(received.body) })
}

/** Shows request and response. */
export interface Traffic {
  readonly element: HTMLElement
  showRequest(head: string, body: string): void
  /** How a request ended, in a few words. */
  showVerdict(text: string, failed: boolean): void
  /** What was received. */
  showBody(received: ReceivedBody): void
  /** Instead of a response. */
  showProblem(text: string): void
  /** Removes the response. */
  clear(): void
}

interface ReceivedBody {
  readonly head: string
  readonly body: string
  /** The body for readers. */
  readonly pretty: string
}

/** Creates the panes of a request and its response; `title` is that of the second. */
export function createTraffic(title: 'Response' | 'Items'): Traffic {
  const request = createPane('Request', 'the request')
  const response = createPane(title, `the ${title.toLowerCase()}`)
  const verdict = make('p', { class: 'verdict', role: 'status' })
  let raw = false
  let last: ReceivedBody | undefined
  const toggle = button('Raw', () => {
    raw = !raw
    showBody(last)
  })
  response.head.insertBefore(toggle, response.copy)
  response.element.insertBefore(verdict, response.pre)
  showBody(undefined)
  return {
    element: make('div', { class: 'traffic' }, request.element, response.element),
    showRequest: (head, body) => request.show(head, body, body),
    showVerdict,
    showBody,
    showProblem(text) {
      showBody(undefined)
      showVerdict(text, true)
    },
    clear() {
      showBody(undefined)
      showVerdict('', false)
    },
  }

  function showVerdict(text: string, failed: boolean): void {
    verdict.className = failed ? 'verdict failed' : 'verdict'
    verdict.textContent = text
  }

  function showBody(received: ReceivedBody | undefined): void {
    last = received
    for (const each of [toggle, response.copy, response.pre]) each.hidden = !received
    toggle.setAttribute('aria-pressed', String(raw))
    if (received) response.show(received.head, raw ? received.body : received.pretty, received.body)
  }
}

/** Returns the result of an action. An error is shown instead of a response. */
export function attempt<Value>(traffic: Traffic, act: () => Value): Value | undefined {
  try {
    return act()
  } catch (error) {
    traffic.showProblem(messageOf(error))
    return undefined
  }
}

function createPane(title: string, what: string) {
  let copied = ''
  const headers = make('span', { class: 'headers' })
  const body = make('span', {})
  const pre = make(
    'pre',
    { tabindex: '0', role: 'group', 'aria-label': `${title} as text` },
    make('code', {}, headers, body),
  )
  const copy = copyButton(what, () => copied)
  const head = make('div', { class: 'head' }, make('h4', {}, title), copy)
  const show = (headText: string, shown: string, whole: string) => {
    copied = whole
    headers.textContent = `${headText}\n\n`
    body.textContent = shorten(shown)
  }
  const element = make('div', { class: 'pane', role: 'group', 'aria-label': title }, head, pre)
  return { element, head, copy, pre, show }
}
