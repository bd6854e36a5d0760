import { messageOf, type Sending, sendingActions } from './actions.js'
import { headersFor } from './headers.js'
import type { Page } from './page.js'
import { nextId, type RpcRequest } from './request.js'
import { prettyBody, send, summaryOfResponse } from './response.js'
import { attempt, type Traffic } from './traffic.js'

/** Sends requests over HTTP; `traffic` shows them and the responses. */
export function createSending({ url }: Page, traffic: Traffic): Sending {
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
