import { SaxesParser } from 'saxes'

/** An element as another parser sees it. */
export interface Element {
  readonly name: string
  readonly children: readonly (Element | string)[]
}

/** An element that is being read. */
interface Growing extends Element {
  readonly children: (Element | string)[]
}

/** Reads a document of XML 1.0 with a parser that is not ours; the error where it is not well-formed. */
export function parseXml(text: string): Element | Error {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true })
  const document: Growing = { name: '', children: [] }
  const open = [document]
  let failure: Error | undefined
  const add = (content: string) => open.at(-1)?.children.push(content)
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.on('opentag', ({ name }) => {
    const element: Growing = { name, children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(text).close()
  const root = document.children.find((child) => typeof child !== 'string')
  return failure ?? (root as Element | undefined) ?? new Error('no element')
}
