import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askClient } from '../support/ask-client.js'
import { lacks, skipped } from '../support/skip.js'
import { type Serving, startServing } from './server/start.js'

// Java's HttpClient tries HTTP/2 first, and its XML parser is strict.

let server: Serving

beforeAll(async () => {
  server = await startServing()
})

afterAll(() => server?.stop())

interface Asked {
  readonly method: string
  /** The text between <value> and </value>. */
  readonly value: string
  readonly answer: unknown
}

function asked(method: string, value: string, answer: unknown): Asked {
  return { method, value, answer }
}

const moment = '20240229T12:34:56'

const calls: readonly Asked[] = [
  asked('echo.int', '<int>-7</int>', { int: '-7' }),
  asked('echo.double', '<double>3.0</double>', { double: '3.0' }),
  asked('echo.string', '<string>Grüße 🪚 &lt;&amp;</string>', { string: 'Grüße 🪚 <&' }),
  asked('echo.string', '<string>  </string>', { string: '  ' }),
  asked('echo.boolean', '<boolean>1</boolean>', { boolean: '1' }),
  asked('echo.date', `<dateTime.iso8601>${moment}</dateTime.iso8601>`, { 'dateTime.iso8601': moment }),
  asked('echo.bytes', '<base64>iVBORw0KGgo=</base64>', { base64: 'iVBORw0KGgo=' }),
  asked('echo.null', '<nil/>', { nil: '' }),
  asked('echo.any', '<array><data><value>é</value></data></array>', { array: [{ string: 'é' }] }),
  asked('echo.any', '<struct><member><name>é</name><value><i4>1</i4></value></member></struct>', {
    struct: { é: { int: '1' } },
  }),
  asked('nothing', 'x', {
    fault: { struct: { faultCode: { int: '-32601' }, faultString: { string: 'Method not found' } } },
  }),
]

const name = "Java's HttpClient and XML parser"
const reason = lacks('java', '--version') ?? lacks('javac', '--version')

test.skipIf(skipped(name, reason))(`${name} read every type`, async () => {
  const script = fileURLToPath(new URL('xmlrpc/Client.java', import.meta.url))
  const pairs = calls.flatMap(({ method, value }) => [method, value])
  const answers = await askClient(['java', script, `${server.url}/rpc`, ...pairs], null, { LC_ALL: 'C.UTF-8' })
  expect(answers).toEqual(calls.map(({ answer }) => answer))
})
