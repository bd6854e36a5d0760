import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runClient } from '../support/run-client.js'
import { missingCommand, skipped } from '../support/skip.js'
import { unicode } from './calls.js'
import { type Serving, startServing } from './server/start.js'

// curl as users type it, on a real port, with the headers of the response.

let server: Serving

beforeAll(async () => {
  server = await startServing()
})

afterAll(() => server?.stop())

interface Traffic {
  readonly status: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function curl(body: string, ...options: string[]): Promise<Traffic> {
  const command = ['curl', '--silent', '--show-error', '--include', ...options, `${server.url}/rpc`]
  return parse(await runClient(command, body))
}

/** The last head counts: it may follow a 100 Continue. */
function parse(output: string): Traffic {
  const [, head = '', body = ''] = /^(?:HTTP\S+ 1\d\d[^\n]*\r\n\r\n)*(.*?)\r\n\r\n(.*)$/s.exec(output) ?? []
  const [status = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]))
  return { status, headers, body }
}

const type = (type: string) => ['-H', `Content-Type: ${type}`, '--data-binary', '@-']
const json = (method: string, ...params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', method, params, id: 'é' })
const jsonResult = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', result, id: 'é' })
const xml = (text: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><methodCall><methodName>echo.string</methodName><params><param><value><string>${text}</string></value></param></params></methodCall>`
const xmlResult = (text: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><methodResponse><params><param><value><string>${text}</string></value></param></params></methodResponse>`

describe.skipIf(skipped('curl on a port', missingCommand('curl', '--version')))('curl', () => {
  const sum = [json('sum', 1, 2), jsonResult(3)] as const
  // More than a megabyte: curl sends Expect: 100-continue first.
  const long = 'ü'.repeat(600_000)

  test.each([
    ['JSON', ...sum, []],
    ['text in JSON', json('echo.string', unicode), jsonResult(unicode), []],
    ['in HTTP/1.0', ...sum, ['--http1.0']],
    ['asking for HTTP/2', ...sum, ['--http2']],
    ['in chunks', ...sum, ['-H', 'Transfer-Encoding: chunked']],
    ['that accepts compressed responses', ...sum, ['--compressed']],
    ['a body of 1.2 MB', json('echo.string', long), jsonResult(long), []],
  ])('JSON-RPC %s', async (_, sent, received, options) => {
    const { status, headers, body } = await curl(sent, ...type('application/json'), ...options)
    expect(status).toMatch(/^HTTP\/1\.1 200 /)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(received)}`,
    })
    expect(body).toBe(received)
  })

  test.each([
    ['XML', xml('Grüße &amp; 🪚'), xmlResult('Grüße &amp; 🪚'), []],
    ['in chunks', xml('x'), xmlResult('x'), ['-H', 'Transfer-Encoding: chunked']],
    ['in HTTP/1.0', xml('x'), xmlResult('x'), ['--http1.0']],
    ['a body of 1.2 MB', xml(long), xmlResult(long), []],
  ])('XML-RPC %s', async (_, sent, received, options) => {
    const { status, headers, body } = await curl(sent, ...type('text/xml'), ...options)
    expect(status).toMatch(/^HTTP\/1\.1 200 /)
    expect(headers).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      'content-length': `${Buffer.byteLength(received)}`,
    })
    expect(body).toBe(received)
  })

  test('a notification', async () => {
    const traffic = await curl('{"jsonrpc":"2.0","method":"sum"}', ...type('application/json'))
    expect([traffic.status, traffic.body]).toEqual(['HTTP/1.1 204 No Content', ''])
  })

  test('--data without a Content-Type sends that of a form, which is rejected with a hint', async () => {
    const { status, body } = await curl(sum[0], '--data', '@-')
    expect(status).toBe('HTTP/1.1 415 Unsupported Media Type')
    expect(body).toBe(
      'Content-Type application/x-www-form-urlencoded is not served here: send application/json or text/xml.',
    )
  })

  test.each([
    ['GET', []],
    ['HEAD', ['--head']],
    ['PUT', ['--upload-file', '-']],
    ['OPTIONS', ['-X', 'OPTIONS']],
    ['DELETE', ['-X', 'DELETE']],
  ])('%s', async (_, options) => {
    const { status, headers } = await curl('', ...options)
    expect([status, headers['allow']]).toEqual(['HTTP/1.1 405 Method Not Allowed', 'POST'])
  })
})
