import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { procedures } from '../../fixtures/generate/constraints/expected.gen.js'
import { isAtLeast, isAtMost, isUnique, meets } from '../../runtime/values/constraints.js'
import { typeOf } from '../../runtime/values/definition.js'
import { describeType } from '../../runtime/values/describe.js'
import { explain, explainCall } from '../../runtime/values/explain.js'
import { commonFormats, type FormatName, isFormat } from '../../runtime/values/format.js'
import type { IssueCode } from '../../runtime/values/issue.js'
import { moreFormats } from '../../runtime/values/more-formats.js'
import { bigint, constrained, int, number, string, url } from '../../runtime/values/scalar-types.js'
import { array, set } from '../../runtime/values/struct-types.js'
import { union } from '../../runtime/values/unions/union.js'
import { type Definition, localWire } from '../../runtime/values/wire.js'
import { generate } from '../support/generate.js'
import { accepts } from '../support/procedure-values.js'
import { temporaryFolder } from '../support/temporary-folder.js'

describe('formats', () => {
  const cases: Readonly<Record<FormatName, readonly [good: readonly string[], bad: readonly string[]]>> = {
    'date-time': [
      ['2020-02-29T12:30:00Z', '1990-12-31t23:59:60z', '1990-12-31T15:59:60.5-08:00', '2020-01-01T00:00:00.123+23:59'],
      ['2021-02-29T12:30:00Z', '2020-01-01 12:30:00Z', '2020-01-01T12:30:00', '2020-01-01T12:30:60Z', '2020-01-01', ''],
    ],
    date: [
      ['2020-02-29', '0000-02-29', '2000-12-31'],
      ['1900-02-29', '2020-13-01', '2020-00-10', '2020-01-00', '2020-04-31', '20200101', '2020-1-1', ' 2020-01-01'],
    ],
    time: [
      ['12:30:00Z', '23:59:60Z', '00:00:00.001+01:00', '00:59:60+01:00'],
      ['24:00:00Z', '12:60:00Z', '12:30:00', '12:30Z', '12:30:60Z', '12:30:00+0100', '12:30:00+24:00'],
    ],
    email: [
      ['a@example.org', 'a.b+c@example.co.uk', "o'neil@example.org", `${'a'.repeat(64)}@example.org`],
      [
        `${'a'.repeat(65)}@example.org`,
        `${'a.'.repeat(32)}a@example.org`,
        'a',
        'a@',
        '@example.org',
        'a@b',
        'a..b@example.org',
        '.a@example.org',
        'a@-example.org',
        'a b@example.org',
      ],
    ],
    uuid: [
      ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000'],
      [
        '123e4567e89b12d3a456426614174000',
        '123e4567-e89b-12d3-a456-42661417400',
        '{123e4567-e89b-12d3-a456-426614174000}',
      ],
    ],
    uri: [
      [
        'https://example.org/a?b=c#d',
        'mailto:a@example.org',
        'urn:isbn:1',
        'http://[::1]:80/',
        'a:b%20c',
        'http://[v7.a:b]/',
        'http://u:p%40@h:/',
        'file:///a',
        'a:',
        'a:/b//c',
        'a:b?c?d/e#f?/',
      ],
      [
        'example.org',
        '/a',
        '//example.org',
        'http://a b',
        'https://example.org/%zz',
        'a:b#c#d',
        'http://ä.example/',
        'http://a<b/',
        'http://a:b/',
        'http://a:1:2/',
        'http://1::2/',
        'http://[::1',
        'http://[1]/',
        'http://[::1]a/',
        'http://[v.a]/',
        'a:[b]',
        'http://a@b@c/',
        '1a:b',
        'ſ:b',
        'a:b%2',
        '',
      ],
    ],
    ipv4: [
      ['127.0.0.1', '255.255.255.255', '0.0.0.0'],
      ['256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4 '],
    ],
    ipv6: [
      [
        '::',
        '::1',
        '1::',
        '1:2:3:4:5:6:7:8',
        'fe80::1:2',
        '::ffff:127.0.0.1',
        '1:2:3:4:5:6:1.2.3.4',
        '1:2:3:4:5:6:7::',
      ],
      [
        '',
        ':',
        '1:2:3:4:5:6:7',
        '1::2::3',
        '12345::',
        '1:2:3:4:5:6:7:8:9',
        ':::',
        '::256.0.0.1',
        'g::',
        '1:',
        ':1',
        '1:2:3:4:5:6:7:8::',
      ],
    ],
    hostname: [
      ['example.org', 'localhost', 'a-b.c', '1.2.3.4', 'a'.repeat(63)],
      ['', '-a', 'a-', 'a..b', 'a_b', '.a', 'a.', 'a'.repeat(64), `${'a.'.repeat(127)}aa`],
    ],
    duration: [
      ['P3D', 'P2W', 'PT5M', 'PT0S', 'P1Y2M3DT4H5M6S', 'P1YT1S', 'P400DT36H', 'P007M', 'P1M1D'],
      [
        '',
        'P',
        'PT',
        'P1',
        '1D',
        'P1S',
        'P1DT',
        'P1D1Y',
        'P1Y1D',
        'PT1H1S',
        'P1W1D',
        'PT1.5S',
        '-P1D',
        'p1d',
        'P1D\n',
        'P٣D',
      ],
    ],
    'uri-reference': [
      ['', '#', '?a', '//a:1/b', '/a', 'a', './a:b', '../a/%20', 'http://a/', 'a/b:c', '?a:b', '#a:b'],
      ['1:b', ':a', 'a b', '%', '/[a]', '//a:b', '//[a]', '/ä', '#a#b', '\\a', '"'],
    ],
    'uri-template': [
      ['', '/a/{b}', '{+a,b*}{?c:3,d}', '{#a}{.b}{/c}{;d}{&e}', '{=a}{|b}', "it's%20ü", '{a.b%41}', '{_1}', '{a:9999}'],
      [
        '{',
        '}',
        '{}',
        '{a',
        'a}',
        '{{a}}',
        '{a,}',
        '{a:0}',
        '{a:10000}',
        '{a:1*}',
        '{a b}',
        '{ü}',
        '{-a}',
        '{a..b}',
        '{.}',
        'a b',
        '%4',
        '<',
        '\\',
        '\u007f',
        '\ud800',
      ],
    ],
    iri: [
      ['http://bücher.example/ä?ö=\ue000#ü', 'a:b', 'http://a/\u{1f600}', 'mailto:ü@ä', 'urn:ü', 'http://ü:ü@ä:1/'],
      [
        '/ä',
        'ä:b',
        'http://a/\ue000',
        'http://a/#\ue000',
        'http://a/#?\ue000',
        'http://a/\ufdd0',
        'http://a/\u{1fffe}',
        'http://a/\u{e0001}',
        'http://a/\x80',
        'http://a/\ud83d',
        'http://[ü]/',
        'http://[v1.ü]/',
        'http://a:ü/',
        'a:ü%',
        '',
      ],
    ],
    'iri-reference': [
      ['', 'ä', '/ä', '?\u{10fffd}', '#ä', '//ä/', '../ü'],
      ['ä:b', '\ue000', '#\ue000', 'ä b', '[ä]', '//ä:ö'],
    ],
    'idn-email': [
      [
        'a@b.example',
        'jörg@bücher.example',
        '用户@例子。广告',
        'x+ü.y@a.b',
        '\u{1f600}@a.example',
        'a@xn--bcher-kva.example',
        `${'ü'.repeat(32)}@b.example`,
      ],
      [
        `${'ü'.repeat(33)}@b.example`,
        `${'a'.repeat(65)}@b.example`,
        '',
        '@a.b',
        'a',
        'a@',
        'a@b',
        'a@b..c',
        '.a@b.c',
        'a..b@c.d',
        'a b@c.d',
        'a@@b.c',
        'ü＠a.b',
        '\ud800@a.b',
        'a@B\u00fccher.example',
        'a@xn--a.b',
      ],
    ],
    'idn-hostname': [
      [
        'example.org',
        'EXAMPLE.org',
        '1.2',
        'a--b',
        'bücher.example',
        '例子。广告',
        'straße',
        'βόλος',
        'faß．de',
        'xn--bcher-kva.EXAMPLE',
        'XN--BCHER-KVA',
        'xn--fa-hia',
        'xn--nxasmm1c',
        'l·l',
        'α͵α',
        'צ״ה',
        'א׳',
        'カ・カ',
        'ب٠١',
        'ब्\u200dर',
        'بن\u200cما',
        'א1',
        'א.ב',
        'bücher.1a.example',
      ],
      [
        '',
        '.',
        'a.',
        '.a',
        'a..b',
        'a_b',
        'a b',
        'a%41',
        '-ü',
        'ü-',
        'aü--b',
        'Bücher',
        'ａ',
        'a\u0308',
        '\u0308a',
        '☃',
        '\u00ad\u00fc',
        'xn--a',
        'xn--',
        'xn--abc-',
        'xn--ls8h',
        'xn--ü',
        'a·l',
        'l·ä',
        'α͵a',
        'a׳',
        'a・a',
        '٠۰',
        'a\u200db',
        'ब्\u200dरa\u200cb',
        'aא',
        'אa',
        '1א',
        '1a.א',
        'א-',
        'א1٠',
        '\u302eあ',
        '\u1100\u1161',
        'ü'.repeat(63),
        `${'ü.'.repeat(60)}${'a'.repeat(60)}`,
      ],
    ],
    'json-pointer': [
      ['', '/', '//', '/a/0/-', '/~0~1', '/ü \n"', '/a~1b~01'],
      ['a', '#/a', '/~', '/~2', '/a~', '/~~0', ' /a'],
    ],
    'relative-json-pointer': [
      ['0', '1#', '10/a/~0', '0+1', '2-10/a', '1+1#', '0/'],
      ['', '/a', '01', '-1', '+1/a', '0##', '0#/a', '0a', '1+0', '1+01', '0/~', '٠', '1\n'],
    ],
    regex: [
      ['', '^a+$', '(a|b)*\\1', '\\p{L}', '(?<y>\\d{4})', '(?<=a)b', '/', 'a'.repeat(10_000), '(a+)+$'],
      ['(', '[', 'a{2,1}', '\\', '*', '\\p{X}', '(?<a', '\\-', '(?<a>)(?<a>)', 'a'.repeat(10_001), '('.repeat(9999)],
    ],
    url: [
      ['https://example.org', 'HTTP://a/', 'ftp://a:21/b', 'http://[::1]/?a#b', 'http://u@h'],
      [
        '',
        '//a',
        'a',
        'mailto:a@b',
        'http:a',
        'http:///a',
        'http://',
        'http://:80',
        'http://?',
        'http://a b',
        'ws://a',
        'http://ä',
        'http://@/',
        'http://u:p@',
        'http://u@:80/',
        'http://a:99999/',
        'http://1.2.3.400/',
        'ftp://@',
        'http://[v7.a:b]/',
        'http://xn--a/',
      ],
    ],
    byte: [
      ['', 'YQ==', 'YWI=', 'YWJj', '+/+/'],
      ['YQ', 'YQ=', 'YQ===', '=', '====', 'Y===', 'YW=j', 'YQ==YQ==', 'YW Jj', 'YWJj\n', '-_-_', 'YWJjZ'],
    ],
    password: [['', 'a', '\0'], []],
  }

  test.each(Object.entries(cases))('%s', (format, [good, bad]) => {
    expect(good.filter((text) => !isFormat(text, format as FormatName))).toEqual([])
    expect(bad.filter((text) => isFormat(text, format as FormatName))).toEqual([])
  })

  test('of the list of tags and constraint types', () => {
    expect([...commonFormats, ...moreFormats].sort()).toEqual(Object.keys(cases).sort())
  })

  const formats = Object.keys(cases) as FormatName[]

  test.each(formats)('%s: a value that is not text is not in it', (format) => {
    for (const value of [undefined, null, 1, {}, ['a']]) expect(isFormat(value, format)).toBe(false)
  })

  // That all take linear time is shown by test/values/regular-expressions.test.ts.
  test.each(formats)('%s: a text of a million characters does not throw', (format) => {
    const parts = ['a', '%41', '~0', 'ü', '{a}']
    for (const part of parts) isFormat(`/${part.repeat(1_000_000 / part.length)}\0`, format)
    expect(isFormat(`${'a'.repeat(1_000_000)} \n`, format)).toBe(format === 'password')
  })

  test('idn-hostname, idn-email and regex look at the length before they call the platform', () => {
    let calls = 0
    const counting = <T extends object>(original: T) =>
      new Proxy(original, {
        construct(target, args) {
          calls += 1
          return Reflect.construct(target as never, args)
        },
      })
    vi.stubGlobal('URL', counting(URL))
    vi.stubGlobal('RegExp', counting(RegExp))
    try {
      const long = 'ü'.repeat(507)
      const tooLong = isFormat(long, 'idn-hostname') || isFormat(`a@${long}.a`, 'idn-email')
      expect([tooLong, isFormat('a'.repeat(10_001), 'regex'), calls]).toEqual([false, false, 0])
      expect([isFormat('ü', 'idn-hostname'), isFormat('(a+)+$', 'regex'), calls]).toEqual([true, true, 2])
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

test('characters are counted, not UTF-16 units', () => {
  const sized: readonly (readonly [value: unknown, size: number])[] = [
    ['a😀é', 3],
    ['😀😀😀', 3],
    ['abc', 3],
    ['', 0],
    [[1, 2], 2],
    [new Set([1]), 1],
  ]
  for (const [value, size] of sized) {
    expect([size - 1, size, size + 1].map((limit) => isAtMost(value, limit))).toEqual([false, true, true])
    expect([size - 1, size, size + 1].map((limit) => isAtLeast(value, limit))).toEqual([true, true, false])
  }
})

test('equal elements are found for every type', () => {
  const equal = [
    [1, 1],
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ],
    [new Date(5), new Date(5)],
    [new Uint8Array([1]), new Uint8Array([1])],
    [5n, 5n],
    [null, null],
    [new Map([['a', 1]]), new Map([['a', 1]])],
    [{ a: undefined }, {}],
  ]
  expect(equal.filter((value) => isUnique(value))).toEqual([])
  const different = [
    [1, '1'],
    [5, 5n],
    ['a,b', 'a', 'b'],
    [{ a: 1 }, { a: 2 }],
    [[1], [[1]]],
    [null, undefined, 'null', false, ''],
    [new Date(5), new Date(6)],
  ]
  expect(different.filter((list) => !isUnique(list))).toEqual([])
})

test('limits are inclusive', () => {
  expect([0, 1].map((value) => meets(value, { minimum: 1 }))).toEqual([false, true])
  expect([1, 2].map((value) => meets(value, { maximum: 1 }))).toEqual([true, false])
  expect([1, 2].map((value) => meets(value, { exclusiveMinimum: 1 }))).toEqual([false, true])
  expect([0, 1].map((value) => meets(value, { exclusiveMaximum: 1 }))).toEqual([true, false])
  expect([0.1, 0.15].map((value) => meets(value, { multipleOf: 0.1 }))).toEqual([true, false])
  expect([0.3, 0.1 + 0.2, -0.7, 0, 1e-17].map((value) => meets(value, { multipleOf: 0.1 }))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  expect([19.99, 0.07, 19.995, 1e-9].map((value) => meets(value, { multipleOf: 0.01 }))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([5.000000000000001, 2 ** 60, 7].map((value) => meets(value, { multipleOf: 5 }))).toEqual([false, false, false])
  expect([1n, 2n].map((value) => meets(value, { minimum: 2 }))).toEqual([false, true])
  expect(['', 'a', 'ab'].map((value) => meets(value, { minLength: 1, maxLength: 1 }))).toEqual([false, true, false])
  expect(['xay', 'b'].map((value) => meets(value, { pattern: 'a' }))).toEqual([true, false])
  expect([[], [1], [1, 2]].map((value) => meets(value, { minItems: 1, maxItems: 1 }))).toEqual([false, true, false])
})

test('expected values are described in words', () => {
  expect(describeType(typeOf(constrained(int, { minimum: 0, maximum: 10 })))).toBe('int from 0 to 10')
  expect(describeType(typeOf(constrained(string, { minLength: 1, format: 'email' })))).toBe(
    'string of at least 1 character and in the format email',
  )
  expect(explain(typeOf(constrained(constrained(int, { minimum: 0 }), { multipleOf: 2 })), 3, ['a'])).toEqual([
    {
      path: ['a'],
      code: 'multipleOf',
      limit: 2,
      expected: 'int >= 0 and a multiple of 2',
      received: 'int that is not a multiple of 2',
    },
  ])
})

test.each<[type: Definition, value: unknown, expected: string, received: string, code: IssueCode, limit: unknown]>([
  [constrained(int, { minimum: 1, maximum: 100 }), 0, 'int from 1 to 100', 'int below 1', 'minimum', 1],
  [constrained(int, { minimum: 1, maximum: 100 }), 101, 'int from 1 to 100', 'int above 100', 'maximum', 100],
  [constrained(int, { minimum: 5, maximum: 5 }), 4, 'int = 5', 'int below 5', 'minimum', 5],
  [
    constrained(number, { minimum: 0, exclusiveMaximum: 1 }),
    1,
    'number >= 0 and < 1',
    'int not below 1',
    'exclusiveMaximum',
    1,
  ],
  [constrained(number, { exclusiveMinimum: 0 }), -0.5, 'number > 0', 'number not above 0', 'exclusiveMinimum', 0],
  [constrained(bigint, { maximum: 5 }), 6n, 'integer <= 5', 'integer above 5', 'maximum', 5],
  [
    constrained(number, { multipleOf: 0.1 }),
    0.25,
    'number a multiple of 0.1',
    'number that is not a multiple of 0.1',
    'multipleOf',
    0.1,
  ],
  [
    constrained(string, { minLength: 3, maxLength: 9 }),
    '🙂🙂',
    'string of 3 to 9 characters',
    'string of length 2',
    'minLength',
    3,
  ],
  [
    constrained(string, { minLength: 1, maxLength: 1 }),
    '',
    'string of 1 character',
    'string of length 0',
    'minLength',
    1,
  ],
  [
    constrained(string, { pattern: '^a' }),
    'b',
    'string like ^a',
    'string that does not match the pattern',
    'pattern',
    '^a',
  ],
  [
    constrained(string, { maxLength: 2, pattern: '^a' }),
    'bbb',
    'string of at most 2 characters and like ^a',
    'string of length 3',
    'maxLength',
    2,
  ],
  [
    constrained(string, { format: 'email' }),
    'b',
    'string in the format email',
    'string that is not in the format email',
    'format',
    'email',
  ],
  [
    constrained(url, { maxLength: 12 }),
    new URL('https://example.org'),
    'URL of at most 12 characters',
    'URL of length 20',
    'maxLength',
    12,
  ],
  [
    constrained(array(int), { minItems: 1, maxItems: 2 }),
    [1, 2, 3],
    'array of int of 1 to 2 elements',
    'array of length 3',
    'maxItems',
    2,
  ],
  [
    constrained(array(int), { uniqueItems: true }),
    [1, 1],
    'array of int without equal elements',
    'array with equal elements',
    'uniqueItems',
    true,
  ],
  [
    constrained(set(int), { minItems: 2 }),
    new Set([1]),
    'array of int of at least 2 elements',
    'set of length 1',
    'minItems',
    2,
  ],
  [union([constrained(int, { minimum: 1 }), string]), 0, 'int >= 1 | string', 'int below 1', 'minimum', 1],
])(
  'the first constraint that a value does not meet describes it: %#',
  (type, value, expected, received, code, limit) => {
    expect(explain(typeOf(type), value, ['a'])).toEqual([{ path: ['a'], code, limit, expected, received }])
  },
)

test('with its value, a rejected value is shown instead', () => {
  const type = typeOf(constrained(int, { maximum: 100 }))
  expect(explain(type, 101, ['a'], 'values')).toEqual([
    { path: ['a'], code: 'maximum', limit: 100, expected: 'int <= 100', received: 'number 101' },
  ])
})

test('of two bounds the stricter one applies, wherever it is declared', () => {
  const limited = constrained(int, { minimum: 0, maximum: 5 })
  expect(describeType(typeOf(constrained(limited, { minimum: -1, maximum: 10 })))).toBe('int from 0 to 5')
  expect(describeType(typeOf(constrained(limited, { minimum: 1, maximum: 3 })))).toBe('int from 1 to 3')
})

test('the error names the limit that a call exceeds', () => {
  const line = { quantity: 0, price: 1 }
  expect(explainCall(procedures.change, [line], localWire)).toEqual([
    { path: ['changes', 'quantity'], code: 'minimum', limit: 1, expected: 'int >= 1', received: 'int below 1' },
  ])
  expect(accepts(procedures.change, [line])).toBe(false)
  expect(accepts(procedures.change, [{ ...line, quantity: 1 }, 0, 5])).toBe(true)
  expect(accepts(procedures.change, [{ ...line, quantity: 1 }, 0, -5])).toBe(false)
})

/** What is generated of sources by their path; links by the folder that they lead to. */
async function generated(files: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder('constraints')
  const put = (path: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    return join(folder, path)
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(put(path), text)
  for (const [path, target] of Object.entries(links)) symlinkSync(join(folder, target), put(path), 'junction')
  const { files: made, diagnostics } = await generate({ paths: ['src'], out: 'src/rpc.gen.ts', cwd: folder })
  expect(diagnostics).toEqual([])
  return made[0]?.text ?? ''
}

const paths = { 'rpc-gen': [join(import.meta.dirname, '../../runtime/index.ts')] }
const tsconfig = JSON.stringify({
  compilerOptions: { module: 'nodenext', lib: ['ES2023', 'DOM'], types: [], strict: true, skipLibCheck: true, paths },
  include: ['src'],
})

test('constraint tags of a workspace package apply, those of an installed one do not', async () => {
  const named = (name: string) => `{ "name": "${name}", "version": "1.0.0", "types": "index.d.ts" }`
  const text = await generated(
    {
      'tsconfig.json': tsconfig,
      'packages/types/package.json': named('@ws/types').replace('index.d.ts', 'src/index.ts'),
      'packages/types/src/index.ts': 'export interface X {\n  /** @minimum 3 */\n  n: number\n}\n',
      'packages/built/package.json': named('@ws/built'),
      'packages/built/index.d.ts': 'export interface Y {\n  /** @minimum 4 */\n  n: number\n}\n',
      'node_modules/other/package.json': named('other'),
      'node_modules/other/index.d.ts':
        '/** @minimum 6 */\nexport type A = number\nexport interface Z {\n  /** @minimum 5 */\n  n: A\n}\n',
      'src/a.ts': [
        "import type { X } from '@ws/types'",
        "import type { Y } from '@ws/built'",
        "import type { Z } from 'other'",
        '/** @rpc */',
        'export function f(x: X, y: Y, z: Z): void {}',
      ].join('\n'),
    },
    { 'node_modules/@ws/types': 'packages/types', 'node_modules/@ws/built': 'packages/built' },
  )
  expect([3, 4, 5, 6].map((limit) => text.includes(`constrained(number, { minimum: ${limit} })`))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a parameter of a constructor that is a member has its constraints, and those of its type', async () => {
  const text = await generated({
    'tsconfig.json': tsconfig,
    'src/a.ts': [
      "import type { Minimum } from 'rpc-gen'",
      'export type X = number & Minimum<3>',
      'export class C { constructor(/** @minimum 2 */ public w: number, public z: X) {} }',
      '/** @rpc */',
      'export function f(c: C): void {}',
    ].join('\n'),
  })
  expect(text).toContain('const cW = constrained(number, { minimum: 2 })')
  expect(text).toContain('const x = constrained(number, { minimum: 3 })')
})

test('a list that is a parameter of a constructor has its constraints, and those of its elements', async () => {
  const text = await generated({
    'tsconfig.json': tsconfig,
    'src/a.ts': [
      "import type { Minimum } from 'rpc-gen'",
      'export type X = number & Minimum<3>',
      'export class C {',
      '  constructor(',
      '    /** @minItems 1 */ public w: X[],',
      '    public x: X[] | null,',
      '    readonly y: Record<string, X>,',
      '    /** @maxItems 4 */ public z?: Set<X>,',
      '  ) {}',
      '}',
      '/** @rpc */',
      'export function f(c: C): void {}',
    ].join('\n'),
  })
  expect(text).toContain('const x = constrained(number, { minimum: 3 })')
  expect(text).toContain('const cW = constrained(array(x), { minItems: 1 })')
  expect(text).toContain('const cX = array(x)')
  expect(text).toContain('const cY = record(x)')
  expect(text).toContain('const cZ = constrained(set(x), { maxItems: 4 })')
})
