import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Serving, startServing } from '../../clients/server/start.js'
import { root } from '../../support/paths.js'
import { runJsonClient } from '../../support/run-client.js'
import { missingCommand, skipped } from '../../support/skip.js'

// Java's HttpClient tries HTTP/2 first, and its XML parser is strict.

let server: Serving

beforeAll(async () => {
  server = await startServing()
})

afterAll(() => server?.stop())

interface ExpectedCall {
  readonly method: string
  /** The text between <value> and </value>. */
  readonly value: string
  readonly result: unknown
}

function call(method: string, value: string, result: unknown): ExpectedCall {
  return { method, value, result }
}

const moment = '20240229T12:34:56'

const calls: readonly ExpectedCall[] = [
  call('echo.int', '<int>-7</int>', { int: '-7' }),
  call('echo.double', '<double>3.0</double>', { double: '3.0' }),
  call('echo.string', '<string>Grüße 🪚 &lt;&amp;</string>', { string: 'Grüße 🪚 <&' }),
  call('echo.string', '<string>  </string>', { string: '  ' }),
  call('echo.boolean', '<boolean>1</boolean>', { boolean: '1' }),
  call('echo.date', `<dateTime.iso8601>${moment}</dateTime.iso8601>`, { 'dateTime.iso8601': moment }),
  call('echo.bytes', '<base64>iVBORw0KGgo=</base64>', { base64: 'iVBORw0KGgo=' }),
  call('echo.null', '<nil/>', { nil: '' }),
  call('echo.any', '<array><data><value>é</value></data></array>', { array: [{ string: 'é' }] }),
  call('echo.any', '<struct><member><name>é</name><value><i4>1</i4></value></member></struct>', {
    struct: { é: { int: '1' } },
  }),
  call('nothing', 'x', {
    fault: { struct: { faultCode: { int: '-32601' }, faultString: { string: 'Method not found' } } },
  }),
]

const name = "Java's HttpClient and XML parser"
const reason = missingCommand('java', '--version') ?? missingCommand('javac', '--version')

test.skipIf(skipped(name, reason))(`${name} read every type`, async () => {
  const script = join(root, 'test/clients/xmlrpc/Client.java')
  const pairs = calls.flatMap(({ method, value }) => [method, value])
  const results = await runJsonClient(['java', script, `${server.url}/rpc`, ...pairs], null, { LC_ALL: 'C.UTF-8' })
  expect(results).toEqual(calls.map(({ result }) => result))
})
