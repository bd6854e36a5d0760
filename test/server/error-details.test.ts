import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { RpcValueError, tableCodec } from '../../runtime/client/index.js'
import { appOf, callJson, callXml, post, request, serverOf } from '../support/requests.js'

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

function bodiesFor(type: string): Body[] {
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
    ...inJson.map((body): Body => ['application/json', body]),
    ...inXml.map((value): Body => ['text/xml', callXml(method, value)]),
    ...inXml.map(
      (value): Body => [
        'text/xml',
        callXml('system.multicall', `<array><data><value>${entryOf(value)}</value></data></array>`),
      ],
    ),
  ]
}

type Body = readonly [contentType: string, body: string]

/** The texts of all errors, sent and as `onError` would print them, that the bodies lead to. */
async function errorsOf(bodies: readonly Body[], options: Parameters<typeof appOf>[0] = {}): Promise<string[]> {
  const texts: string[] = []
  const tell = (error: unknown) => texts.push(`${inspect(error, { depth: null }).replace(/^ +at .*/gm, '')}`)
  const app = appOf({ ...options, onError: (error) => void tell(error) })
  for (const [contentType, body] of bodies) {
    const { text } = await request(app, post(body, { 'Content-Type': contentType }))
    if (/"error"|faultCode/.test(text)) texts.push(text)
  }
  return texts
}

describe.each(types)('a value that is not of the type %s', (type) => {
  test.each(['strip', 'reject'] as const)('is in no error (unknownKeys: %s)', async (unknownKeys) => {
    const texts = await errorsOf(bodiesFor(type), { unknownKeys })
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.filter((text) => secret.test(text))).toEqual([])
  })

  test("is in errors with errorDetails: 'values'", async () => {
    const texts = await errorsOf(bodiesFor(type), { errorDetails: 'values' })
    expect(texts.filter((text) => secret.test(text)).length).toBeGreaterThan(10)
  })
})

test.each([
  ['"hunter2"', 'string of length 7', 'string "hunter2"'],
  ['""', 'string of length 0', 'string ""'],
  ['7', 'int', 'number 7'],
  ['2147483648', 'integer outside of int32', 'number 2147483648'],
  ['1.5', 'non-integer number', 'number 1.5'],
  ['12345678901234567890', 'integer of 20 digits', 'integer 12345678901234567890'],
  ['true', 'boolean', 'boolean true'],
  ['null', 'null', 'null'],
  ['[1,2]', 'array of length 2', 'array of length 2'],
  ['{"a":1}', 'object', 'object'],
])('%s is named as %s, or as %s', async (value, type, shown) => {
  for (const [errorDetails, received] of [
    ['types', type],
    ['values', shown],
  ] as const) {
    const { text } = await request(
      appOf({ errorDetails }),
      post(callJson('echo.literal', `[${value}]`), { 'Content-Type': 'application/json' }),
    )
    expect(JSON.parse(text).error.data).toMatchObject([{ path: ['value'], received }])
  }
})

test.each([
  ['types', 'a malformed int', 'an i8 out of range'],
  ['values', 'a malformed int "hunter2"', 'an i8 out of range "9223372036854775808"'],
] as const)('the text of an element that is not of its type, with %s', async (errorDetails, malformed, tooLarge) => {
  for (const [element, received] of [
    ['<int>hunter2</int>', malformed],
    ['<i8>9223372036854775808</i8>', tooLarge],
  ] as const) {
    const params = `<params><param><value>${element}</value></param></params>`
    const body = `<methodCall><methodName>echo.literal</methodName>${params}</methodCall>`
    const { text } = await request(appOf({ errorDetails }), post(body, { 'Content-Type': 'text/xml' }))
    expect(text).toContain(`received ${received}<`)
  }
})

test.each([
  ['types', 'non-integer number'],
  ['values', 'number 1.5'],
] as const)('a result that is not of its type, with %s', async (errorDetails, received) => {
  const reported: unknown[] = []
  await serverOf({ errorDetails, onError: (error) => void reported.push(error) })
    .call('unfit.int')
    .catch(() => {})
  expect(`${reported}`).toContain(`result: expected int, received ${received}`)
})

test('errors of the client name no value', () => {
  const codec = tableCodec({ methods: { f: { params: { at: 'date' }, result: 'date' } } })
  for (const run of [() => codec.encode('f', ['hunter2'], false), () => codec.decode('f', 'hunter2')]) {
    expect(run).toThrow(RpcValueError)
    expect(run).toThrow(/expected date, received string of length 7$/)
  }
})

/** What a value with characters that are not escaped looks like, and other mistakes; all have the secret in them. */
const mistakes = {
  json: [
    'hunter2',
    '"hunter2',
    'x"hunter2"',
    '\\hunter2',
    '\\u00hunter2',
    '\nhunter2',
    "'hunter2'",
    '{hunter2',
    '[hunter2,',
  ],
  xml: [
    ...[
      'hunter2',
      '&hunter2',
      '&hunter2;',
      '&#hunter2;',
      '&#xhunter2;',
      '&#x110000hunter2',
      '&#27182818;',
      '&#x27182;&',
    ],
    ...['<hunter2', '<hunter2>', '<hunter2/>', '</hunter2>', '</hunter2', '<ex:hunter2/>', '<é-hunter2>', '<1hunter2'],
    ...[
      '<hunter2\u{10000}/>',
      '<constructor>hunter2</constructor>',
      '<hunter2 a="1" a="2">',
      '<hunter2><hunter2a></hunter2>',
    ],
    ...[' hunter2="1" hunter2="2"', ' hunter2="&hunter2;"', ' hunter2', '="hunter2', "'hunter2'", '\u0001hunter2'],
    ...[
      '<!hunter2',
      '<!--hunter2--hunter2',
      '<!DOCTYPE hunter2>',
      '<?hunter2',
      '<?xml hunter2?>',
      '<![CDATA[hunter2',
      ']]>hunter2',
    ],
  ],
}

const struct = '<struct><member><name>name</name><value><string>x</string></value></member></struct>'
const entry =
  '<struct><member><name>methodName</name><value>echo.int</value></member><member><name>params</name>' +
  '<value><array><data><value><int>1</int></value></data></array></value></member></struct>'

const documents: [name: string, contentType: string, document: string][] = [
  ['JSON', 'application/json', callJson('echo.struct', '[{"name":"x","age":1}]')],
  ['a JSON batch', 'application/json', `[${callJson('sum', '{"numbers":[1,2]}')}]`],
  ['XML', 'text/xml', `<?xml version="1.0"?>\n${callXml('echo.struct', struct)}`],
  ['XML with an attribute', 'text/xml', callXml('echo.struct', struct).replace('<params>', '<params a="1">')],
  ['a multicall', 'text/xml', callXml('system.multicall', `<array><data><value>${entry}</value></data></array>`)],
]

/** The names of methods and members and the id of a request, which errors and responses may show. */
const shown =
  /(?<=<methodName>)[^<]*|(?<=<name>)[^<]*|(?<=<name>methodName<\/name><value>)[^<]*|(?<="method":)"[^"]*"|"\w+"(?=:)|(?<="id":)1/g

/** The document with a mistake at every index that is not inside of what may be shown. */
function withMistake(document: string, mistake: string): string[] {
  const names = [...document.matchAll(shown)].map(({ index, 0: name }) => [index, index + name.length] as const)
  return Array.from(document, (_, at) => at)
    .filter((at) => !names.some(([start, end]) => start <= at && at <= end))
    .map((at) => document.slice(0, at) + mistake + document.slice(at))
}

describe.each(documents)('a mistake anywhere in %s', (_, contentType, document) => {
  test.each(mistakes[contentType === 'text/xml' ? 'xml' : 'json'])('%j is in no error', async (mistake) => {
    const texts = await errorsOf(withMistake(document, mistake).map((body): Body => [contentType, body]))
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter((text) => secret.test(text))).toEqual([])
  })
})
