// fast-xml-parser with options under which its text is correct, after its validator, and the plain serialiser.
import { XMLParser } from 'fast-xml-parser'
import { writeResponse } from '../write-xml.mjs'

const options = { preserveOrder: true, trimValues: false, parseTagValue: false, htmlEntities: true, jPath: false }

export async function start(project) {
  const functions = await project.user('procedures.js')
  const respond = (text) => {
    const document = new XMLParser(options).parse(text, true)
    const call = element(document, 'methodCall')
    const method = textOf(element(call, 'methodName'))
    const params = elements(element(call, 'params')).map(({ param }) => readValue(element(param, 'value')))
    return writeResponse(functions[method](...params))
  }
  return { format: 'xml', respond }
}

const elements = (nodes) => nodes.filter((node) => !('#text' in node) && !('?xml' in node))
const element = (nodes, name) => nodes.find((node) => name in node)[name]
const textOf = (nodes) => nodes.map((node) => node['#text']).join('')

function readValue(nodes) {
  const [node] = elements(nodes)
  if (!node) return textOf(nodes)
  const [type] = Object.keys(node)
  const inside = node[type]
  switch (type) {
    case 'array':
      return elements(element(inside, 'data')).map(({ value }) => readValue(value))
    case 'struct':
      return Object.fromEntries(
        elements(inside).map(({ member }) => [textOf(element(member, 'name')), readValue(element(member, 'value'))]),
      )
    case 'int':
      return Number.parseInt(textOf(inside), 10)
    case 'double':
      return Number(textOf(inside))
    case 'boolean':
      return textOf(inside) === '1'
    default:
      return textOf(inside)
  }
}
