import type { ProtocolName } from '../../protocol.js'
import type { CallData } from '../data.js'
import { protocolTitles } from '../protocol-titles.js'
import { createChoice } from './choice.js'
import { button, freshId, make } from './dom.js'
import { shareHeaders } from './headers.js'

/** How a call is made. */
export interface Options {
  readonly element: HTMLElement
  readonly headers: HTMLElement
  read(): {
    readonly protocol: ProtocolName
    readonly named: boolean
    readonly notify: boolean
    readonly asText: boolean
  }
}

interface Listeners {
  readonly onMode: (asText: boolean) => void
  readonly onExample: (params: readonly unknown[]) => void
}

/** Makes the choices above the parameters, and the field for headers. */
export function createOptions(call: CallData, protocols: readonly ProtocolName[], listeners: Listeners): Options {
  const protocol = createChoice(
    'Protocol',
    protocols.map((each) => [each, protocolTitles[each]]),
  )
  const order = createChoice('Parameters', [
    ['list', 'By position'],
    ['named', 'By name'],
  ])
  const mode = createChoice('Input', [
    ['form', 'Form'],
    ['text', 'JSON'],
  ])
  const notify = make('input', { type: 'checkbox' })
  const notification = make('label', { class: 'include' }, notify, ' As notification')
  const examples = exampleButtons(call, listeners)
  mode.element.addEventListener('change', () => listeners.onMode(mode.value() === 'text'))
  protocol.element.addEventListener('change', update)
  update()

  /** XML-RPC has neither named parameters nor notifications; a subscription needs the response. */
  function update() {
    const json = protocol.value() === 'json-rpc'
    order.element.hidden = !json
    notification.hidden = !json || call.subscription === true
  }

  return {
    element: make(
      'div',
      { class: 'options' },
      protocol.element,
      order.element,
      mode.element,
      notification,
      ...examples,
    ),
    headers: headersField(),
    read() {
      const json = protocol.value() === 'json-rpc'
      return {
        protocol: protocol.value() as ProtocolName,
        named: json && order.value() === 'named',
        notify: json && notify.checked,
        asText: mode.value() === 'text',
      }
    },
  }
}

function exampleButtons({ examples = [] }: CallData, { onExample }: Listeners): HTMLButtonElement[] {
  return examples.map(({ params = [], text }, index) =>
    button(`Example ${index + 1}`, () => onExample(params), { title: text }),
  )
}

function headersField(): HTMLElement {
  const id = freshId()
  const field = make('textarea', {
    id,
    class: 'request-headers mono',
    rows: '2',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'Authorization: Bearer …',
    'aria-describedby': `${id}.hint`,
  })
  shareHeaders(field)
  const hint =
    'One a line, sent with every call from this page, shown in its code and never stored. Basic user:password is encoded for you.'
  return make(
    'details',
    { class: 'expand' },
    make('summary', {}, 'Headers'),
    make('label', { for: id, class: 'unseen' }, 'Headers'),
    field,
    make('p', { class: 'hint', id: `${id}.hint` }, hint),
  )
}
