import { messageOf } from './actions.js'
import { copyButton } from './copy.js'
import { button, make } from './dom.js'
import { shorten } from './response.js'

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

/** Makes it; `title` is that of the response. */
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
