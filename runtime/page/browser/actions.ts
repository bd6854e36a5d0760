import { button, make } from './dom.js'
import type { RpcRequest } from './request.js'

/** Sends one request after the other. */
export interface Sending {
  /** The buttons, and the address. */
  readonly element: HTMLElement
  /** The lines above the body of a request. */
  headOf(headers: Headers): string
  /** Sends the request of `write`, unless one is being sent. */
  start(write: () => RpcRequest | undefined): void
  /** Stops the request that is being sent. */
  cancel(): void
}

/** The buttons below a form. */
export function sendingActions(label: string, address: string, onStop: () => void) {
  const stop = button('Stop', onStop, { hidden: true })
  const submit = make('button', { type: 'submit', class: 'send' }, label)
  const target = make('span', { class: 'hint' }, address)
  return { element: make('div', { class: 'actions' }, submit, stop, target), stop }
}

/** The text of something that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
