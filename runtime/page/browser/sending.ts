import { button, make } from './dom.js'
import { headersFor } from './headers.js'
import type { Page } from './page.js'
import { nextId, type RpcRequest } from './request.js'
import { send } from './response.js'
import type { Traffic } from './traffic.js'

/** Sends one request after the other. */
export interface Sending {
  /** The buttons, and the address. */
  readonly element: HTMLElement
  /** Sends the request of `write`, unless one is being sent. */
  start(write: () => RpcRequest | undefined): Promise<void>
}

/** Creates it; `traffic` shows requests and responses. */
export function createSending(page: Page, traffic: Traffic): Sending {
  let pending: AbortController | undefined
  const stop = button('Stop', () => pending?.abort(), { hidden: true })
  const submit = make('button', { type: 'submit', class: 'send' }, 'Send')
  const target = make('span', { class: 'hint' }, `POST ${page.url}`)
  return {
    element: make('div', { class: 'actions' }, submit, stop, target),
    async start(write) {
      const request = write()
      const headers = request && attempt(traffic, () => headersFor(request.contentType))
      if (!request || !headers || pending) return
      pending = new AbortController()
      stop.hidden = false
      await transfer(request, headers, pending.signal)
      stop.hidden = true
      pending = undefined
      nextId()
    },
  }

  async function transfer({ body }: RpcRequest, headers: Headers, signal: AbortSignal): Promise<void> {
    traffic.showRequest(headOf(page, headers), body)
    try {
      traffic.showResponse(await send(page.url, headers, body, signal))
    } catch (error) {
      traffic.showProblem(signal.aborted ? 'Stopped' : `No response: ${messageOf(error)}`)
    }
  }
}

/** The lines above the body of a request. */
export function headOf({ url }: Page, headers: Headers): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
  return `POST ${new URL(url).pathname}\n${lines.join('\n')}`
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
