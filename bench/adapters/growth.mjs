// Growing work: `procedures N`, `batch N`, `json BYTES`, `xml BYTES`, and the expected first response of each.
import { deepStrictEqual } from 'node:assert'
import { jsonRpcRequest } from '../work/calls.mjs'
import { callOf } from '../work/documents.mjs'
import { readXml } from '../work/read-xml.mjs'
import { lines } from '../work/values.mjs'

const makers = { procedures, batch, json, xml }

export function prepare({ answer }, item) {
  const [kind, size] = item.split(' ')
  return makers[kind](answer, Number(size))
}

/** One call at a time, of eight procedures spread over all: the number of different called functions is the same for every size. */
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

const writeJson = (list) => jsonRpcRequest({ batch: false, calls: [{ method: 'lines', params: [list] }] }).body
const writeXml = (list) => callOf('lines', [list])

function json(answer, size) {
  const body = writeJson(fill(writeJson, size))
  return () => answer.json(body)
}

function xml(answer, size) {
  const body = writeXml(fill(writeXml, size))
  return () => answer.xml(body)
}

/** As many structs as make about `size` bytes. */
function fill(write, size) {
  const each = (write(lines).length - write([]).length) / lines.length
  const count = Math.max(1, Math.floor((size - write([]).length) / each))
  return Array.from({ length: count }, (_, i) => lines[i % lines.length])
}

const resultOf = ({ result }) => result
const wanted = {
  procedures: (answer) => [resultOf(JSON.parse(answer)), 1],
  batch: (answer, size) => [JSON.parse(answer).map(resultOf), Array.from({ length: size }, (_, i) => i + 1)],
  json: (answer, size) => [resultOf(JSON.parse(answer)), fill(writeJson, size)],
  xml: (answer, size) => [readXml(answer).params[0], fill(writeXml, size)],
}

/** Throws for a response that differs from the one to the first call. */
export function check(answer, kind, size) {
  const [given, right] = wanted[kind](answer, Number(size))
  deepStrictEqual(given, right, `${kind} of ${size} has a wrong response`)
}
