// What the reader chooses for a call, and the request that it is: the parameters as fields or as JSON, the protocol, by name or by position.
//
//   greet with the name Ada  →  { contentType: 'application/json', body: '{ "jsonrpc": "2.0", … }', params: ['Ada'] }
import { isJsonObject } from '../../description/described-types.js'
import type { DescribedParam, TypesByName } from '../../description/description.js'
import type { ProtocolName } from '../../protocols.js'
import { jsonStyle, print } from '../code/print.js'
import { methodCall } from '../code/xml.js'
import { type CallData, protocolTitles } from '../data.js'
import { paramsOf, positional, sampleOf } from '../sample.js'
import { button, createChoice, make, type Page, parseJson } from './dom.js'
import { listField, makeField, optionalField } from './fields.js'
import { headersField } from './headers.js'
import type { Field, FieldContext } from './scalars.js'

/** The request to send. */
export interface FormRequest {
  readonly contentType: string
  readonly body: string
  /** The parameters that code can show: a list of values. */
  readonly params?: readonly unknown[]
}

/** Creates the form of a call, filled with the first example or a sample. `onFill`: called when a reader fills it with another example. */
export function createInputs(call: CallData, page: Page, protocols: readonly ProtocolName[], onFill: () => void) {
  const form = createArguments(call.params, page.byName)
  const look = { class: 'raw mono', rows: '8', spellcheck: 'false' }
  const raw = make('textarea', { ...look, 'aria-label': 'Parameters as JSON' })
  const slot = make('div', {}, form.element)
  const examples = call.examples?.map(({ params = [], text }, index) => {
    const show = () => {
      fill(params)
      onFill()
    }
    return button(`Example ${index + 1}`, show, { title: text })
  })
  const options = createOptions(call, protocols, onMode, examples)
  fill(call.sample)
  // A browser cannot set the headers of a WebSocket.
  const headers = call.subscription && page.socket ? [] : [headersField()]
  return { elements: [options.element, slot, ...headers], protocol: () => options.read().protocol, request }

  function fill(values: readonly unknown[]): void {
    form.fill(values)
    raw.value = print(values, jsonStyle, 60)
  }

  function params(): unknown {
    return options.read().named && !call.paramsObject ? form.named() : form.list()
  }

  /** Encodes the request. Throws an Error with a text for people if XML-RPC cannot represent it. */
  function request(): FormRequest {
    const { protocol, notify, asText } = options.read()
    const [given, text] = [params(), asText ? raw.value : undefined]
    const shown = Array.isArray(given) && !asText ? { params: given } : {}
    return protocol === 'json-rpc'
      ? { contentType: 'application/json', body: writeJson(call, given, notify, text), ...shown }
      : { contentType: 'text/xml', body: writeXml(call, given, page.byName, text), ...shown }
  }

  /** Converts the form to JSON and back. A value that is not a list of arguments leaves the form unchanged. */
  function onMode(asText: boolean): void {
    const given = parseJson(raw.value)
    if (asText) raw.value = print(params(), jsonStyle, 60)
    else if (Array.isArray(given)) form.fill(given)
    else if (isJsonObject(given)) form.fill(byPosition(call, given))
    slot.replaceChildren(asText ? raw : form.element)
  }
}

// The request

let lastId = 0

/** Every request has its own id; the preview shows the next one. */
export function advanceId(): void {
  lastId += 1
}

/** `text`: the parameters as JSON text, which is sent unchanged. */
function writeJson(call: CallData, params: unknown, notify: boolean, text: string | undefined): string {
  const id = notify ? '' : `\n  "id": ${lastId + 1},`
  const head = `{\n  "jsonrpc": "2.0",${id}\n  "method": ${print(call.name, jsonStyle, 0)}`
  if (text?.trim() === '') return `${head}\n}`
  const whole = Array.isArray(params) ? paramsOf(call, params) : params
  return `${head},\n  "params": ${text ?? print(whole, jsonStyle, 64, '  ')}\n}`
}

/** XML-RPC has no names of parameters. */
function writeXml(call: CallData, params: unknown, types: TypesByName, text: string | undefined): string {
  const given = text === undefined ? params : parseParams(text)
  const list = isJsonObject(given) ? (call.paramsObject ? [given] : positional(byPosition(call, given))) : given
  if (!Array.isArray(list)) throw new Error('XML-RPC takes a list of parameters')
  return methodCall(call.name, list, call.params, types)
}

function parseParams(text: string): unknown {
  try {
    return text.trim() === '' ? [] : JSON.parse(text)
  } catch (error) {
    throw new Error(`The parameters are not valid JSON, which is converted to XML: ${(error as Error).message}`)
  }
}

function byPosition({ params }: CallData, named: Readonly<Record<string, unknown>>): unknown[] {
  return params.flatMap(({ name, rest }) => {
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    return rest && Array.isArray(value) ? value : [value]
  })
}

// The parameters

/** Creates the fields of parameters, filled with samples of required values; values are in JSON form. */
function createArguments(params: readonly DescribedParam[], types: TypesByName) {
  const fields = params.map((each) => ({ ...each, field: paramField(each, types) }))
  const none = params.length === 0 ? make('p', { class: 'hint' }, 'It takes no parameters.') : undefined
  const read = () => fields.map(({ field, name, rest = false }) => ({ name, rest, value: field.read() }))
  return {
    element: make('div', { class: 'arguments' }, none, ...fields.map(({ field }) => field.element)),
    list: () => positional(read().flatMap(({ rest, value }) => (rest ? (value as unknown[]) : [value]))),
    named: () =>
      Object.fromEntries(
        read().flatMap(({ name, rest, value }) =>
          value === undefined || (rest && (value as unknown[]).length === 0) ? [] : [[name, value]],
        ),
      ),
    /** Shows a call by position. */
    fill(values: readonly unknown[]) {
      for (const [index, { field, rest, optional }] of fields.entries()) {
        const given = rest ? values.slice(index) : values[index]
        field.write(optional && given === null ? undefined : given)
      }
    },
  }
}

function paramField({ name, type, optional, rest, doc }: DescribedParam, types: TypesByName): Field {
  const context: FieldContext = { label: name, types, inside: [], doc }
  if (rest) return listField({ kind: 'array', element: type }, context)
  const field = optional ? optionalField(type, context) : makeField(type, context)
  if (!optional) field.write(sampleOf(type, types))
  return field
}

/** Makes the choices above the parameters. `onMode`: called when the reader changes to JSON text or back. */
function createOptions(
  call: CallData,
  protocols: readonly ProtocolName[],
  onMode: (asText: boolean) => void,
  examples: readonly HTMLElement[] = [],
) {
  const protocol = createChoice('Protocol', protocols, protocolTitles)
  const order = createChoice('Parameters', ['By position', 'By name'])
  const mode = createChoice('Input', ['Form', 'JSON'])
  const notify = make('input', { type: 'checkbox' })
  const notification = make('label', { class: 'include' }, notify, ' As notification')
  mode.element.addEventListener('change', () => onMode(read().asText))
  protocol.element.addEventListener('change', update)
  update()
  const choices = [protocol.element, order.element, mode.element, notification, ...examples]
  return { element: make('div', { class: 'options' }, ...choices), read }

  /** XML-RPC has neither named parameters nor notifications; a subscription needs the response. */
  function update() {
    const json = protocol.value() === 'json-rpc'
    order.element.hidden = !json
    notification.hidden = !json || call.subscription === true
  }

  function read() {
    const json = protocol.value() === 'json-rpc'
    return {
      protocol: protocol.value() as ProtocolName,
      named: json && order.value() === 'By name',
      notify: json && notify.checked,
      asText: mode.value() === 'JSON',
    }
  }
}
