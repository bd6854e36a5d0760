import { describe, expect, test } from 'vitest'
import { parseDocComment } from '../../generator/doc-comments/index.js'
import { starred } from './comment.js'

describe('@param', () => {
  test.each([
    [['@param a First'], { name: 'a', text: 'First' }],
    [['@param a'], { name: 'a', text: '' }],
    [['@param a - First - and last'], { name: 'a', text: 'First - and last' }],
    [['@param a -5 or more'], { name: 'a', text: '-5 or more' }],
    [['@param {Int} a First'], { name: 'a', text: 'First' }],
    [['@param {{ b: Int }} a First'], { name: 'a', text: 'First' }],
    [['@param {{', '  b: Int', '}} a First', '  more'], { name: 'a', text: 'First\nmore' }],
    [['@param {Int}', '  a First'], { name: 'a', text: 'First' }],
    [['@param [a] First'], { name: 'a', text: 'First' }],
    [['@param {Int} [a=5] - First'], { name: 'a', text: 'First', default: '5' }],
    [['@param [a=[1, 2]] First'], { name: 'a', text: 'First', default: '[1, 2]' }],
    [['@param opts.deep text'], { name: 'opts.deep', text: 'text' }],
    [['@param a First', '  more', '', '  end'], { name: 'a', text: 'First\nmore\n\nend' }],
    [['@param a', '  - one', '  - two'], { name: 'a', text: '- one\n- two' }],
    [['@param\ta\tFirst'], { name: 'a', text: 'First' }],
    [['@param a see {@link isStaff}'], { name: 'a', text: 'see isStaff' }],
  ])('%j', (lines, param) => {
    for (const source of [starred(...lines), starred(...lines).replaceAll('\n', '\r\n')]) {
      const { params, problems } = parseDocComment(source)
      expect([params, problems]).toEqual([[{ ...param, line: 1 }], []])
    }
  })

  test('without stars', () => {
    const { params } = parseDocComment('/**\n    @param {Int} a First\n      more\n    @param b Second\n  */')
    expect(params).toEqual([
      { name: 'a', text: 'First\nmore', line: 1 },
      { name: 'b', text: 'Second', line: 3 },
    ])
  })
})

describe('@returns and @throws', () => {
  test.each([
    [['@returns the value'], { text: 'the value' }],
    [['@return the value', '  of it'], { text: 'the value\nof it' }],
    [['@returns {Int} the value'], { text: 'the value' }],
    [['@returns {Int} - the value'], { text: 'the value' }],
    [['@returns {Int}'], { text: '' }],
    [['@returns {@link User} of the id'], { text: 'User of the id' }],
  ])('%j', (lines, returns) => {
    const parsed = parseDocComment(starred(...lines))
    expect([parsed.returns, parsed.problems]).toEqual([{ ...returns, line: 1 }, []])
  })

  test.each([
    ['@throws {NotFound} when missing', { name: 'NotFound', text: 'when missing' }],
    ['@throws 404 when missing', { name: '404', text: 'when missing' }],
    ['@throws -32001 when missing', { name: '-32001', text: 'when missing' }],
    ['@throws {404} when missing', { name: '404', text: 'when missing' }],
    ['@throws When missing', { name: '', text: 'When missing' }],
    ['@throws {@link NotFound} when missing', { name: 'NotFound', text: 'when missing' }],
    [
      '@throws {@link errors.NotFound | the error} - when {@link a} is missing',
      { name: 'errors.NotFound', text: 'when a is missing' },
    ],
    ['@throws if {@link a} is missing', { name: '', text: 'if a is missing' }],
  ])('%j', (line, thrown) => {
    expect(parseDocComment(starred(line)).throws).toEqual([{ ...thrown, line: 1 }])
  })
})

describe('other tags', () => {
  test.each([
    [['@auth {@link isStaff}'], { name: 'auth', text: '{@link isStaff}', firstLine: '{@link isStaff}' }],
    [['@deprecated'], { name: 'deprecated', text: '', firstLine: '' }],
    [['@deprecated use {@link plus}'], { name: 'deprecated', text: 'use plus', firstLine: 'use {@link plus}' }],
    [['@deprecated use {plus'], { name: 'deprecated', text: 'use {plus', firstLine: 'use {plus' }],
    [['@since The rest', 'of it'], { name: 'since', text: 'The rest\nof it', firstLine: 'The rest' }],
    [['@example', '  add(1)', '', '    add(2)'], { name: 'example', text: 'add(1)\n\n  add(2)', firstLine: '' }],
    [
      ['@example', '```ts', '@rpc', ':param x: y', '```', 'End.'],
      { name: 'example', text: '```ts\n@rpc\n:param x: y\n```\nEnd.', firstLine: '' },
    ],
    [['@example ~~~', '@rpc', '~~~'], { name: 'example', text: '~~~\n@rpc\n~~~', firstLine: '~~~' }],
    [['@example', '    @rpc'], { name: 'example', text: '@rpc', firstLine: '' }],
  ])('%j', (lines, tag) => {
    expect(parseDocComment(starred(...lines))).toEqual({
      description: '',
      params: [],
      throws: [],
      tags: [{ ...tag, line: 1 }],
      problems: [],
    })
  })
})
