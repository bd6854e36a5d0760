import type { ProtocolName } from '../../protocol.js'
import { isCallableBy } from '../../schema/description.js'
import type { CallData } from '../data.js'
import type { Code } from './code.js'
import { make } from './dom.js'
import { headersSoFar } from './headers.js'
import { createInputs } from './inputs.js'
import type { Page } from './page.js'
import { type RpcRequest, writeRequest } from './request.js'
import { createSending } from './sending.js'
import { createSubscribing } from './subscribing.js'
import { attempt, createTraffic } from './traffic.js'

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
    return attempt(traffic, () => writeRequest(call, inputs.wish(), page))
  }

  /** The request, and the code that sends it, updated while the reader types. */
  function preview(): void {
    const { raw, params, protocol: wanted } = inputs.wish()
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
