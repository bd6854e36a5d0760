// What the scripts of the page share: its data, its elements and new ones.
import type { TypesByName } from '../../description/description.js'
import type { CallData, PageData } from '../data.js'

/** The data that the server wrote into the page. */
export interface Page extends PageData {
  readonly byName: TypesByName
  /** The addresses of the endpoint and the WebSocket, if there is one, as this browser sees them. */
  readonly url: string
  readonly socket: string | undefined
}

export function readPage(): Page {
  const data: PageData = JSON.parse(pageElement('data').textContent ?? '')
  const here = new URL(location.href)
  here.search = ''
  here.hash = ''
  const { endpoint = '', webSocket } = data
  const url = new URL(endpoint, here).href
  const socket = webSocket === undefined ? undefined : new URL(webSocket, here).href.replace(/^http/, 'ws')
  return { ...data, url, socket, byName: new Map(data.types.map((each) => [each.name, each])) }
}

/** The address that a procedure is called at. */
export function addressOf({ subscription }: CallData, { url, socket }: Page): string {
  return (subscription && socket) || url
}

/** Behind a proxy the server does not know its own address. */
export function correctUrls({ url, socket }: Page): void {
  for (const each of document.querySelectorAll('.facts .url')) each.textContent = url
  for (const each of document.querySelectorAll('.facts .socket')) each.textContent = socket ?? ''
}

/** Settings of an element: properties by their names, and attributes by names with a dash. */
export type Attributes = Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>

/** Creates an element; an undefined child is left out. Texts are never parsed as markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'string') element.setAttribute(name, value)
    else if (value) element.setAttribute(name, '')
  }
  element.append(...children.filter((each) => each !== undefined))
  return element
}

let count = 0

/** An id that nothing else has: no procedure may be called so. */
export function freshId(): string {
  count += 1
  return `rpc.docs.field.${count}`
}

/** Returns an element of the page by its id without `rpc.docs.`. */
export function pageElement<Found extends HTMLElement = HTMLElement>(name: string): Found {
  return document.getElementById(`rpc.docs.${name}`) as Found
}

/** A button that submits nothing. */
export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return make('button', { type: 'button', click: onClick, ...attributes }, text)
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  pageElement('said').textContent = text
}

/** Returns the value of a JSON text; undefined if it is not one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of something that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A button that copies the current text when it is pressed. */
export function copyButton(what: string, read: () => string): HTMLButtonElement {
  const copy = button('Copy', () => void write(), { class: 'copy', 'aria-label': `Copy ${what}` })
  return copy

  async function write() {
    const done = await copyText(read())
    copy.textContent = done ? 'Copied' : 'Not copied'
    announce(done ? `Copied ${what}` : `The browser did not copy ${what}`)
    setTimeout(() => {
      copy.textContent = 'Copy'
    }, 1500)
  }
}

/** The clipboard is for pages with https; elsewhere a selection is copied. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'unseen'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

/** One of several values, as radio buttons that look like a row of tabs. Hidden if there is nothing to choose. `texts` are for readers. */
export function createChoice(legend: string, values: readonly string[], texts: Readonly<Record<string, string>> = {}) {
  const name = freshId()
  const inputs = values.map((value, index) => make('input', { type: 'radio', name, value, checked: index === 0 }))
  const labels = inputs.map((input) => make('label', {}, input, make('span', {}, texts[input.value] ?? input.value)))
  const hidden = values.length < 2
  return {
    element: make('fieldset', { class: 'choice', hidden }, make('legend', { class: 'unseen' }, legend), ...labels),
    value: () => inputs.find(({ checked }) => checked)?.value ?? '',
    /** Selects a value, if there is such a value. */
    select(value: string) {
      for (const each of inputs) if (each.value === value) each.checked = true
    },
  }
}
