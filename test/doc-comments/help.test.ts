import { expect, test } from 'vitest'
import { parseDocComment } from '../../generator/doc-comments/index.js'
import { helpText } from '../../runtime/description/description.js'
import { starred } from './comment.js'

function help(names: string[], ...lines: string[]): string {
  const { description, params, returns } = parseDocComment(starred(...lines))
  const docOf = (name: string) => params.find((each) => each.name === name)?.text
  return helpText(description, {
    params: names.map((name) => ({ name, doc: docOf(name) ?? '' })),
    returns: { doc: returns?.text },
  })
}

test('the example of the design', () => {
  const fields = [':param a: First number', ':param b: Second number', ':return: Sum of a and b']
  expect(help(['a', 'b'], 'Adds two numbers.', '', ...fields, '', '@rpc')).toBe(
    'Adds two numbers.\n\n:param a: First number\n:param b: Second number\n:return: Sum of a and b',
  )
})

test('the same with tags', () => {
  const tags = [
    '@rpc',
    '@param {Int} b - Second number',
    '@returns {Int} Sum of a and b',
    '@param {Int} a First number',
  ]
  expect(help(['a', 'b'], 'Adds two numbers.', ...tags)).toBe(
    'Adds two numbers.\n\n:param a: First number\n:param b: Second number\n:return: Sum of a and b',
  )
})

test.each([
  ['nothing', ['@rpc'], ''],
  ['the description alone', ['Adds.', '', 'Both.', '@rpc'], 'Adds.\n\nBoth.'],
  ['fields alone', [':return: Sum', ':param a: First'], ':param a: First\n:return: Sum'],
  ['types alone', ['Adds.', ':type a: Int', ':rtype: Int'], 'Adds.'],
  ['an unknown parameter', ['Adds.', ':param c: Third'], 'Adds.'],
  [
    'continuation lines',
    [':param a: First', '  one', '', '    two', ':return: Sum', ' of both'],
    ':param a: First\n    one\n\n      two\n:return: Sum\n    of both',
  ],
])('%s', (_, lines, expected) => {
  expect(help(['a', 'b'], ...lines)).toBe(expected)
})

test('the printed text is parsed to the same documentation', () => {
  const text = help(['a'], 'Adds.', ':param a: First', '  one', '', '    two', '@returns Sum')
  expect(help(['a'], ...text.split('\n'))).toBe(text)
})

test('defaults and deprecations of parameters', () => {
  const params = [
    { name: 'a', doc: 'First', default: 20 },
    { name: 'b', default: 'x', deprecated: true, deprecation: 'use a' },
    { name: 'c', default: null },
    { name: 'd', deprecated: true },
  ]
  expect(helpText('', { params, returns: {} })).toBe(
    [
      ':param a: First\n\n    Default: 20',
      ':param b: Deprecated: use a\n\n    Default: "x"',
      ':param c: Default: null',
      ':param d: Deprecated.',
    ].join('\n'),
  )
})

test('the deprecation and the errors of the procedure', () => {
  const throws = [
    { name: 'NotFound', code: 404, text: 'no such order' },
    { name: 'RpcError', code: 409, text: '409 when it is sent\ntwice' },
    { name: '-32050', code: -32050, text: 'at night' },
    { name: 'Unknown', text: '' },
    { name: '', text: 'sometimes' },
  ]
  const documented = { params: [], returns: {}, throws, deprecated: true }
  const errors = [
    ':raises 404: no such order',
    ':raises 409: when it is sent\n    twice',
    ':raises -32050: at night',
    ':raises Unknown: Unknown',
    ':raises : sometimes',
  ]
  expect(helpText('', documented)).toBe(`Deprecated.\n\n${errors.join('\n')}`)
  expect(helpText('Finds.', { params: [], returns: {}, deprecated: true, deprecation: 'use get' })).toBe(
    'Finds.\n\nDeprecated: use get',
  )
})
