import { describe, expect, test } from 'vitest'
import { RpcValueError, tableCodec } from '../runtime/client/index.js'
import { appOf, ask, callJson, callXml, post, serverOf } from './http/ask.js'

/** Values of every kind, by how they are written; each is found again in any text that shows it. */
const secrets = {
  json: [
    '"hunter2"',
    '271828',
    '27182.8',
    '-271828271828',
    '9271828271828271828',
    '["hunter2"]',
    '{"a":"hunter2"}',
    'true',
  ],
  xml: [
    '<string>hunter2</string>',
    'hunter2',
    ...['int', 'i8', 'double', 'boolean', 'dateTime.iso8601', 'base64', 'nil'].map(
      (type) => `<${type}>!hunter2</${type}>`,
    ),
    '<int>271828</int>',
    '<double>27182.8</double>',
    '<i8>9271828271828271828</i8>',
    '<dateTime.iso8601>18270828T00:00:00</dateTime.iso8601>',
    '<array><data><value>hunter2</value></data></array>',
    '<struct><member><name>a</name><value>hunter2</value></member></struct>',
  ],
}
const secret = /hunter2|27182|1827|true/

const types = ['int', 'double', 'number', 'bigint', 'string', 'boolean', 'date', 'bytes', 'null', 'array', 'tuple']
types.push('struct', 'record', 'map', 'set', 'literal', 'union')

/** What is around a value in a parameter: nothing, a list, members of the fixtures' types, a tag. */
const aroundJson = (value: string) => [
  value,
  `[${value}]`,
  `["a",${value}]`,
  `{"name":${value},"age":${value}}`,
  `{"kind":${value}}`,
  `{"kind":"circle","radius":${value}}`,
]

function aroundXml(value: string): string[] {
  const member = (name: string, content: string) => `<member><name>${name}</name><value>${content}</value></member>`
  return [
    value,
    `<array><data><value>${value}</value></data></array>`,
    `<array><data><value>a</value><value>${value}</value></data></array>`,
    `<struct>${member('name', value)}${member('age', value)}</struct>`,
    `<struct>${member('kind', value)}</struct>`,
    `<struct>${member('kind', 'circle')}${member('radius', value)}</struct>`,
  ]
}

function bodiesFor(type: string): [contentType: string, body: string][] {
  const method = `echo.${type}`
  const inJson = secrets.json
    .flatMap(aroundJson)
    .flatMap((value) => [
      callJson(method, `[${value}]`),
      callJson(method, `{"value":${value}}`),
      callJson('sum', `{"numbers":${value}}`),
    ])
  const inXml = secrets.xml.flatMap(aroundXml)
  const entryOf = (value: string) =>
    `<struct><member><name>methodName</name><value>${method}</value></member><member><name>params</name>` +
    `<value><array><data><value>${value}</value></data></array></value></member></struct>`
  return [
    ...inJson.map((body): [string, string] => ['application/json', body]),
    ...inXml.map((value): [string, string] => ['text/xml', callXml(method, value)]),
    ...inXml.map((value): [string, string] => [
      'text/xml',
      callXml('system.multicall', `<array><data><value>${entryOf(value)}</value></data></array>`),
    ]),
  ]
}

/** The texts of all errors, sent and reported, that the bodies lead to. */
async function errorsFor(type: string, options: Parameters<typeof appOf>[0]): Promise<string[]> {
  const texts: string[] = []
  const tell = (error: unknown) => texts.push(`${error} ${JSON.stringify((error as { data?: unknown }).data)}`)
  const app = appOf({ ...options, onError: (error) => void tell(error) })
  for (const [contentType, body] of bodiesFor(type)) {
    const { text } = await ask(app, post(body, { 'Content-Type': contentType }))
    if (/"error"|faultCode/.test(text)) texts.push(text)
  }
  return texts
}

describe.each(types)('a value that is not of the type %s', (type) => {
  test.each(['drop', 'refuse'] as const)('is in no error (unknownMembers: %s)', async (unknownMembers) => {
    const texts = await errorsFor(type, { unknownMembers })
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.filter((text) => secret.test(text))).toEqual([])
  })

  test("is in errors with errorDetails: 'values'", async () => {
    const texts = await errorsFor(type, { errorDetails: 'values' })
    expect(texts.filter((text) => secret.test(text)).length).toBeGreaterThan(10)
  })
})

test.each([
  ['"hunter2"', 'string of length 7', 'string "hunter2"'],
  ['""', 'string of length 0', 'string ""'],
  ['7', 'integer', 'number 7'],
  ['2147483648', 'integer outside of int32', 'number 2147483648'],
  ['1.5', 'non-integer number', 'number 1.5'],
  ['12345678901234567890', 'integer of 20 digits', 'integer 12345678901234567890'],
  ['true', 'boolean', 'boolean true'],
  ['null', 'null', 'null'],
  ['[1,2]', 'array of 2', 'array of 2'],
  ['{"a":1}', 'object', 'object'],
])('%s is named as %s, or as %s', async (value, type, shown) => {
  for (const [errorDetails, received] of [
    ['types', type],
    ['values', shown],
  ] as const) {
    const { text } = await ask(
      appOf({ errorDetails }),
      post(callJson('echo.literal', `[${value}]`), { 'Content-Type': 'application/json' }),
    )
    expect(JSON.parse(text).error.data).toMatchObject([{ path: 'value', received }])
  }
})

test.each([
  ['types', 'non-integer number'],
  ['values', 'number 1.5'],
] as const)('a result that is not of its type, with %s', async (errorDetails, received) => {
  const told: unknown[] = []
  await serverOf({ errorDetails, onError: (error) => void told.push(error) })
    .call('unfit.int')
    .catch(() => {})
  expect(`${told}`).toContain(`result: expected int, received ${received}`)
})

test('errors of the client name no value', () => {
  const codec = tableCodec({ methods: { f: { params: { at: 'date' }, result: 'date' } } })
  for (const run of [() => codec.encode('f', ['hunter2'], false), () => codec.decode('f', 'hunter2')]) {
    expect(run).toThrow(RpcValueError)
    expect(run).toThrow(/expected date, received string of length 7$/)
  }
})
