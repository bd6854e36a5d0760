// The form below a procedure: its parameters, how the call is made, and what came back. A call is one request to the endpoint; a subscription
// is a request whose response is a stream of events, or opens the WebSocket of the page, and shows items until the reader ends it.
import { isJsonObject } from '../../description/described-types.js'
import { isCallableBy } from '../../description/description.js'
import type { ProtocolName } from '../../protocols.js'
import type { CallData } from '../data.js'
import { button, make, messageOf, type Page, parseJson } from './dom.js'
import { advanceId, createInputs, type RpcRequest } from './form.js'
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
  const sending =
    subscription && page.socket ? createSubscribing(page.socket, traffic) : createSending(page, traffic, subscription)
  let protocol: ProtocolName | undefined
  const fields = make('div', { class: 'inputs' }, ...inputs.elements, sending.element)
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
    sending.start(write)
  }

  function write(): RpcRequest | undefined {
    return attempt(traffic, inputs.request)
  }

  /** The request, and the code that sends it, updated while the reader types. */
  function preview(): void {
    const wanted = inputs.protocol()
    // A response in one protocol is not one to a request in another.
    if (wanted !== protocol) {
      sending.cancel()
      traffic.clear()
    }
    protocol = wanted
    const request = write()
    if (!request) return
    const headers = headersSoFar(request.contentType)
    // Before `headOf` adds headers that the code has on its own.
    const { 'content-type': _, ...more } = Object.fromEntries(headers)
    traffic.showRequest(sending.headOf(headers), request.body)
    if (request.params && request.body.length <= MAX_REQUEST) showCode(request.params, more)
  }
}

/** The most characters of a request whose code is shown. */
const MAX_REQUEST = 20_000

/** Sends one request after the other. */
interface Sending {
  /** The buttons, and the address. */
  readonly element: HTMLElement
  /** The lines above the body of a request. */
  headOf(headers: Headers): string
  /** Sends the request of `write`, unless one is being sent. */
  start(write: () => RpcRequest | undefined): void
  /** Stops the request that is being sent. */
  cancel(): void
}

/** The buttons below a form. */
function sendingActions(label: string, address: string, onStop: () => void) {
  const stop = button('Stop', onStop, { hidden: true })
  const submit = make('button', { type: 'submit', class: 'send' }, label)
  const target = make('span', { class: 'hint' }, address)
  return { element: make('div', { class: 'actions' }, submit, stop, target), stop }
}

/** Sends requests over HTTP; `traffic` shows them and the responses: of a subscription the items of the stream, as they come. */
function createSending({ url }: Page, traffic: Traffic, isStream = false): Sending {
  let pending: AbortController | undefined
  const cancel = () => pending?.abort()
  const { element, stop } = sendingActions(isStream ? 'Subscribe' : 'Send', `POST ${url}`, cancel)
  return { element, headOf, start: (write) => void start(write), cancel }

  async function start(write: () => RpcRequest | undefined): Promise<void> {
    const request = write()
    const headers = request && attempt(traffic, () => headersFor(request.contentType))
    if (!request || !headers || pending) return
    pending = new AbortController()
    stop.hidden = false
    traffic.showRequest(headOf(headers), request.body)
    await transfer(request.body, headers, pending.signal).catch((error: unknown) => {
      const text = pending?.signal.aborted ? 'Stopped' : `No response: ${messageOf(error)}`
      // The items stay.
      if (isStream) traffic.showVerdict(text, text !== 'Stopped')
      else traffic.showProblem(text)
    })
    cancel()
    stop.hidden = true
    pending = undefined
    advanceId()
  }

  async function transfer(body: string, headers: Headers, signal: AbortSignal): Promise<void> {
    const sentAt = performance.now()
    if (isStream) traffic.clear()
    const response = await post(url, headers, body, signal)
    if (!response.body || !response.headers.get('Content-Type')?.startsWith(eventsType)) {
      return showResponse(traffic, response, sentAt)
    }
    await showStream(response.body, (parseJson(body) as { readonly id?: unknown } | undefined)?.id, traffic)
  }

  function headOf(headers: Headers): string {
    if (isStream) headers.set('Accept', eventsType)
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    return `POST ${new URL(url).pathname}\n${lines.join('\n')}`
  }
}

const eventsType = 'text/event-stream'

/** Shows the items of a stream as they come. `id`: that of its request. */
async function showStream(stream: ReadableStream<Uint8Array>, id: unknown, traffic: Traffic): Promise<void> {
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
      if (ending) return traffic.showVerdict(ending.text, ending.failed)
    }
  }
  traffic.showVerdict('The connection was closed', true)
}

/** The items that are shown at once. */
const MAX_ITEMS = 500

/** Opens the WebSocket of the page for one subscription after the other, and shows the items. */
function createSubscribing(url: string, traffic: Traffic): Sending {
  let socket: WebSocket | undefined
  const { element, stop } = sendingActions('Subscribe', `WebSocket ${url}`, () => end('Stopped'))
  return { element, headOf: () => `WebSocket ${url}`, start, cancel: () => end('Stopped') }

  function start(write: () => { readonly body: string } | undefined): void {
    const request = write()
    if (!request || socket) return
    traffic.clear()
    try {
      socket = new WebSocket(url)
    } catch (error) {
      traffic.showProblem(messageOf(error))
      return
    }
    stop.hidden = false
    listenTo(socket, request.body)
    advanceId()
  }

  function listenTo(opened: WebSocket, body: string): void {
    const log = createLog(traffic)
    let problem = `No WebSocket at ${url}`
    opened.onopen = () => {
      problem = 'The connection was closed'
      opened.send(body)
    }
    opened.onmessage = (event) => {
      const ending = log.add(String(event.data))
      if (ending) end(ending.text, ending.failed)
    }
    opened.onclose = ({ reason }) => {
      if (opened === socket) end(reason === '' ? problem : `${problem}: ${reason}`, true)
    }
  }

  /** Without a connection the server ends the subscription. */
  function end(text: string, failed = false): void {
    if (!socket) return
    const closed = socket
    socket = undefined
    closed.close()
    stop.hidden = true
    traffic.showVerdict(text, failed)
  }
}

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
