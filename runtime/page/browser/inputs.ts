import type { ProtocolName } from '../../protocol.js'
import { jsonStyle, print } from '../code/print.js'
import type { CallData } from '../data.js'
import { createArguments } from './arguments.js'
import { make } from './dom.js'
import { createOptions } from './options.js'
import type { Page } from './page.js'
import type { Wish } from './request.js'

/** The input of a reader for a call. */
export interface Inputs {
  readonly elements: readonly HTMLElement[]
  wish(): Wish
}

/** Makes it, filled with the first example or a sample. `onFill`: called when a reader fills it with another example. */
export function createInputs(
  call: CallData,
  page: Page,
  protocols: readonly ProtocolName[],
  onFill: () => void,
): Inputs {
  const form = createArguments(call.params, page.byName)
  const raw = make('textarea', {
    class: 'raw mono',
    rows: '8',
    spellcheck: 'false',
    'aria-label': 'Parameters as JSON',
  })
  const slot = make('div', {}, form.element)
  const onExample = (values: readonly unknown[]) => {
    fill(values)
    onFill()
  }
  const options = createOptions(call, protocols, { onMode, onExample })
  fill(call.sample)
  // A browser cannot set the headers of a WebSocket.
  return { elements: [options.element, slot, ...(call.subscription ? [] : [options.headers])], wish }

  function fill(values: readonly unknown[]): void {
    form.fill(values)
    raw.value = print(values, jsonStyle, 60)
  }

  function wish(): Wish {
    const { protocol, named, notify, asText } = options.read()
    const params = named && !call.paramsObject ? form.named() : form.list()
    return { protocol, notify, params, ...(asText ? { raw: raw.value } : {}) }
  }

  /** Converts the form to JSON and back. A value that is not a list of arguments leaves the form unchanged. */
  function onMode(asText: boolean): void {
    if (asText) raw.value = print(wish().params, jsonStyle, 60)
    else fillFrom(raw.value)
    slot.replaceChildren(asText ? raw : form.element)
  }

  function fillFrom(text: string): void {
    try {
      const given: unknown = JSON.parse(text)
      form.fill(Array.isArray(given) ? given : call.params.map(({ name }) => (given as never)[name]))
    } catch {
      // The form keeps its values.
    }
  }
}
