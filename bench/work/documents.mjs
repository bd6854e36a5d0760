// The calls of XML-RPC, as JSON and as Python's xmlrpc.client writes them: a line break after each tag that contains
// other elements.
import { account, accounts, integers, lines } from './values.mjs'

/** The members that are Doubles in the generated code: a writer without types needs their names. */
export const doubles = new Set(['balance', 'discount', 'price'])

export const documents = {
  add: call('add', 42, 20, 22),
  '12 members': call('account', account, account),
  '10,000 ints': call('integers', integers, integers),
  '1,000 structs': call('lines', lines, lines),
  '1,000 of 12 members': call('accounts', accounts, accounts),
  '1,000 of 12 members, unknown': call('echo', accounts, accounts),
}

function call(method, result, ...params) {
  const json = JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 })
  return { json, xml: callOf(method, params), result }
}

/** A document that calls `method`. */
export function callOf(method, params) {
  const list = params.map((param) => `<param>\n${xmlOf(param)}</param>\n`).join('')
  return `<?xml version='1.0'?>\n<methodCall>\n<methodName>${method}</methodName>\n<params>\n${list}</params>\n</methodCall>\n`
}

function xmlOf(value) {
  return `<value>${typeOf(value)}</value>\n`
}

function typeOf(value) {
  if (typeof value === 'string') return `<string>${value.replaceAll('&', '&amp;')}</string>`
  if (typeof value === 'boolean') return `<boolean>${Number(value)}</boolean>`
  if (typeof value === 'number') return Number.isInteger(value) ? `<int>${value}</int>` : `<double>${value}</double>`
  if (Array.isArray(value)) return `<array><data>\n${value.map(xmlOf).join('')}</data></array>`
  const members = Object.entries(value).map(
    ([name, each]) => `<member>\n<name>${name}</name>\n${xmlOf(each)}</member>\n`,
  )
  return `<struct>\n${members.join('')}</struct>`
}
