// Judges of XML-RPC responses. A judge returns undefined for a correct response, else what is wrong.
import { readResponse } from './read-xml.mjs'

const cut = (text) => (text.length > 90 ? `${text.slice(0, 90)}…` : text)
const show = (value) => cut(JSON.stringify(value, (_, each) => (each instanceof Map ? Object.fromEntries(each) : each)))

function read(response, judge) {
  if (response.silent) return response.silent
  if (response.status !== 200) return `HTTP ${response.status}${response.text ? `: ${cut(response.text)}` : ', empty'}`
  let decoded
  try {
    decoded = readResponse(response.text)
  } catch (error) {
    return cut(`broken XML-RPC: ${error.message}`)
  }
  return judge(decoded)
}

const integers = ['int', 'i4', 'i8']

/** True if a received value is the expected one; `number` is any of the numeric types. */
function matches(came, expected) {
  const [[type, value]] = Object.entries(expected)
  const [[given, text]] = Object.entries(came)
  if (type === 'number') return [...integers, 'double'].includes(given) && Number(text) === value
  if (type === 'int') return integers.includes(given) && BigInt(text) === BigInt(value)
  if (type === 'double') return given === 'double' && Number(text) === value
  if (given !== type) return false
  if (type === 'array') return text.length === value.length && value.every((each, index) => matches(text[index], each))
  if (type === 'struct') {
    const entries = Object.entries(value)
    return (
      text.size === entries.length && entries.every(([name, each]) => text.has(name) && matches(text.get(name), each))
    )
  }
  return text === value
}

/** A result with this value, in any of several forms. */
export const value = (expected) => (response) =>
  read(response, ({ value, fault }) => {
    if (fault) return `fault ${fault.code}: ${cut(fault.string)}`
    return matches(value, expected) ? undefined : `returns ${show(value)}`
  })

export const values = (test) => (response) =>
  read(response, ({ value, fault }) => (fault ? `fault ${fault.code}: ${cut(fault.string)}` : test(value)))

/** A fault, with this code and text if they are given. */
export const fault = (code, string) => (response) =>
  read(response, ({ value, fault }) => {
    if (!fault) return `returns ${show(value)}`
    if (code !== undefined && fault.code !== code) return `code ${fault.code}`
    return string === undefined || fault.string === string ? undefined : `text ${show(fault.string)}`
  })

/** Rejected: a fault, or an HTTP status for it. */
export const rejected = (response) => {
  if (response.silent) return response.silent
  return response.status >= 400 && response.status < 500 ? undefined : fault()(response)
}

/** A value or a fault that a parser accepts. */
export const readable = (response) => read(response, () => undefined)
