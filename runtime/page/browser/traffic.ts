import { copyButton } from './copy.js'
import { button, make } from './dom.js'
import { prettyBody, type Received, shorten, summaryOfResponse } from './response.js'

/** Shows request and response. */
export interface Traffic {
  readonly element: HTMLElement
  showRequest(head: string, body: string): void
  showResponse(response: Received): void
  /** Instead of a response. */
  showProblem(text: string): void
}

/** Makes it. */
export function createTraffic(): Traffic {
  const request = createPane('Request', 'the request')
  const response = createPane('Response', 'the response')
  const verdict = make('p', { class: 'verdict', role: 'status' })
  let raw = false
  let last: Received | undefined
  const toggle = button('Raw', () => {
    raw = !raw
    if (last) show(last)
  })
  toggle.hidden = true
  response.head.insertBefore(toggle, response.copy)
  response.copy.hidden = true
  response.element.insertBefore(verdict, response.pre)
  response.pre.hidden = true

  function show(given: Received) {
    last = given
    toggle.hidden = false
    response.copy.hidden = false
    toggle.setAttribute('aria-pressed', String(raw))
    response.pre.hidden = false
    response.show(`HTTP ${given.status}\n${given.headers}`, raw ? given.body : prettyBody(given.body), given.body)
  }

  return {
    element: make('div', { class: 'traffic' }, request.element, response.element),
    showRequest: (head, body) => request.show(head, body, body),
    showResponse(given) {
      const { text, failed } = summaryOfResponse(given)
      const size = new TextEncoder().encode(given.body).length
      verdict.className = failed ? 'verdict failed' : 'verdict'
      verdict.textContent = `${text} · HTTP ${given.status} · ${given.milliseconds} ms · ${size} bytes`
      show(given)
    },
    showProblem(text) {
      verdict.className = 'verdict failed'
      verdict.textContent = text
      last = undefined
      toggle.hidden = true
      response.copy.hidden = true
      response.pre.hidden = true
    },
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
