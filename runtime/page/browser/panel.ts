import type { ProtocolName } from '../../protocols.js'
import { isJsonObject } from '../../schema/described-types.js'
import { isCallableBy } from '../../schema/description.js'
import type { CallData } from '../data.js'
import type { Code } from './code.js'
import { button, make, messageOf } from './dom.js'
import { createInputs, headersFor, headersSoFar } from './form.js'
import type { Page } from './page.js'
import { nextId, type RpcRequest, writeRequest } from './request.js'
import { attempt, createTraffic, prettyBody, send, summaryOfResponse, type Traffic } from './response.js'

// The form below a procedure: its parameters, how the call is made, and what came back. A call is one request to the endpoint; a subscription
// opens the WebSocket, and shows items until the reader ends it.

/** The form that calls a procedure, with the request and the response. */
export function createPanel(call: CallData, page: Page, code: Code): HTMLElement {
  const { subscription = false } = call
  const protocols = subscription ? (['json-rpc'] as const) : page.protocols.filter((each) => isCallableBy(each, call))
  const inputs = createInputs(call, page, protocols, preview)
  const traffic = createTraffic(subscription ? 'Items' : 'Response')
  const sending = (subscription ? createSubscribing : createSending)(page, traffic)
  let protocol: ProtocolName | undefined
  const fields = make('div', { class: 'inputs' }, ...inputs.elements, sending.element)
  const form = make(
    'form',
    { class: 'panel', novalidate: true, input: preview, change: preview },
    fields,
    traffic.element,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    sending.start(write)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    sending.start(write)
  })
  preview()
  return form

  function write(): RpcRequest | undefined {
    return attempt(traffic, () => writeRequest(call, inputs.draft(), page))
  }

  /** The request, and the code that sends it, updated while the reader types. */
  function preview(): void {
    const { raw, params, protocol: wanted } = inputs.draft()
    // A response in one protocol is not one to a request in another.
    if (wanted !== protocol) {
      sending.cancel()
      traffic.clear()
    }
    protocol = wanted
    const request = write()
    if (!request) return
    const headers = headersSoFar(request.contentType)
    traffic.showRequest(sending.headOf(headers), request.body)
    if (raw !== undefined || !Array.isArray(params) || request.body.length > longest) return
    const { 'content-type': _, ...more } = Object.fromEntries(headers)
    code.show(params, more)
  }
}

/** Code for larger requests is not useful. */
const longest = 20_000

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

/** Sends requests over HTTP; `traffic` shows them and the responses. */
function createSending({ url }: Page, traffic: Traffic): Sending {
  let pending: AbortController | undefined
  const cancel = () => pending?.abort()
  const { element, stop } = sendingActions('Send', `POST ${url}`, cancel)
  return { element, headOf, start: (write) => void start(write), cancel }

  async function start(write: () => RpcRequest | undefined): Promise<void> {
    const request = write()
    const headers = request && attempt(traffic, () => headersFor(request.contentType))
    if (!request || !headers || pending) return
    pending = new AbortController()
    stop.hidden = false
    await transfer(request, headers, pending.signal)
    stop.hidden = true
    pending = undefined
    nextId()
  }

  async function transfer({ body }: RpcRequest, headers: Headers, signal: AbortSignal): Promise<void> {
    traffic.showRequest(headOf(headers), body)
    try {
      const received = await send(url, headers, body, signal)
      const { text, failed } = summaryOfResponse(received)
      traffic.showVerdict(text, failed)
      const head = `HTTP ${received.status}\n${received.headers}`
      traffic.showBody({ head, body: received.body, pretty: prettyBody(received.body) })
    } catch (error) {
      traffic.showProblem(signal.aborted ? 'Stopped' : `No response: ${messageOf(error)}`)
    }
  }

  function headOf(headers: Headers): string {
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    return `POST ${new URL(url).pathname}\n${lines.join('\n')}`
  }
}

/** The items that are shown at once. */
const MAX_ITEMS = 500

/** Opens a WebSocket for one subscription after the other, and shows the items. */
function createSubscribing({ socket: url }: Page, traffic: Traffic): Sending {
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
    receive(socket, request.body)
    nextId()
  }

  function receive(opened: WebSocket, body: string): void {
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

interface Ending {
  readonly text: string
  readonly failed: boolean
}

/** What was received over one connection: the items, and as messages. */
function createLog(traffic: Traffic) {
  const messages: string[] = []
  const items: string[] = []
  let id: unknown
  let count = 0
  let frame = 0
  return { add }

  /** Adds a message; returns how the subscription has ended, if it has. */
  function add(text: string): Ending | undefined {
    messages.push(text)
    const ending = read(parse(text))
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

  function read(message: unknown): Ending | undefined {
    if (!isJsonObject(message)) return undefined
    const { method, params, result } = message
    if (method === undefined) {
      id = result
      if (result !== undefined) traffic.showVerdict('Subscribed', false)
      return errorIn(message)
    }
    if (!isJsonObject(params) || params['subscription'] !== id) return undefined
    if ('result' in params) {
      count += 1
      items.push(JSON.stringify(params['result']))
    }
    return params['done'] === true ? { text: 'Ended by the server', failed: false } : errorIn(params)
  }
}

function errorIn({ error }: Readonly<Record<string, unknown>>): Ending | undefined {
  return isJsonObject(error) ? { text: `Error ${error['code']}: ${error['message']}`, failed: true } : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
