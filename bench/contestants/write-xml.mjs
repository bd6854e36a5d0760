// A plain serialiser without types for the contestants that have none: with as little work as possible.
import { doubles } from '../work/documents.mjs'

export function writeResponse(value) {
  const start = '<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param>'
  return `${start}${write(value, false)}</param></params></methodResponse>`
}

function write(value, double) {
  switch (typeof value) {
    case 'string':
      return `<value><string>${escapeText(value)}</string></value>`
    case 'boolean':
      return value ? '<value><boolean>1</boolean></value>' : '<value><boolean>0</boolean></value>'
    case 'number':
      return double ? `<value><double>${value}</double></value>` : `<value><int>${value}</int></value>`
    default:
      return Array.isArray(value) ? writeArray(value) : writeStruct(value)
  }
}

function writeArray(list) {
  let items = ''
  for (const each of list) items += write(each, false)
  return `<value><array><data>${items}</data></array></value>`
}

function writeStruct(struct) {
  let items = ''
  for (const name in struct)
    items += `<member><name>${escapeText(name)}</name>${write(struct[name], doubles.has(name))}</member>`
  return `<value><struct>${items}</struct></value>`
}

function escapeText(text) {
  return /[&<>]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text
}
