// XML-RPC to values with saxes and a stack: a contestant, and the reader of all contestants' responses.
import { SaxesParser } from 'saxes'

export function readXml(xml) {
  const parser = new SaxesParser()
  const params = []
  const stack = [params]
  const names = []
  let method = ''
  let text = ''
  let value
  const add = (content) => {
    text += content
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('opentag', ({ name }) => {
    text = ''
    if (name === 'value') value = undefined
    else if (name === 'struct') stack.push({})
    else if (name === 'array') stack.push([])
  })
  parser.on('closetag', ({ name }) => {
    switch (name) {
      case 'string':
        value = text
        break
      case 'int':
      case 'i4':
        value = Number.parseInt(text, 10)
        break
      case 'double':
        value = Number(text)
        break
      case 'boolean':
        // The specification has 1 and 0; davexmlrpc writes words.
        value = text === '1' || text === 'true'
        break
      case 'struct':
      case 'array':
        value = stack.pop()
        break
      case 'name':
        names.push(text)
        break
      case 'member':
        stack.at(-1)[names.pop()] = value
        break
      case 'value':
        value ??= text
        if (Array.isArray(stack.at(-1))) stack.at(-1).push(value)
        break
      case 'methodName':
        method = text
        break
    }
  })
  parser.write(xml).close()
  return { method, params }
}
