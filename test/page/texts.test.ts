import { describe, expect, test } from 'vitest'
import type { DescribedType, NamedType, TypesByName } from '../../runtime/description/description.js'
import { branchOf, fits } from '../../runtime/description/json-types.js'
import { textOf } from '../../runtime/description/type-text.js'
import { prettyJson } from '../../runtime/page/browser/response.js'
import { methodCall, prettyXml } from '../../runtime/page/code/xml.js'
import { prose } from '../../runtime/page/prose.js'
import { sampleCall, sampleOf } from '../../runtime/page/sample.js'
import { commonFormats, type FormatName, isFormat } from '../../runtime/values/format.js'
import { moreFormats } from '../../runtime/values/more-formats.js'
import { readCall } from '../../runtime/xmlrpc/decode.js'

const named = (...types: NamedType[]): TypesByName => new Map(types.map((each) => [each.name, each]))
const none = named()
const string: DescribedType = { kind: 'string' }
const int: DescribedType = { kind: 'int' }
const ref = (name: string): DescribedType => ({ kind: 'ref', name })
const literal = (value: string): DescribedType => ({ kind: 'literal', value })
const list = (element: DescribedType): DescribedType => ({ kind: 'array', element })
const union = (...branches: DescribedType[]): DescribedType => ({ kind: 'union', branches })

describe('prose', () => {
  test.each([
    ['one\ntwo\n\nthree', '<p>one\ntwo</p><p>three</p>'],
    ['- a\n  more\n* `b`', '<ul><li>a\nmore</li><li><code>b</code></li></ul>'],
    ['1. a\n2) b', '<ol><li>a</li><li>b</li></ol>'],
    ['say:\n- a', '<p>say:</p><ul><li>a</li></ul>'],
    ['```ts\n<a>\n\n`b`\n```\nc', '<pre><code>&lt;a&gt;\n\n`b`</code></pre><p>c</p>'],
    ['~~~\nopen', '<pre><code>open</code></pre>'],
    ['## Title\ntext', '<p><strong>Title</strong></p><p>text</p>'],
    ['**b** *e* a*b*c 2 * 3 * 4', '<p><strong>b</strong> <em>e</em> a*b*c 2 * 3 * 4</p>'],
    ['`**no**` <b>&amp;', '<p><code>**no**</code> &lt;b&gt;&amp;amp;</p>'],
    [
      '[a](https://x.example/a?b=1&c=2)',
      '<p><a href="https://x.example/a?b=1&amp;c=2" rel="noopener noreferrer">a</a></p>',
    ],
    [
      'see http://x.example/a.',
      '<p>see <a href="http://x.example/a" rel="noopener noreferrer">http://x.example/a</a>.</p>',
    ],
    ['[a](javascript:alert(1)) [b](//x.example)', '<p>[a](javascript:alert(1)) [b](//x.example)</p>'],
    [
      '[a](https://x.example/"onclick=x)',
      '<p>[a](<a href="https://x.example/" rel="noopener noreferrer">https://x.example/</a>&quot;onclick=x)</p>',
    ],
    ['', ''],
  ])('%j', (text, html) => expect(String(prose(text))).toBe(html))

  test.each(['`', '*', '*a ', '**a', '[', '[a](', '[a](http://x', 'http://', 'http://.', '- ', '#'])(
    'takes linear time: %j, 200,000 times',
    (part) => expect(String(prose(part.repeat(200_000))).length).toBeGreaterThan(0),
    20_000,
  )
})

describe('a type as TypeScript writes it', () => {
  test.each<[DescribedType, string]>([
    [int, 'Int'],
    [{ kind: 'bigint', value: '5' }, '5n'],
    [list(union(literal("it's"), { kind: 'null' })), "('it\\'s' | null)[]"],
    [{ kind: 'tuple', elements: [int, string], required: 1, rest: int }, '[Int, string?, ...Int[]]'],
    [{ kind: 'map', value: { kind: 'set', element: ref('A') } }, 'Map<string, Set<A>>'],
    [{ kind: 'struct', members: [], indexes: [{ type: string }] }, 'Record<string, string>'],
    [
      { kind: 'struct', members: [{ name: 'a-b', type: int, optional: true }], indexes: [{ type: string }] },
      "{ 'a-b'?: Int; [key: string]: string }",
    ],
    [
      {
        kind: 'struct',
        members: [],
        indexes: [{ type: string }, { type: int, keys: { text: 'number', pattern: '^\\d+$' } }],
      },
      '{ [key: string]: string; [key: number]: Int }',
    ],
    [{ kind: 'any' }, 'unknown'],
  ])('%j', (type, text) => expect(textOf(type)).toBe(text))
})

describe('a sample', () => {
  const tree: NamedType = {
    name: 'Tree',
    type: {
      kind: 'struct',
      members: [
        { name: 'name', type: string },
        { name: 'next', type: union(ref('Tree'), { kind: 'null' }) },
        { name: 'all', type: list(ref('Tree')) },
        { name: 'left', type: ref('Tree'), optional: true },
        { name: 'byName', type: { kind: 'map', value: ref('Tree') } },
        { name: 'either', type: list(union(ref('Tree'), ref('Tree'))) },
      ],
    },
  }

  test.each<[DescribedType, unknown]>([
    [{ kind: 'int', constraints: { minimum: 5 } }, 5],
    [{ kind: 'int', constraints: { exclusiveMinimum: 5, multipleOf: 4 } }, 8],
    [{ kind: 'double', constraints: { exclusiveMaximum: 1 } }, 0.5],
    [{ kind: 'string', constraints: { format: 'email' } }, 'ada@example.com'],
    [{ kind: 'bigint' }, '1'],
    [{ kind: 'bigint', value: '9007199254740993' }, '9007199254740993'],
    [{ kind: 'bigint', constraints: { minimum: 4294967296 } }, '4294967296'],
    [{ kind: 'bigint', constraints: { exclusiveMinimum: 1.5 } }, '2'],
    [{ kind: 'string', constraints: { minLength: 7 } }, 'text te'],
    [{ kind: 'string', constraints: { pattern: '^[A-Z0-9-]+$' } }, 'A'],
    [{ kind: 'string', constraints: { pattern: '^[a-z]+$' } }, 'text'],
    [{ kind: 'string', constraints: { pattern: '(' } }, ''],
    [{ kind: 'string', constraints: { format: 'uri', maxLength: 5 } }, ''],
    [{ kind: 'string', constraints: { minLength: 300 } }, ''],
    [{ kind: 'template', text: `\${string}@x`, pattern: '^\\d+@x$' }, '0@x'],
    [{ kind: 'custom', name: 'Decimal', wire: string }, ''],
    [{ kind: 'custom', name: 'Instant', wire: { kind: 'string', constraints: { format: 'date' } } }, '2026-01-31'],
    [{ kind: 'int', constraints: { minimum: 1.5 } }, 2],
    [{ kind: 'int', constraints: { maximum: -3, multipleOf: 2 } }, -4],
    [{ kind: 'double', constraints: { exclusiveMinimum: 0, exclusiveMaximum: 0.1 } }, 0.05],
    [{ kind: 'number', constraints: { minimum: 10, maximum: 20, multipleOf: 7 } }, 14],
    [{ kind: 'array', element: int, constraints: { maxItems: 0 } }, []],
    [{ kind: 'array', element: int, constraints: { minItems: 2, uniqueItems: true } }, []],
    [{ kind: 'set', element: int, constraints: { minItems: 2 } }, []],
    [{ kind: 'array', element: int, constraints: { minItems: 11 } }, []],
    [{ kind: 'map', value: int, keys: { text: 'number', pattern: '^\\d+$' } }, {}],
    [{ kind: 'template', text: `job-\${number}`, pattern: '^job-\\d+$' }, 'job-1'],
    [union({ kind: 'null' }, int), 1],
    [{ kind: 'array', element: int, constraints: { minItems: 2 } }, [1, 1]],
    [ref('Tree'), { name: 'text', next: null, all: [], byName: {}, either: [] }],
  ])('%j', (type, value) => expect(sampleOf(type, named(tree))).toEqual(value))

  test('types that contain the next one twice: a bounded number of values', () => {
    const chain = Array.from({ length: 100 }, (_, i): NamedType => {
      const type = i < 99 ? ref(`T${i + 1}`) : int
      return { name: `T${i}`, type: { kind: 'struct', members: ['a', 'b'].map((name) => ({ name, type })) } }
    })
    const count = (value: unknown): number =>
      typeof value === 'object' && value ? Object.values(value).reduce((sum, each) => sum + count(each), 1) : 1
    expect(count(sampleOf(ref('T0'), new Map(chain.map((each) => [each.name, each]))))).toBeLessThan(30_000)
  })

  test.each([...commonFormats, ...moreFormats] as FormatName[])('a sample in the format %s is valid', (format) => {
    const sample = sampleOf({ kind: 'string', constraints: { format } }, new Map())
    expect(sample).not.toBe('')
    expect(isFormat(sample, format)).toBe(true)
  })

  test('a call: its example, else the required members', () => {
    const params = [
      { name: 'a', type: int, optional: true },
      { name: 'b', type: string },
      { name: 'c', type: int, optional: true },
    ]
    expect(sampleCall({ params }, none)).toEqual([null, 'text'])
    const overloads = [{ params }, { params: [{ name: 'x', type: int }] }]
    expect(sampleCall({ params, overloads }, none)).toEqual([1])
    expect(sampleCall({ params, examples: [{ text: 'no call' }, { text: 'f(1)', params: [1] }] }, none)).toEqual([1])
  })
})

describe('the branch of a value', () => {
  const shape = (kind: string, name: string, type: DescribedType): DescribedType => ({
    kind: 'struct',
    members: [
      { name: 'kind', type: literal(kind) },
      { name, type },
    ],
  })
  const type: DescribedType = { ...union(shape('a', 'x', int), shape('b', 'y', int)), discriminant: 'kind' } as never

  test.each([
    [{ kind: 'b', y: 1 }, 1],
    [{ kind: 'b', y: 'wrong' }, 1],
    [{ kind: 'c' }, -1],
    [7, -1],
  ])('%j', (value, at) => expect(branchOf(value, type as never, none)).toBe(at))

  test('scalars by their form in JSON', () => {
    expect(fits('5', { kind: 'bigint' }, none)).toBe(true)
    expect(fits(5, { kind: 'date' }, none)).toBe(false)
    expect(fits(null, union(string, { kind: 'null' }), none)).toBe(true)
  })

  const nested = (kind: string): DescribedType => ({
    kind: 'struct',
    members: [
      { name: 'next', type: ref('T') },
      { name: 'kind', type: literal(kind) },
    ],
  })

  test.each<[string, DescribedType, (inner: unknown) => unknown]>([
    ['values', union(nested('a'), nested('b'), int), (next) => ({ next, kind: 'b' })],
    ['unions', union(ref('U'), ref('U')), (inner) => inner],
  ])('each value is compared with each type once: %s that repeat', (_, type, around) => {
    let looked = 0
    class Types extends Map<string, NamedType> {
      override get(name: string) {
        looked += 1
        return super.get(name)
      }
    }
    const types = new Types([['T', { name: 'T', type }]])
    for (let depth = 0; depth < 16; depth += 1) {
      const [name, inner] = [`U${depth || ''}`, ref(`U${depth + 1}`)]
      types.set(name, { name, type: depth < 15 ? union(inner, inner) : int })
    }
    let value: unknown = 'no int'
    for (let depth = 0; depth < 16; depth += 1) value = around(value)
    expect(branchOf(value, type as never, types)).toBe(-1)
    expect(looked).toBeLessThan(1000)
  })
})

describe('XML of values in their JSON form', () => {
  const valueIn = (value: unknown, type: DescribedType) =>
    /<param>([\s\S]*)<\/param>/.exec(methodCall('m', [value], [{ name: 'a', type }], none))?.[1]?.replace(/\n\s*/g, '')

  test.each<[unknown, DescribedType, string]>([
    ['2026-01-31T12:00:00+02:00', { kind: 'date' }, '<dateTime.iso8601>20260131T10:00:00</dateTime.iso8601>'],
    ['2026-01-31', { kind: 'date' }, '<dateTime.iso8601>20260131T00:00:00</dateTime.iso8601>'],
    ['0000-01-31', { kind: 'date' }, '<string>0000-01-31</string>'],
    ['soon', { kind: 'date' }, '<string>soon</string>'],
    ['AAE=', { kind: 'bytes', as: 'Buffer' }, '<base64>AAE=</base64>'],
    ['?', { kind: 'bytes', as: 'Buffer' }, '<string>?</string>'],
    ['9007199254740993', { kind: 'bigint' }, '<i8>9007199254740993</i8>'],
    [1, { kind: 'double' }, '<double>1.0</double>'],
    [1, int, '<int>1</int>'],
    [1.5, int, '<double>1.5</double>'],
    ['many', int, '<string>many</string>'],
    [null, string, '<nil/>'],
    [true, string, '<boolean>1</boolean>'],
    ['a<b', union({ kind: 'date' }, string), '<string>a&lt;b</string>'],
    [
      ['2026-01-31T12:00:00Z'],
      list({ kind: 'date' }),
      '<array><data><value><dateTime.iso8601>20260131T12:00:00</dateTime.iso8601></value></data></array>',
    ],
    [
      { a: [1] },
      { kind: 'any' },
      '<struct><member><name>a</name><value><array><data><value><int>1</int></value></data></array></value></member></struct>',
    ],
  ])('%j', (value, type, xml) => expect(valueIn(value, type)).toBe(`<value>${xml}</value>`))
})

describe('with line breaks', () => {
  test('the texts and numbers of JSON are unchanged', () => {
    const text = '{"a":[1.0,9007199254740993,{}, [ ]],"b,:{":"\\"]"}'
    expect(prettyJson(text)).toBe(
      '{\n  "a": [\n    1.0,\n    9007199254740993,\n    {},\n    []\n  ],\n  "b,:{": "\\"]"\n}',
    )
    expect(prettyJson('no { json')).toBe('no { json')
  })

  test.each(['', ' ', '\n', '\n  ', 'a\n  b', '> <', '<a></a>'])('XML of rpc-gen still contains %j', (text) => {
    const limits = { bodyBytes: 1e6, batch: 1, depth: 256, timeoutMs: 0, responseBytes: 1 }
    const value = [text, { [text]: [text, [], {}] }]
    expect(readCall(methodCall('m', [value], [], none), limits).params).toEqual([value])
  })

  test('the texts of XML are unchanged', () => {
    const text =
      '<?xml version="1.0"?><methodResponse><params><param><value><array><data><value><int>1</int></value><value><string> a </string></value> <value><string>  </string></value>\n<value><nil/></value></data></array></value></param></params></methodResponse>'
    expect(prettyXml(text)).toBe(
      [
        '<?xml version="1.0"?>',
        '<methodResponse>',
        '  <params>',
        '    <param>',
        '      <value>',
        '        <array>',
        '          <data>',
        '            <value><int>1</int></value>',
        '            <value><string> a </string></value>',
        '            <value><string>  </string></value>',
        '            <value><nil/></value>',
        '          </data>',
        '        </array>',
        '      </value>',
        '    </param>',
        '  </params>',
        '</methodResponse>',
      ].join('\n'),
    )
  })
})
