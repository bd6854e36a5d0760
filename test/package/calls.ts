import { expect } from 'vitest'
import { startServer } from '../../scripts/demo/serving.mjs'

/** Starts a compiled server on a free port and calls it, in both protocols and at both of its addresses. */
export async function expectServer(script: string): Promise<void> {
  const server = await startServer(script)
  try {
    for (const path of ['/rpc', '/own']) {
      await expectJsonCalls(server.url + path)
      await expectXmlCalls(server.url + path)
    }
  } finally {
    await server.stop()
  }
}

/** An XML-RPC body; `values` are the contents of the parameters' `<value>`. */
export function xmlCall(method: string, ...values: string[]): string {
  const params = values.map((value) => `<param><value>${value}</value></param>`).join('')
  return `<?xml version="1.0"?><methodCall><methodName>${method}</methodName><params>${params}</params></methodCall>`
}

async function expectJsonCalls(url: string): Promise<void> {
  const call = async (method: string, ...params: unknown[]): Promise<unknown> =>
    JSON.parse(await post(url, 'application/json', JSON.stringify({ jsonrpc: '2.0', method, params, id: 7 })))
  const order = { id: 1, placed: '2026-05-04T09:00:00Z', label: 'iVBORw==', lines: [{ name: 'nut', price: 1 }] }
  const result = { ...order, placed: '2026-05-05T09:00:00.000Z' }
  const error = { code: 422, message: 'Nothing ordered over json-rpc' }
  expect(await call('add', 1, 2)).toEqual({ jsonrpc: '2.0', id: 7, result: 3 })
  expect(await call('shop.place', order)).toEqual({ jsonrpc: '2.0', id: 7, result })
  expect(await call('shop.place', { ...order, lines: [] })).toEqual({ jsonrpc: '2.0', id: 7, error })
}

async function expectXmlCalls(url: string): Promise<void> {
  const call = (method: string, ...values: string[]) => post(url, 'text/xml', xmlCall(method, ...values))
  expect(await call('add', '<int>1</int>', '<int>2</int>')).toContain('<param><value><int>3</int></value></param>')
  const placed = await call('shop.place', xmlOrder('<value><string>nut</string></value>'))
  expect(placed).toContain('<value><dateTime.iso8601>20260505T09:00:00</dateTime.iso8601></value>')
  expect(placed).toContain('<value><base64>iVBORw==</base64></value>')
  expect(await call('shop.place', xmlOrder())).toContain('<value><string>Nothing ordered over xml-rpc</string></value>')
}

/** An order, of one line for each name. */
function xmlOrder(...names: string[]): string {
  const price = '<value><double>1.5</double></value>'
  const lines = names.map((name) => `<value>${struct({ name, price })}</value>`)
  return struct({
    id: '<value><int>1</int></value>',
    placed: '<value><dateTime.iso8601>20260504T09:00:00</dateTime.iso8601></value>',
    label: '<value><base64>iVBORw==</base64></value>',
    lines: `<value><array><data>${lines.join('')}</data></array></value>`,
  })
}

function struct(members: Readonly<Record<string, string>>): string {
  const each = Object.entries(members).map(([name, value]) => `<member><name>${name}</name>${value}</member>`)
  return `<struct>${each.join('')}</struct>`
}

async function post(url: string, type: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  expect(response.status).toBe(200)
  return response.text()
}
