import { samplesOf } from '../code/index.js'
import { jsonStyle, print } from '../code/print.js'
import type { CallData } from '../data.js'
import { sampleCall } from '../sample.js'
import { send } from './answer.js'
import { createArguments } from './arguments.js'
import { showCode } from './code.js'
import { button, make } from './dom.js'
import { headersFor } from './headers.js'
import { createOptions } from './options.js'
import type { Page } from './page.js'
import { nextId, type RpcRequest, type Wish, writeRequest } from './request.js'
import { createTraffic } from './traffic.js'

/** The form that calls a procedure, with what was sent and what came back. */
export function createPanel(call: CallData, page: Page, article: Element): HTMLElement {
  const protocols = page.protocols.filter((each) => !call.protocols || call.protocols.includes(each))
  const form = createArguments(call.params, page.byName)
  const options = createOptions(call, protocols, { onMode: changeMode, onExample: fill })
  const raw = make('textarea', {
    class: 'raw mono',
    rows: '8',
    spellcheck: 'false',
    'aria-label': 'Parameters as JSON',
  })
  const slot = make('div', {}, form.element)
  const traffic = createTraffic()
  const stop = button('Stop', () => pending?.abort(), { hidden: true })
  const submit = make('button', { type: 'submit', class: 'send' }, 'Send')
  const target = make('span', { class: 'hint' }, `POST ${page.url}`)
  const actions = make('div', { class: 'actions' }, submit, stop, target)
  const inputs = make('div', { class: 'inputs' }, options.element, slot, options.headers, actions)
  let pending: AbortController | undefined

  fill(sampleCall(call, page.byName))
  return make(
    'form',
    { class: 'panel', novalidate: true, submit: onSubmit, input: preview, change: preview, keydown: onKey },
    inputs,
    traffic.element,
  )

  function fill(values: readonly unknown[]): void {
    form.fill(values)
    raw.value = print(values, jsonStyle, 60)
    preview()
  }

  function wish(): Wish {
    const { protocol, named, notify, asText } = options.read()
    const text = asText ? { raw: raw.value } : {}
    return { protocol, notify, params: named ? form.named() : form.list(), ...text }
  }

  /** From the form to JSON and back; what is no list of arguments leaves the form as it was. */
  function changeMode(asText: boolean): void {
    if (asText) raw.value = print(wish().params, jsonStyle, 60)
    else fillFrom(raw.value)
    slot.replaceChildren(asText ? raw : form.element)
  }

  function fillFrom(text: string): void {
    try {
      const given: unknown = JSON.parse(text)
      const values = Array.isArray(given) ? given : call.params.map(({ name }) => (given as never)[name])
      form.fill(values)
    } catch {
      // The form keeps what it had.
    }
  }

  function preview(): void {
    const request = attempt(() => writeRequest(call, wish(), page))
    if (!request) return
    traffic.showRequest(`POST ${new URL(page.url).pathname}\nContent-Type: ${request.contentType}`, request.body)
    const { raw: text, params } = wish()
    if (text !== undefined || !Array.isArray(params) || request.body.length > 20_000) return
    showCode(article, samplesOf(call, params, { url: page.url, types: page.byName, protocols }))
  }

  function attempt<Value>(act: () => Value): Value | undefined {
    try {
      return act()
    } catch (error) {
      traffic.showProblem(messageOf(error))
      return undefined
    }
  }

  function onKey(event: Event): void {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void sendNow()
  }

  function onSubmit(event: Event): void {
    event.preventDefault()
    void sendNow()
  }

  async function sendNow(): Promise<void> {
    const request = attempt(() => writeRequest(call, wish(), page))
    const headers = request && attempt(() => headersFor(request.contentType))
    if (!request || !headers || pending) return
    pending = new AbortController()
    stop.hidden = false
    await transfer(request, headers, pending.signal)
    stop.hidden = true
    pending = undefined
    nextId()
  }

  async function transfer(request: RpcRequest, headers: Headers, signal: AbortSignal): Promise<void> {
    const lines = [...headers].map(([name, value]) => `${name}: ${value}`)
    traffic.showRequest(`POST ${new URL(page.url).pathname}\n${lines.join('\n')}`, request.body)
    try {
      traffic.showAnswer(await send(page.url, headers, request.body, signal))
    } catch (error) {
      traffic.showProblem(signal.aborted ? 'Stopped' : `No answer: ${messageOf(error)}`)
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
