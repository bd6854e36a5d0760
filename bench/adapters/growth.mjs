// What grows: `procedures N`, `batch N`, `json BYTES`, `xml BYTES`.
import { jsonRpcRequest } from '../work/calls.mjs'
import { callOf } from '../work/documents.mjs'
import { lines } from '../work/values.mjs'

const makers = { procedures, batch, json, xml }

export function prepare({ answer }, item) {
  const [kind, size] = item.split(' ')
  return makers[kind](answer, Number(size))
}

/** One call at a time, of eight procedures spread over all: how many different functions are called is the same for every size. */
function procedures(answer, size) {
  const bodies = Array.from({ length: 8 }, (_, i) => {
    const method = `procedure${Math.floor((i * size) / 8)}`
    return jsonRpcRequest({ batch: false, calls: [{ method, params: [i, 1] }] }).body
  })
  return (i) => answer.json(bodies[i & 7])
}

function batch(answer, size) {
  const calls = Array.from({ length: size }, (_, i) => ({ method: 'add', params: [i, 1] }))
  const { body } = jsonRpcRequest({ batch: true, calls })
  return () => answer.json(body)
}

function json(answer, size) {
  const write = (list) => jsonRpcRequest({ batch: false, calls: [{ method: 'lines', params: [list] }] }).body
  const body = fill(write, size)
  return () => answer.json(body)
}

function xml(answer, size) {
  const body = fill((list) => callOf('lines', [list]), size)
  return () => answer.xml(body)
}

/** As many structs as make about `size` bytes. */
function fill(write, size) {
  const each = (write(lines).length - write([]).length) / lines.length
  const count = Math.max(1, Math.floor((size - write([]).length) / each))
  return write(Array.from({ length: count }, (_, i) => lines[i % lines.length]))
}
