// The calls, as JSON and as Python's xmlrpc.client writes them: a line break behind each tag that holds other elements.

const account = {
  id: 4711,
  name: 'Ann Example',
  email: 'ann@example.org',
  street: '12 Long Road',
  city: 'Upper Village',
  country: 'NZ',
  note: 'calls back on Mondays & Fridays, else leave word with the neighbours',
  balance: 1204.75,
  discount: 0.125,
  orders: 38,
  active: true,
  verified: false,
}
const integers = Array.from({ length: 10_000 }, (_, i) => ((i * 7919) % 1_000_003) - 5_000)
const lines = Array.from({ length: 1_000 }, (_, i) => ({
  id: i,
  name: `article ${i}`,
  price: i + 0.99,
  inStock: i % 3 === 0,
}))

/** Members in the generated code are Doubles by these names: a writer without types has to know. */
export const doubles = new Set(['balance', 'discount', 'price'])

export const work = {
  add: call('add', 20, 22),
  '12 members': call('account', account),
  '10,000 ints': call('integers', integers),
  '1,000 structs': call('lines', lines),
}

function call(method, ...params) {
  const list = params.map((param) => `<param>\n${xmlOf(param)}</param>\n`).join('')
  return {
    json: JSON.stringify({ jsonrpc: '2.0', method, params, id: 1 }),
    xml: `<?xml version='1.0'?>\n<methodCall>\n<methodName>${method}</methodName>\n<params>\n${list}</params>\n</methodCall>\n`,
  }
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
