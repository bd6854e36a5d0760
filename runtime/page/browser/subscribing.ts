import { isJsonObject } from '../../schema/described-types.js'
import { messageOf, type Sending, sendingActions } from './actions.js'
import type { Page } from './page.js'
import { nextId } from './request.js'
import type { Traffic } from './traffic.js'

/** The items that are shown at once. */
const MAX_ITEMS = 500

/** Opens a WebSocket for one subscription after the other, and shows the items. */
export function createSubscribing({ socket: url }: Page, traffic: Traffic): Sending {
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
