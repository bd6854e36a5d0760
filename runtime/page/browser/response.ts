// The request and the response as the reader sees them: what was sent, `200 OK · 3 ms · 42 bytes`, and the body, indented.
import { isJsonObject } from '../../description/described-types.js'
import { prettyXml } from '../code/xml.js'
import { button, copyButton, make, messageOf, parseJson } from './dom.js'

/** Sends a request to the endpoint. Rejects if there is no response. */
export function post(url: string, headers: Headers, body: string, signal: AbortSignal): Promise<Response> {
  // Never sends a cookie to another origin, or a header to the target of a redirect.
  const init: RequestInit = { method: 'POST', headers, body, signal, credentials: 'same-origin', redirect: 'error' }
  return fetch(url, { ...init, cache: 'no-store', referrerPolicy: 'no-referrer' })
}

/** Reads a response to its end and shows it. `start`: when the request was sent. */
export async function showResponse(traffic: Traffic, response: Response, start: number): Promise<void> {
  const body = await response.text()
  const milliseconds = Math.round(performance.now() - start)
  const status = `HTTP ${response.status} ${response.statusText}`.trim()
  const size = new TextEncoder().encode(body).length
  const { text, failed } = verdictOn(body, !response.ok)
  traffic.showVerdict(`${text} · ${status} · ${milliseconds} ms · ${size} bytes`, failed)
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  const isXml = body.trimStart().startsWith('<')
  const pretty = isXml ? prettyXml(body) : prettyJson(body)
  traffic.showBody({ head: [status, ...headers].join('\n'), body, pretty })
}

/** Returns JSON with line breaks; numbers and texts are unchanged. Any other text is returned unchanged. */
export function prettyJson(text: string): string {
  if (parseJson(text) === undefined) return text
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replace(/("(?:[^"\\]|\\.)*")|([[{])\s*([\]}])?|([\]}])|,|:|\s+/g, (each, string, open, empty, close) => {
    if (string !== undefined) return string
    if (open !== undefined) {
      if (empty !== undefined) return open + empty
      depth++
      return open + line()
    }
    if (close !== undefined) {
      depth--
      return line() + close
    }
    if (each === ',') return `,${line()}`
    return each === ':' ? ': ' : ''
  })
}

/** How a request ended, in a few words. */
export interface Verdict {
  readonly text: string
  readonly failed: boolean
}

function verdictOn(body: string, failed: boolean): Verdict {
  if (body === '') return { text: failed ? 'No body' : 'Done, without a result', failed }
  const error = body.trimStart().startsWith('<') ? xmlFault(body) : errorIn(parseJson(body))
  return error ?? { text: failed ? 'Rejected' : 'Result', failed }
}

/** The error of a message. */
export function errorIn(message: unknown): Verdict | undefined {
  const error = isJsonObject(message) ? message['error'] : undefined
  return isJsonObject(error) ? { text: `Error ${error['code']}: ${error['message']}`, failed: true } : undefined
}

function xmlFault(body: string): Verdict | undefined {
  if (!body.includes('<fault>')) return undefined
  const member = (name: string) =>
    new RegExp(`<name>${name}</name>\\s*<value>\\s*(?:<\\w+>)?([^<]*)`).exec(body)?.[1] ?? ''
  return { text: `Fault ${member('faultCode')}: ${decode(member('faultString'))}`, failed: true }
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/** The most characters of a body that are shown. */
const MAX_SHOWN = 100_000

function shorten(text: string): string {
  return text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}\n… and ${text.length - MAX_SHOWN} more characters`
}

/** Shows request and response. */
export type Traffic = ReturnType<typeof createTraffic>

interface ReceivedBody {
  readonly head: string
  readonly body: string
  /** The body for readers. */
  readonly pretty: string
}

/** Creates the panes of a request and its response; `title` is that of the second. */
export function createTraffic(title: 'Response' | 'Items') {
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
    showRequest: (head: string, body: string) => request.show(head, body, body),
    showVerdict,
    showBody,
    /** Removes the response. */
    clear() {
      showBody(undefined)
      showVerdict('', false)
    },
  }

  /** How a request ended, in a few words. */
  function showVerdict(text: string, failed: boolean): void {
    verdict.className = failed ? 'verdict failed' : 'verdict'
    verdict.textContent = text
  }

  /** What was received. */
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
    traffic.clear()
    traffic.showVerdict(messageOf(error), true)
    return undefined
  }
}

function createPane(title: string, what: string) {
  let copied = ''
  const headers = make('span', { class: 'headers' })
  const body = make('span', {})
  const code = make('code', {}, headers, body)
  const pre = make('pre', { tabindex: '0', role: 'group', 'aria-label': `${title} as text` }, code)
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
