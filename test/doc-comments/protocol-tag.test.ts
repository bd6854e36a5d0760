import { expect, test } from 'vitest'
import { parseDocComment, readMeta } from '../../generator/doc-comments/index.js'
import { starred } from './comment.js'

test.each([
  [['Text.'], undefined],
  [['@protocol json-rpc'], ['json-rpc']],
  [['@protocol json-rpc, xml-rpc'], ['json-rpc', 'xml-rpc']],
  [['@protocol xml-rpc|json-rpc'], ['xml-rpc', 'json-rpc']],
  [['@protocol json-rpc | xml-rpc'], ['json-rpc', 'xml-rpc']],
  [['@protocol json-rpc json-rpc'], ['json-rpc']],
])('%j', (lines, protocols) => {
  expect(readMeta(parseDocComment(starred(...lines)))).toEqual({ meta: { protocols }, problems: [] })
})

test.each([
  [['@protocol'], '@protocol: expected json-rpc or xml-rpc, got ""'],
  [['@protocol soap'], '@protocol: expected json-rpc or xml-rpc, got "soap"'],
  [['@protocol JSON-RPC, xml-rpc'], '@protocol: expected json-rpc or xml-rpc, got "JSON-RPC"'],
])('%j: %s', (lines, message) => {
  expect(readMeta(parseDocComment(starred(...lines)))).toEqual({ meta: {}, problems: [{ message, line: 1 }] })
})
