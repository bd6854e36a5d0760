// Judges of JSON-RPC responses. A judge returns undefined for a correct response, else what is wrong.

const show = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value).replace(/"#(-?\d+)"/g, '$1')
  return text.length > 90 ? `${text.slice(0, 90)}…` : text
}

/** JSON.parse rounds integers above 2^53: such digits are converted to text. */
function parse(text) {
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\b\d{16,}\b(?![.eE])/g, (token) => (token[0] === '"' ? token : `"#${token}"`)),
  )
}

/** For expectations: an integer that JSON.parse would round. */
export const exactly = (digits) => `#${digits}`

const same = (a, b) => {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b) || a === b
  const names = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  )
}

function read(response, judge) {
  if (response.silent) return response.silent
  if (response.text === '') return `no response (HTTP ${response.status})`
  let value
  try {
    value = parse(response.text)
  } catch {
    return `not JSON (HTTP ${response.status}): ${show(response.text)}`
  }
  return judge(value)
}

const whole = (expected) => (value) => (same(value, expected) ? undefined : `returns ${show(value)}`)

/** Section 5: exactly these members. */
export const result = (value, id) => (response) => read(response, whole({ jsonrpc: '2.0', result: value, id }))

/** An entry with one of the codes and one of the ids, and an error object as in section 5.1. */
function errorIn(value, codes, ids, further = {}) {
  const { error } = value ?? {}
  if (typeof error !== 'object' || error === null) return `returns ${show(value)}`
  if (value.jsonrpc !== '2.0' || Object.hasOwn(value, 'result')) return `not an error response: ${show(value)}`
  if (!Number.isInteger(error.code) || typeof error.message !== 'string') return `not an error object: ${show(error)}`
  if (!codes.includes(error.code)) return `code ${error.code}`
  if (!Object.hasOwn(value, 'id') || !ids.some((id) => same(id, value.id))) return `id ${show(value.id ?? null)}`
  return Object.entries(further).every(([name, each]) => same(error[name], each)) ? undefined : `error ${show(error)}`
}

export const error = (codes, ids, further) => (response) =>
  read(response, (value) => errorIn(value, [codes].flat(), Array.isArray(ids) ? ids : [ids], further))

/** Section 4.1: no response at all. */
export const nothing = (response) => {
  if (response.silent) return response.silent
  if (response.status !== 200 && response.status !== 204) return `HTTP ${response.status}`
  return response.text === '' ? undefined : `returns ${show(response.text)}`
}

export const entry = {
  result: (value, id) => whole({ jsonrpc: '2.0', result: value, id }),
  error: (codes, id) => (value) => errorIn(value, [codes].flat(), [id]),
}

/** Section 6: an array with one entry for each, in any order, or in this one. */
export const batch =
  (entries, { ordered = false } = {}) =>
  (response) =>
    read(response, (values) => {
      if (!Array.isArray(values)) return `not an array: ${show(values)}`
      if (values.length !== entries.length) return `${values.length} responses: ${show(values)}`
      const left = [...values]
      for (const [index, judge] of entries.entries()) {
        const found = ordered
          ? judge(values[index]) === undefined
            ? index
            : -1
          : left.findIndex((each) => !judge(each))
        if (found < 0) return judge(values[index]) ?? `returns ${show(values)}`
        if (!ordered) left.splice(found, 1)
      }
    })

/** Any valid response, with a result or an error. */
export const anything = (response) =>
  read(response, (value) =>
    value?.jsonrpc === '2.0' && Object.hasOwn(value, 'result') !== Object.hasOwn(value, 'error')
      ? undefined
      : `returns ${show(value)}`,
  )

export const hasStatus =
  (...statuses) =>
  (response) =>
    response.silent ?? (statuses.includes(response.status) ? undefined : `HTTP ${response.status}`)

/** The response has a Content-Length, which is the number of its bytes. */
export const hasContentLength = (response) =>
  response.silent ??
  (Number(response.headers['content-length']) === response.bytes.length
    ? undefined
    : `Content-Length ${response.headers['content-length'] ?? 'missing'}`)

export const hasHeader = (name, pattern) => (response) =>
  response.silent ??
  (pattern.test(response.headers[name] ?? '') ? undefined : `${name}: ${response.headers[name] ?? 'none'}`)

export const lacks = (pattern) => (response) =>
  response.silent ?? (pattern.test(response.text) ? `returns ${show(response.text)}` : undefined)

export const all =
  (...judges) =>
  (response) => {
    for (const judge of judges) {
      const reason = judge(response)
      if (reason) return reason
    }
  }
