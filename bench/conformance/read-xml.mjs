import { SaxesParser } from 'saxes'

/**
 * Reads an XML-RPC response with a parser that no contestant uses, strict about XML and about xmlrpc.com/spec.
 * Returns `{ value }` or `{ fault: { code, string } }`, values tagged with their element: `{ int: '1' }`.
 * Throws an Error for an invalid response.
 */
export function readResponse(text) {
  const root = readTree(text)
  if (root.name !== 'methodResponse') throw new Error(`<${root.name}> is not a methodResponse`)
  const [inner] = only(root, 1)
  if (inner.name === 'params') return { value: readValue(path(inner, 'param', 'value')) }
  if (inner.name !== 'fault') throw new Error(`<${inner.name}> in methodResponse`)
  return { fault: readFault(readValue(path(inner, 'value'))) }
}

/** Elements as { name, children, text }. */
function readTree(text) {
  const top = { name: '', children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const element = { name, children: [], text: '' }
    open.at(-1).children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  const addText = (text) => {
    open.at(-1).text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  return top.children[0]
}

function only(element, count) {
  if (element.children.length !== count || element.text.trim() !== '') throw new Error(`<${element.name}> is malformed`)
  return element.children
}

function path(element, ...names) {
  return names.reduce((at, name) => {
    const [inner] = only(at, 1)
    if (inner.name !== name) throw new Error(`<${inner.name}> in <${at.name}>`)
    return inner
  }, element)
}

const scalars = ['int', 'i4', 'i8', 'double', 'boolean', 'string', 'dateTime.iso8601', 'base64', 'nil']

function readValue(element) {
  if (element.children.length === 0) return { string: element.text }
  const [inner] = only(element, 1)
  if (scalars.includes(inner.name)) {
    if (inner.children.length > 0) throw new Error(`an element in <${inner.name}>`)
    return { [inner.name]: inner.text }
  }
  if (inner.name === 'array') return { array: only(inner, 1)[0].children.map(readValue) }
  if (inner.name !== 'struct') throw new Error(`<${inner.name}> is not a type`)
  return { struct: new Map(inner.children.map(readMember)) }
}

function readMember(member) {
  const [name, value] = only(member, 2)
  if (member.name !== 'member' || name.name !== 'name' || value.name !== 'value') throw new Error('a malformed member')
  return [name.text, readValue(value)]
}

function readFault({ struct }) {
  const code = struct?.get('faultCode')
  const string = struct?.get('faultString')
  if (struct?.size !== 2 || (code?.int ?? code?.i4) === undefined || string?.string === undefined) {
    throw new Error('a fault that is not <struct> of an int faultCode and a string faultString')
  }
  return { code: Number(code.int ?? code.i4), string: string.string }
}
