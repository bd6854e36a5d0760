import { type Answer, prettyBody, shorten, verdictOf } from './answer.js'
import { copyButton } from './copy.js'
import { button, make } from './dom.js'

/** Shows request and response. */
export interface Traffic {
  readonly element: HTMLElement
  showRequest(head: string, body: string): void
  showAnswer(answer: Answer): void
  /** Instead of a response. */
  showProblem(text: string): void
}

/** Makes it. */
export function createTraffic(): Traffic {
  const request = createPane('Request', 'the request')
  const answer = createPane('Answer', 'the answer')
  const verdict = make('p', { class: 'verdict', role: 'status' })
  let raw = false
  let last: Answer | undefined
  const toggle = button('Raw', () => {
    raw = !raw
    if (last) show(last)
  })
  toggle.hidden = true
  answer.head.insertBefore(toggle, answer.copy)
  answer.copy.hidden = true
  answer.element.insertBefore(verdict, answer.pre)
  answer.pre.hidden = true

  function show(given: Answer) {
    last = given
    toggle.hidden = false
    answer.copy.hidden = false
    toggle.setAttribute('aria-pressed', String(raw))
    answer.pre.hidden = false
    answer.show(`HTTP ${given.status}\n${given.headers}`, raw ? given.body : prettyBody(given.body), given.body)
  }

  return {
    element: make('div', { class: 'traffic' }, request.element, answer.element),
    showRequest: (head, body) => request.show(head, body, body),
    showAnswer(given) {
      const { text, failed } = verdictOf(given)
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
      answer.copy.hidden = true
      answer.pre.hidden = true
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
