// The form below a procedure: its parameters, how the call is made, and what came back. A call is one request to the endpoint; a subscription
// is a request whose response is a stream of events, or opens the WebSocket of the page, and shows items until the reader ends it.
import { isJsonObject } from '../../description/described-types.js'
import { isCallableBy } from '../../description/description.js'
import type { ProtocolName } from '../../protocols.js'
import type { CallData } from '../data.js'
import { button, make, messageOf, type Page, parseJson } from './dom.js'
import { advanceId, createInputs, type FormRequest } from './form.js'
import { headersFor, headersSoFar } from './headers.js'
import { attempt, createTraffic, errorIn, post, showResponse, type Traffic, type Verdict } from './response.js'

/** Shows the code of a call with these values. */
export type ShowCode = (params: readonly unknown[], headers: Readonly<Record<string, string>>) => void

/** The form that calls a procedure, with the request and the response. */
export function createPanel(call: CallData, page: Page, showCode: ShowCode): HTMLElement {
  const { subscription = false } = call
  const protocols = subscription ? (['json-rpc'] as const) : page.protocols.filter((each) => isCallableBy(each, call))
  const inputs = createInputs(call, page, protocols, preview)
  const traffic = createTraffic(subscription ? 'Items' : 'Response')
  const transport =
    subscription && page.socket ? overWebSocket(page.socket, traffic) : overHttp(page.url, traffic, subscription)
  const sender = createSender(transport, traffic, subscription)
  let protocol: ProtocolName | undefined
  const fields = make('div', { class: 'inputs' }, ...inputs.elements, sender.element)
  const form = make('form', { class: 'panel', novalidate: true }, fields, traffic.element)
  for (const each of ['input', 'change']) form.addEventListener(each, preview)
  form.addEventListener('submit', send)
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
  })
  preview()
  return form

  function send(event: Event): void {
    event.preventDefault()
    void sender.start(write)
  }

  function write(): FormRequest | undefined {
    return attempt(traffic, inputs.request)
  }

  /** The request, and the code that sends it, updated while the reader types. */
  function preview(): void {
    const wanted = inputs.protocol()
    // A response in one protocol is not one to a request in another.
    if (wanted !== protocol) {
      sender.cancel()
      traffic.clear()
    }
    protocol = wanted
    const request = write()
    if (!request) return
    const headers = headersSoFar(request.contentType)
    // Before `headOf` adds headers that the code has on its own.
    const { 'content-type': _, ...more } = Object.fromEntries(headers)
    traffic.showRequest(transport.headOf(headers), request.body)
    if (request.params && request.body.length <= MAX_REQUEST) showCode(request.params, more)
  }
}

/** The most characters of a request whose code is shown. */
const MAX_REQUEST = 20_000

/** How requests are sent. */
interface Transport {
  /** The label of the button that sends a request, and the address beside it. */
  readonly label: string
  readonly address: string
  /** The lines above the body of a request. */
  headOf(headers: Headers): string
  /** Sends a request and shows what is received. Resolves to how it has ended, unless that is shown already. */
  send(request: FormRequest, signal: AbortSignal): Promise<Verdict | undefined>
}

/** The buttons below a form, which send one request after the other. */
function createSender({ label, address, send }: Transport, traffic: Traffic, isSubscription: boolean) {
  let pending: AbortController | undefined
  const cancel = () => pending?.abort()
  const submit = make('button', { type: 'submit', class: 'send' }, label)
  const stop = button('Stop', cancel, { hidden: true })
  const target = make('span', { class: 'hint' }, address)
  return { element: make('div', { class: 'actions' }, submit, stop, target), start, cancel }

  /** Sends the request of `write`, unless one is being sent. */
  async function start(write: () => FormRequest | undefined): Promise<void> {
    const request = write()
    if (!request || pending) return
    pending = new AbortController()
    const { signal } = pending
    stop.hidden = false
    if (isSubscription) traffic.clear()
    const verdict = await send(request, signal).catch((error: unknown): Verdict => {
      // The items stay.
      if (!isSubscription) traffic.clear()
      const isStopped = signal.aborted
      return { text: isStopped ? 'Stopped' : messageOf(error), failed: !isSubscription || !isStopped }
    })
    if (verdict) traffic.showVerdict(verdict.text, verdict.failed)
    cancel()
    stop.hidden = true
    pending = undefined
    advanceId()
  }
}

/** Sends requests over HTTP; the response to one that subscribes is a stream of events. */
function overHttp(url: string, traffic: Traffic, isStream: boolean): Transport {
  return { label: isStream ? 'Subscribe' : 'Send', address: `POST ${url}`, headOf, send }

  async function send({ contentType, body }: FormRequest, signal: AbortSignal): Promise<Verdict | undefined> {
    const headers = headersFor(contentType)
    traffic.showRequest(headOf(headers), body)
    const sentAt = performance.now()
    try {
      const response = await post(url, headers, body, signal)
      if (response.body && response.headers.get('Content-Type')?.startsWith(eventsType)) {
        const id = (parseJson(body) as { readonly id?: unknown } | undefined)?.id
        return await showStream(response.body, id, traffic)
      }
      await showResponse(traffic, response, sentAt)
      return undefined
    } catch (error) {
      throw new Error(`No response: ${messageOf(error)}`)
    }
  }

  function headOf(headers: Headers): string {
    if (isStream) headers.set('Accept', eventsType)
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    return `POST ${new URL(url).pathname}\n${lines.join('\n')}`
  }
}

const eventsType = 'text/event-stream'

/** Shows the items of a stream as they come. `id`: that of its request. */
async function showStream(stream: ReadableStream<Uint8Array>, id: unknown, traffic: Traffic): Promise<Verdict> {
  traffic.showVerdict('Subscribed', false)
  const log = createLog(traffic, id)
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += decoder.decode(next.value, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      // The form of this server: a message is one line.
      const ending = line.startsWith('data') && log.add(line.slice(6))
      if (ending) return ending
    }
  }
  return { text: 'The connection was closed', failed: true }
}

/** Opens the WebSocket of the page for each request, and shows the items. */
function overWebSocket(url: string, traffic: Traffic): Transport {
  const address = `WebSocket ${url}`
  return { label: 'Subscribe', address, headOf: () => address, send }

  function send({ body }: FormRequest, signal: AbortSignal): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url)
      const log = createLog(traffic)
      let problem = `No WebSocket at ${url}`
      // Without a connection the server ends the subscription.
      signal.addEventListener('abort', () => {
        socket.close()
        reject(signal.reason)
      })
      socket.onopen = () => {
        problem = 'The connection was closed'
        socket.send(body)
      }
      socket.onmessage = (event) => {
        const ending = log.add(String(event.data))
        if (ending) resolve(ending)
      }
      socket.onclose = ({ reason }) => {
        resolve({ text: reason === '' ? problem : `${problem}: ${reason}`, failed: true })
      }
    })
  }
}

/** The items that are shown at once. */
const MAX_ITEMS = 500

const ended: Verdict = { text: 'Ended by the server', failed: false }

/** What was received over one connection: the items, and as messages. `streamId`: the id of a stream over HTTP, which ends with its response. */
function createLog(traffic: Traffic, streamId?: unknown) {
  const messages: string[] = []
  const items: string[] = []
  let id = streamId
  let count = 0
  let frame = 0
  return { add }

  /** Adds a message; returns how the subscription has ended, if it has. */
  function add(text: string): Verdict | undefined {
    messages.push(text)
    const ending = read(parseJson(text))
    messages.splice(0, messages.length - MAX_ITEMS)
    items.splice(0, items.length - MAX_ITEMS)
    // At most once for each picture that the browser shows.
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(show)
    return ending
  }

  function show(): void {
    const head = `${count} ${count === 1 ? 'item' : 'items'}`
    const left = count > items.length ? `, the last ${items.length} of them` : ''
    traffic.showBody({ head: head + left, body: messages.join('\n'), pretty: items.join('\n') })
  }

  function read(message: unknown): Verdict | undefined {
    if (!isJsonObject(message)) return undefined
    const { method, params, result } = message
    if (method === undefined) {
      if (streamId !== undefined) return errorIn(message) ?? ended
      id = result
      if (result !== undefined) traffic.showVerdict('Subscribed', false)
      return errorIn(message)
    }
    if (!isJsonObject(params) || params['subscription'] !== id) return undefined
    if ('result' in params) {
      count += 1
      items.push(JSON.stringify(params['result']))
    }
    return params['done'] === true ? ended : errorIn(params)
  }
}
