import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Serving, startServing } from '../../clients/server/start.js'
import { emptyStructsAsLists, inNumbers, type Tagged, xmlCalls } from '../../clients/xml-calls.js'
import { install } from '../../support/install.js'
import { root } from '../../support/paths.js'
import { runJsonClient } from '../../support/run-client.js'
import { missingCommand, skipped } from '../../support/skip.js'

// Real XML-RPC clients, each in a separate process and in a zone that is not the server's, against a real port.

interface Client {
  readonly name: string
  readonly command: readonly string[]
  /** Why it cannot be run here. */
  readonly notInstalled: string | undefined
  readonly path?: string
  readonly zone?: string
  /** How it decodes a value that it does not distinguish from another. Default: it distinguishes all. */
  readonly reads?: (value: Tagged) => Tagged
  /** Calls that it does not support, and their outcome. */
  readonly limits?: Readonly<Record<string, Tagged>>
  readonly multicall?: boolean
}

const at = (path: string) => join(root, 'test/clients', path)
const npm = await install(at('xmlrpc'))
const python = missingCommand('python3', '--version')

function pythons(...options: string[]): Client {
  return {
    name: `Python's ServerProxy(${options.map((option) => `${option}=True`).join(', ')})`,
    command: ['python3', at('xmlrpc/python.py'), options.join(',')],
    notInstalled: python,
    limits: options.includes('allow_none')
      ? {}
      : { null: { unsupported: 'cannot marshal None unless allow_none is enabled' } },
    multicall: true,
  }
}

/** JavaScript writes 1.5e300 as it prints it, and both clients call every number without a fraction an int. */
const asInt = (element: string): Tagged => ({
  fault: [-32602, `Invalid params: value: expected int, received a malformed ${element}`],
})

const clients: readonly Client[] = [
  pythons(),
  pythons('use_builtin_types'),
  pythons('allow_none'),
  pythons('use_builtin_types', 'allow_none'),
  {
    name: 'xmlrpc 1.3.2 (npm)',
    command: [process.execPath, at('xmlrpc/xmlrpc.mjs')],
    notInstalled: npm,
    reads: inNumbers,
    limits: { 'a large Double': asInt('int'), 'a bigint': { string: '9007199254740993' } },
  },
  {
    name: 'davexmlrpc 0.4.26 (npm)',
    command: [process.execPath, at('xmlrpc/davexmlrpc.mjs')],
    notInstalled: npm,
    path: '/sniff',
    // It reads a date without a zone as a local one.
    zone: 'UTC',
    reads: inNumbers,
    limits: {
      'a large Double': asInt('i4'),
      'a bigint': { struct: { i8: { string: '9007199254740993' } } },
      // It reads bytes as text in UTF-8.
      bytes: { string: '\ufffdPNG\r\n\x1a\n\0\ufffd' },
      'ASCII bytes': { string: 'abcde' },
      'no bytes': { string: '' },
      // It does not support nil: it sends an empty struct, and reads one with a member.
      null: { fault: [-32602, 'Invalid params: value: expected null, received object'] },
      'no result': { struct: { nil: { string: '' } } },
    },
  },
  {
    name: "Perl's RPC::XML",
    command: ['perl', at('xmlrpc/perl.pl')],
    notInstalled: missingCommand('perl', '-MRPC::XML::Client', '-MJSON::PP', '-e1'),
    // It writes twenty decimals.
    limits: { 'a tiny Double': { double: 0 } },
  },
  {
    name: "PHP's xmlrpc",
    command: ['php', at('xmlrpc/php.php')],
    notInstalled: missingCommand('php', '-r', 'exit(extension_loaded("xmlrpc") ? 0 : 1);'),
    // It has one type for lists and structs: an empty struct is sent as a list, and read as one.
    reads: emptyStructsAsLists,
    limits: {
      // It writes six decimals.
      'a Double': { double: -0 },
      'a tiny Double': { double: 0 },
      // It supports neither i8 nor nil: it reads both as null, and sends null as an empty string.
      'a bigint': { nil: null },
      null: { fault: [-32602, 'Invalid params: value: expected null, received string of length 0'] },
    },
  },
]

let server: Serving

beforeAll(async () => {
  server = await startServing()
})

afterAll(() => server?.stop())

const questions = xmlCalls.map(({ method, params }) => ({ method, params }))

for (const client of clients) {
  const { name, command, notInstalled, path = '/rpc', zone = 'America/New_York', reads = (value) => value } = client
  describe.skipIf(skipped(name, notInstalled))(name, () => {
    let report: { readonly responses: readonly Tagged[]; readonly multicall?: readonly Tagged[] }

    beforeAll(async () => {
      const [program = '', script = '', ...options] = command
      const response = await runJsonClient([program, script, server.url + path, ...options], questions, { TZ: zone })
      report = Array.isArray(response) ? { responses: response } : (response as typeof report)
    }, 60_000)

    test.each(xmlCalls.map((call, index) => ({ ...call, index })))('$what', ({ what, index, outcome }) => {
      expect(report.responses[index]).toEqual(client.limits?.[what] ?? reads(outcome))
    })

    test('every call got a response', () => expect(report.responses).toHaveLength(xmlCalls.length))

    if (!client.multicall) return

    test('several calls in one, by its own interface', () => {
      expect(report.multicall).toEqual([{ int: 19 }, { fault: [7, 'é'] }, { string: 'ü' }])
    })
  })
}
