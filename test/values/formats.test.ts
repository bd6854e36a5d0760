import { RpcServer } from 'rpc-gen'
import { mcp } from 'rpc-gen/mcp'
import { describe, expect, test } from 'vitest'
import { procedures, router } from '../../fixtures/generate/formats/expected.gen.js'
import { moreFormats } from '../../runtime/values/more-formats.js'

// The formats that a generated module imports, from a call to its response; test/values/constraints.test.ts has the texts of each.

const texts: Readonly<Record<string, readonly [format: string, good: string, bad: string]>> = {
  duration: ['duration', 'P1DT2H', 'P1D2H'],
  uriReference: ['uri-reference', './a', '%'],
  uriTemplate: ['uri-template', '/{a}', '/{a'],
  iri: ['iri', 'http://ä/', 'ä'],
  iriReference: ['iri-reference', 'ä', '[ä]'],
  idnEmail: ['idn-email', 'ä@ö.example', 'ä@'],
  idnHostname: ['idn-hostname', 'bücher.example', 'Bücher.example'],
  jsonPointer: ['json-pointer', '/a~1b', 'a'],
  relativeJsonPointer: ['relative-json-pointer', '0#', '#'],
  regex: ['regex', '^a$', '('],
  url: ['url', 'https://example.org', 'urn:a'],
  byte: ['byte', 'YQ==', 'YQ'],
}

async function post(type: string, body: string): Promise<string> {
  const response = await router.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })
  return response.text()
}

const callOf = (member: string, text: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'echo', params: [{ [member]: text }] })

test('the fixture has all of them', () => {
  expect([...Object.values(texts).map(([format]) => format), 'password'].sort()).toEqual([...moreFormats].sort())
})

describe.each(Object.entries(texts))('%s', (member, [format, good, bad]) => {
  test('a text in the format is accepted', async () => {
    const response = JSON.parse(await post('application/json', callOf(member, good)))
    expect(response.result).toEqual({ [member]: good })
  })

  test('another text is rejected with the name of the format', async () => {
    const expected = `string in the format ${format}`
    const received = `string that is not in the format ${format}`
    const response = JSON.parse(await post('application/json', callOf(member, bad)))
    expect(response.error).toMatchObject({ code: -32602, data: [{ path: ['texts', member], expected, received }] })
    const xml = `<methodCall><methodName>echo</methodName><params><param><value><struct><member><name>${member}</name><value>${bad}</value></member></struct></value></param></params></methodCall>`
    expect(await post('text/xml', xml)).toContain(`texts.${member}: expected ${expected}, received ${received}`)
  })

  test('schemas have the format', async () => {
    const discover = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'rpc.discover' })
    expect(await post('application/json', discover)).toContain(`"format":"${format}"`)
    const response = await mcp(new RpcServer({ procedures })).request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', host: 'localhost' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    expect(await response.text()).toContain(`"format":"${format}"`)
  })
})
