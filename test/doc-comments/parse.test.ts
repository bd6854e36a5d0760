import { describe, expect, test } from 'vitest'
import { parseDocComment } from '../../generator/doc-comments/index.js'
import { starred } from './comment.js'

const add = starred(
  'Adds two numbers.',
  '',
  ':param a: First number',
  ':param b: Second number',
  ':return: Sum of a and b',
  '',
  '@rpc',
)

const addParsed = {
  description: 'Adds two numbers.',
  params: [
    { name: 'a', text: 'First number', line: 3 },
    { name: 'b', text: 'Second number', line: 4 },
  ],
  returns: { text: 'Sum of a and b', line: 5 },
  throws: [],
  tags: [{ name: 'rpc', text: '', firstLine: '', line: 7 }],
  problems: [],
}

describe('the shape of the comment', () => {
  test.each([
    ['with stars', add],
    ['with CRLF', add.replaceAll('\n', '\r\n')],
    ['with CR, as of old editors', add.replaceAll('\n', '\r')],
    ['indented, as in a class', add.replaceAll('\n', '\n    ')],
    ['with tabs before and behind the stars', add.replaceAll('\n * ', '\n\t*\t')],
    ['without stars', add.replaceAll(/^ \*(?!\/) ?/gm, '')],
    ['without stars, indented', add.replaceAll(/^ \*(?!\/) ?/gm, '    ')],
    ['without stars, indented by tabs, CRLF', add.replaceAll(/^ \*(?!\/) ?/gm, '\t\t').replaceAll('\n', '\r\n')],
  ])('%s', (_, source) => {
    expect(parseDocComment(source)).toEqual(addParsed)
  })

  test.each([
    ['one line', '/** Adds. */', 'Adds.'],
    ['no white space', '/**Adds.*/', 'Adds.'],
    ['text on the opening and on the closing line', '/** Adds\n * numbers. */', 'Adds\nnumbers.'],
    ['all lines indented', '/**\n *   Adds\n *     numbers.\n */', 'Adds\n  numbers.'],
    ['empty', '/** */', ''],
    ['no doc comment', '/* Adds. */', ''],
    ['three stars', '/*** Adds. */', ''],
  ])('%s', (_, source, description) => {
    expect(parseDocComment(source)).toEqual({ description, params: [], throws: [], tags: [], problems: [] })
  })

  test.each(['/** @rpc user.create */', '/**     @rpc user.create */', '/**\n    @rpc user.create */'])(
    '%j',
    (source) => {
      expect(parseDocComment(source).tags.map(({ name, text }) => [name, text])).toEqual([['rpc', 'user.create']])
    },
  )
})

describe('inline tags are text', () => {
  test.each([
    ['See {@link Order}.', 'See Order.'],
    ['See {@link Order | the order}, {@link Order the order}.', 'See the order, the order.'],
    ['See [the order]{@link Order}.', 'See the order.'],
    ['See {@linkcode Order.id} or {@linkplain Order#id}.', 'See `Order.id` or Order#id.'],
    [
      'See {@link https://x.org}, {@link https://x.org/a the rules}.',
      'See https://x.org, [the rules](https://x.org/a).',
    ],
    ['{@code a + b}', '`a + b`'],
    ['`{@link Order}` {@other x} {@ link}', '`{@link Order}` {@other x} {@ link}'],
    ['{@inheritDoc Base}', '{@inheritDoc Base}'],
  ])('%s', (text, plain) => {
    expect(parseDocComment(starred(text)).description).toBe(plain)
  })

  test('in time linear in the text', () => {
    const text = `${'[{@link '.repeat(20_000)}${'`'.repeat(20_001)}`
    expect(parseDocComment(starred(text)).description).toBe(text)
    const space = ' '.repeat(100_000)
    for (const open of [`{@link${space}x`, `{@${'a'.repeat(100_000)}`, `:param${space}x`])
      expect(parseDocComment(starred(open)).description).toBe(open)
  })
})

describe('the description', () => {
  test.each([
    ['a list', ['Does:', '', '- one', '  - two', '- three']],
    ['an indented code block', ['For instance:', '', '    add(1, 2)', '      // three']],
    ['an indented line with an at sign is code', ['For instance:', '', '    @rpc', '    :param x: y']],
    ['a fence of backticks', ['Such:', '```ts', '// @rpc', '@rpc', '', ':param x: y', '```', 'Done.']],
    ['a fence of tildes', ['Such:', '~~~', '@rpc', '```', ':param x: y', '~~~~', 'Done.']],
    ['a longer fence around a shorter one', ['````', '```', '@rpc', '```', '@rpc', '````']],
    ['a fence in a list', ['- ```', '  @rpc', '  ```', '- two']],
    ['an unknown field', [':foo bar: baz', ':param x', ':returning: x', ':params x: y']],
    ['at signs inside a line', ['Write to a@b.ch, see `{@link isStaff | staff}`, {@unknown x}, `@rpc` and // @see.']],
    ['a scoped package', ['@scope/name is a package.']],
    ['code within a line is not a fence', ['```one``` and', 'two']],
  ])('keeps %s', (_, lines) => {
    expect(parseDocComment(starred(...lines))).toEqual({
      description: lines.join('\n'),
      params: [],
      throws: [],
      tags: [],
      problems: [],
    })
  })

  test('continues after a field, as a separate paragraph', () => {
    const source = starred('One.', ':param a: first', 'Two.', '', ':return: third', '', 'Three.')
    expect(parseDocComment(source)).toEqual({
      description: 'One.\n\nTwo.\n\nThree.',
      params: [{ name: 'a', text: 'first', line: 2 }],
      returns: { text: 'third', line: 5 },
      throws: [],
      tags: [],
      problems: [],
    })
  })
})

describe('fields and tags together', () => {
  test('fields after tags end the tag', () => {
    const source = starred(
      '@rpc sum',
      ':param a: first',
      '@deprecated use plus',
      '  or minus',
      ':return: both',
      '@since 2',
    )
    expect(parseDocComment(source)).toEqual({
      description: '',
      params: [{ name: 'a', text: 'first', line: 2 }],
      returns: { text: 'both', line: 5 },
      throws: [],
      tags: [
        { name: 'rpc', text: 'sum', firstLine: 'sum', line: 1 },
        { name: 'deprecated', text: 'use plus\nor minus', firstLine: 'use plus', line: 3 },
        { name: 'since', text: '2', firstLine: '2', line: 6 },
      ],
      problems: [],
    })
  })

  test('parameters keep the order of first mention and are merged', () => {
    const source = starred('@param b', '@param a - first', ':param b: second', '@param {Int} a', '@param {Int} b')
    expect(parseDocComment(source)).toEqual({
      description: '',
      params: [
        { name: 'b', text: 'second', line: 1 },
        { name: 'a', text: 'first', line: 2 },
      ],
      throws: [],
      tags: [],
      problems: [],
    })
  })

  test('the return is merged', () => {
    const { returns, problems } = parseDocComment(starred('@returns the sum', '', ':rtype: Int'))
    expect(returns).toEqual({ text: 'the sum', line: 1 })
    expect(problems).toEqual([])
  })
})

describe('problems', () => {
  const closeIt = 'close it with as many backticks or tildes as it begins with'

  test.each([
    [['@param {Int a text', 'more'], '@param: unpaired curlies', 1],
    [['Text.', '@returns {Int'], '@returns: unpaired curlies', 2],
    [['@throws {E text'], '@throws: unpaired curlies', 1],
    [['@param [a=5 text'], '@param: unpaired brackets', 1],
    [['@param'], '@param without a name', 1, 'write @param and the name of the parameter'],
    [['@param {Int} - text'], '@param without a name', 1, 'write @param and the name of the parameter'],
    [['Text.', ':param: text'], ':param: without a name', 2, 'write :param: and the name of the parameter'],
    [[':param a: one', '@param a two'], 'parameter "a" is documented twice', 2, 'keep one of the descriptions'],
    [[':return: one', '@returns two'], 'the return is documented twice', 2, 'keep one of the descriptions'],
    [['Text.', '```ts', 'add()'], 'a code fence that never closes', 2, closeIt],
    [['@rpc', '```', '```'], 'text below @rpc is part of the tag: put it above', 1],
    [['@rpc', 'Adds'], 'text below @rpc is part of the tag: put it above', 1],
    [['@protocol json-rpc', 'More.'], 'text below @protocol is part of the tag: put it above', 1],
    [['@param {Int}'], '@param without a name', 1, 'write @param and the name of the parameter'],
    [['Does x. @rpc'], 'put @rpc on a line of its own', 1],
    [['@deprecated @rpc'], 'put @rpc on a line of its own', 1],
    [[':return: x', '  y @rpc name'], 'put @rpc on a line of its own', 2],
    [['@rpc', ':return: x @auth isStaff'], 'put @auth on a line of its own', 2],
    [['See @namespace x', '@rpc'], 'put @namespace on a line of its own', 1],
    [['For staff:', '    @auth isStaff', '@rpc'], 'put @auth further to the left: here it is text', 2],
  ])('%j: %s', (lines, message, line, hint?: string) => {
    expect(parseDocComment(starred(...lines)).problems).toEqual([{ message, ...(hint && { hint }), line }])
  })

  test.each(['rpc', 'namespace', 'protocol'])('@%s twice', (name) => {
    const { problems } = parseDocComment(starred(`@${name} a`, '@since 2', `@${name} b`))
    expect(problems).toEqual([{ message: `@${name} is written twice`, hint: 'keep one of them', line: 3 }])
  })

  test('a code fence that never closes does not hide the tags below it', () => {
    const { tags, problems } = parseDocComment(starred('@rpc', '@example', '```', '@auth isStaff', '@example'))
    expect(tags.map(({ name }) => name)).toEqual(['rpc', 'example', 'auth', 'example'])
    expect(problems).toEqual([{ message: 'a code fence that never closes', hint: closeIt, line: 3 }])
  })

  test('an @rpc behind text in one line', () => {
    const { description, tags, problems } = parseDocComment('/** Does x. @rpc */')
    expect([description, tags, problems]).toEqual([
      'Does x. @rpc',
      [],
      [{ message: 'put @rpc on a line of its own', line: 0 }],
    ])
  })

  test('a mention of @rpc in addition to the tag has no effect', () => {
    expect(parseDocComment(starred('Marked with @rpc, as in @rpc here.', '@rpc')).problems).toEqual([])
  })

  test.each([
    ['in a code block', ['For staff:', '', '    @auth isStaff']],
    ['in backticks', ['Like `@auth isStaff` or `x @auth y`.']],
    ['with other signs', ['Like @auth-token, @authority and mail@auth here.']],
    ['as a word of a tag that rejects it', ['@protocol json-rpc @auth isStaff']],
  ])('a mention of @auth %s is not a tag', (_where, lines) => {
    expect(parseDocComment(starred(...lines)).problems).toEqual([])
  })

  test('are in the order of their lines', () => {
    const { problems } = parseDocComment(starred(':param a: one', ':param a: two', '@param -', '~~~'))
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4])
  })
})
