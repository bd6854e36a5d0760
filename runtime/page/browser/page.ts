import type { TypesByName } from '../../description/description.js'
import type { CallData, PageData } from '../data.js'
import { own } from './dom.js'

/** The data that the server wrote into the page. */
export interface Page extends PageData {
  readonly byName: TypesByName
  /** The addresses of the endpoint and the WebSocket, if there is one, as this browser sees them. */
  readonly url: string
  readonly socket: string | undefined
}

export function readPage(): Page {
  const data: PageData = JSON.parse(own('data').textContent ?? '')
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
