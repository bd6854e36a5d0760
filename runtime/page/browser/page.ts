import type { TypesByName } from '../../schema/description.js'
import type { CallData, PageData } from '../data.js'
import { idOf } from '../id.js'
import { own } from './dom.js'

/** The data that the server wrote into the page. */
export interface Page extends PageData {
  readonly byName: TypesByName
  /** The address of the endpoint, as this browser sees it. */
  readonly url: string
}

/** Reads it. */
export function readPage(): Page {
  const data: PageData = JSON.parse(own('data').textContent ?? '')
  const here = new URL(location.href)
  here.search = ''
  here.hash = ''
  const url = new URL(data.endpoint ?? '', here).href
  return { ...data, url, byName: new Map(data.types.map((each) => [each.name, each])) }
}

/** Procedures by the id of their article. */
export function callsById({ procedures }: Page): ReadonlyMap<string, CallData> {
  return new Map(procedures.map((each) => [idOf(each.name), each]))
}

/** Behind a proxy the server does not know its own address. */
export function correctUrls({ url }: Page): void {
  for (const each of document.querySelectorAll('.url')) if (each.textContent !== url) each.textContent = url
}
