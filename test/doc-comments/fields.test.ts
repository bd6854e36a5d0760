import { describe, expect, test } from 'vitest'
import { parseDocComment } from '../../generator/doc-comments/index.js'
import { starred } from './comment.js'

describe(':param:', () => {
  test.each([
    [':param a: First', { name: 'a', text: 'First' }],
    [':param Int a: First', { name: 'a', text: 'First' }],
    [':param Record<string, Int> a: First', { name: 'a', text: 'First' }],
    [':param a:', { name: 'a', text: '' }],
    [':param a:First', { name: 'a', text: 'First' }],
    [':param a: at 10:30: tea', { name: 'a', text: 'at 10:30: tea' }],
    ['  :param\ta:\tFirst', { name: 'a', text: 'First' }],
    [':param opts.deep: text', { name: 'opts.deep', text: 'text' }],
  ])('%j', (line, param) => {
    const { description, params, problems } = parseDocComment(starred(line))
    expect([description, params, problems]).toEqual(['', [{ ...param, line: 1 }], []])
  })
})

describe('continuation lines', () => {
  test.each([
    ['deeper lines', ['  more', '    still', '  end'], 'First\nmore\n  still\nend', ''],
    ['one space', [' more'], 'First\nmore', ''],
    ['a tab', ['\tmore'], 'First\nmore', ''],
    ['a blank line before a deeper one', ['', '    more'], 'First\n\nmore', ''],
    ['a blank line before another', ['', 'more'], 'First', 'more'],
    ['a line that is not deeper', ['more', '  deeper'], 'First', 'more\n  deeper'],
    ['a fence that is deeper', ['  ```', '@rpc', '  ```', '  end'], 'First\n  ```\n@rpc\n  ```\n  end', ''],
    ['a fence that is not deeper', ['```', ':param b: x', '```'], 'First', '```\n:param b: x\n```'],
    ['an at sign in an indented block', ['      @rpc'], 'First\n@rpc', ''],
  ])('%s', (_, lines, text, description) => {
    const parsed = parseDocComment(starred(':param a: First', ...lines))
    expect([parsed.params, parsed.description, parsed.tags]).toEqual([[{ name: 'a', text, line: 1 }], description, []])
  })

  test('the text may begin on the next line', () => {
    const { params } = parseDocComment(starred(':param a:', '    First', '    number'))
    expect(params).toEqual([{ name: 'a', text: 'First\nnumber', line: 1 }])
  })

  test('a field or a tag ends a field, also when it is a little deeper', () => {
    const { params, tags } = parseDocComment(starred(':param a: First', '  :param b: Second', ' @since 2'))
    expect(params).toEqual([
      { name: 'a', text: 'First', line: 1 },
      { name: 'b', text: 'Second', line: 2 },
    ])
    expect(tags).toEqual([{ name: 'since', text: '2', firstLine: '2', line: 3 }])
  })
})

describe('the return and errors', () => {
  test.each([
    [[':return: Sum'], { text: 'Sum', line: 1 }],
    [[':returns: Sum', '  of both'], { text: 'Sum\nof both', line: 1 }],
    [[':rtype: Int'], undefined],
    [[':return: Sum', ':rtype: Int'], { text: 'Sum', line: 1 }],
    [[':rtype: Int', ':return: Sum'], { text: 'Sum', line: 2 }],
  ])('%j', (lines, returns) => {
    const parsed = parseDocComment(starred(...lines))
    expect([parsed.returns, parsed.problems]).toEqual([returns, []])
  })

  test.each([
    [':raises NotFound: when missing', { name: 'NotFound', text: 'when missing' }],
    [':raise 404: when missing', { name: '404', text: 'when missing' }],
    [':raises: when missing', { name: '', text: 'when missing' }],
  ])('%j', (line, thrown) => {
    expect(parseDocComment(starred(line)).throws).toEqual([{ ...thrown, line: 1 }])
  })
})
