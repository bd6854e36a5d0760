import { isCallableBy } from '../../schema/description.js'
import { samplesOf } from '../code/index.js'
import type { CallData } from '../data.js'
import { showCode } from './code.js'
import { make } from './dom.js'
import { headersSoFar } from './headers.js'
import { createInputs } from './inputs.js'
import type { Page } from './page.js'
import { type RpcRequest, writeRequest } from './request.js'
import { attempt, createSending, headOf } from './sending.js'
import { createTraffic } from './traffic.js'

/** The form that calls a procedure, with the request and the response. */
export function createPanel(call: CallData, page: Page, article: Element): HTMLElement {
  const protocols = page.protocols.filter((each) => isCallableBy(each, call))
  const inputs = createInputs(call, page, protocols, preview)
  const traffic = createTraffic()
  const sending = createSending(page, traffic)
  const fields = make('div', { class: 'inputs' }, ...inputs.elements, sending.element)
  const form = make(
    'form',
    { class: 'panel', novalidate: true, input: preview, change: preview },
    fields,
    traffic.element,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void sending.start(write)
  })
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void sending.start(write)
  })
  preview()
  return form

  function write(): RpcRequest | undefined {
    return attempt(traffic, () => writeRequest(call, inputs.wish(), page))
  }

  /** The request, and the code that sends it, updated while the reader types. */
  function preview(): void {
    const request = write()
    if (!request) return
    const headers = headersSoFar(request.contentType)
    traffic.showRequest(headOf(page, headers), request.body)
    const { raw, params } = inputs.wish()
    if (raw !== undefined || !Array.isArray(params) || request.body.length > longest) return
    const { 'content-type': _, ...more } = Object.fromEntries(headers)
    showCode(article, samplesOf(call, params, { url: page.url, types: page.byName, protocols, headers: more }))
  }
}

/** Code for larger requests is not useful. */
const longest = 20_000
