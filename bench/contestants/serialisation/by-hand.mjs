// Code that a generator could write: concatenation, by type, with JSON.stringify for strings that need it.
import { enveloped } from '../../adapters/serialisation.mjs'

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them; lone surrogates too
const special = /["\\\x00-\x1f\ud800-\udfff]/
const text = (value) => (special.test(value) ? JSON.stringify(value) : `"${value}"`)

function list(values, write) {
  let json = ''
  for (const value of values) json += json === '' ? write(value) : `,${write(value)}`
  return `[${json}]`
}

const point = ({ x, y, label }) => `{"x":${x},"y":${y},"label":${text(label)}}`
const item = (v) => `{"sku":${text(v.sku)},"title":${text(v.title)},"quantity":${v.quantity},"price":${v.price}}`
const order = (v) =>
  `{"id":${v.id},"customer":${text(v.customer)},"email":${text(v.email)},"street":${text(v.street)},` +
  `"city":${text(v.city)},"country":${text(v.country)}${v.note === undefined ? '' : `,"note":${text(v.note)}`},` +
  `"total":${v.total},"discount":${v.discount},"paid":${v.paid},"status":"${v.status}","items":${list(v.items, item)}}`

function shape(v) {
  if (v.kind === 'circle') return `{"kind":"circle","x":${v.x},"y":${v.y},"radius":${v.radius}}`
  if (v.kind === 'box') return `{"kind":"box","x":${v.x},"y":${v.y},"width":${v.width},"height":${v.height}}`
  return `{"kind":"group","name":${text(v.name)},"shapes":${list(v.shapes, shape)}}`
}

const writers = { point, order, shape }

export async function start() {
  return {
    write(name) {
      const writer = writers[name]
      return (value) => enveloped(writer(value))
    },
  }
}
