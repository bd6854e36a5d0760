/** Settings of an element: properties by their names, and attributes by names with a dash. */
export type Attributes = Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>

/** Creates an element. Texts are never parsed as markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (typeof value === 'string') element.setAttribute(name, value)
    else if (value) element.setAttribute(name, '')
  }
  element.append(...children)
  return element
}

let count = 0

/** An id that nothing else has: no procedure may be called so. */
export function freshId(): string {
  count += 1
  return `rpc.docs.field.${count}`
}

/** Returns an element of the page by its id without `rpc.docs.`. */
export function own<Found extends HTMLElement = HTMLElement>(name: string): Found {
  return document.getElementById(`rpc.docs.${name}`) as Found
}

/** A button that submits nothing. */
export function button(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return make('button', { type: 'button', click: onClick, ...attributes }, text)
}

/** Announces a text to screen readers. */
export function announce(text: string): void {
  own('said').textContent = text
}
