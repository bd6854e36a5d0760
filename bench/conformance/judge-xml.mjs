// Judges of XML-RPC responses. A judge returns undefined for a correct response, else what is wrong.
import { readResponse } from './read-xml.mjs'

const cut = (text) => (text.length > 90 ? `${text.slice(0, 90)}…` : text)
const show = (value) => cut(JSON.stringify(value, (_, each) => (each instanceof Map ? Object.fromEntries(each) : each)))

function read(answer, judge) {
  if (answer.silent) return answer.silent
  if (answer.status !== 200) return `HTTP ${answer.status}${answer.text ? `: ${cut(answer.text)}` : ', empty'}`
  let response
  try {
    response = readResponse(answer.text)
  } catch (error) {
    return cut(`broken XML-RPC: ${error.message}`)
  }
  return judge(response)
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
export const value = (expected) => (answer) =>
  read(answer, ({ value, fault }) => {
    if (fault) return `fault ${fault.code}: ${cut(fault.string)}`
    return matches(value, expected) ? undefined : `answers ${show(value)}`
  })

export const values = (test) => (answer) =>
  read(answer, ({ value, fault }) => (fault ? `fault ${fault.code}: ${cut(fault.string)}` : test(value)))

/** A fault, with this code and text if they are given. */
export const fault = (code, string) => (answer) =>
  read(answer, ({ value, fault }) => {
    if (!fault) return `answers ${show(value)}`
    if (code !== undefined && fault.code !== code) return `code ${fault.code}`
    return string === undefined || fault.string === string ? undefined : `text ${show(fault.string)}`
  })

/** Rejected: a fault, or an HTTP status for it. */
export const refused = (answer) => {
  if (answer.silent) return answer.silent
  return answer.status >= 400 && answer.status < 500 ? undefined : fault()(answer)
}

/** A value or a fault that a parser accepts. */
export const readable = (answer) => read(answer, () => undefined)
