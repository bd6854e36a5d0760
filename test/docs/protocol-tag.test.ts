import { expect, test } from 'vitest'
import { parseDocComment, protocolTag } from '../../generator/docs/index.js'
import { starred } from './comment.js'

test.each([
  [['Text.'], []],
  [['@protocol json-rpc'], ['json-rpc']],
  [['@protocol json-rpc, xml-rpc'], ['json-rpc', 'xml-rpc']],
  [['@protocol xml-rpc|json-rpc'], ['xml-rpc', 'json-rpc']],
  [['@protocol json-rpc | xml-rpc'], ['json-rpc', 'xml-rpc']],
  [['@protocol json-rpc json-rpc'], ['json-rpc']],
  [
    ['@protocol json-rpc', '@protocol xml-rpc'],
    ['json-rpc', 'xml-rpc'],
  ],
])('%j', (lines, protocols) => {
  expect(protocolTag(parseDocComment(starred(...lines)))).toEqual({ protocols, problems: [] })
})

test.each([
  [['@protocol'], [], '@protocol without a protocol'],
  [['@protocol soap'], [], 'unknown protocol "soap": json-rpc or xml-rpc'],
  [['@protocol JSON-RPC, xml-rpc'], ['xml-rpc'], 'unknown protocol "JSON-RPC": json-rpc or xml-rpc'],
  [['@protocol json-rpc', 'More.'], ['json-rpc'], 'text below @protocol is part of the tag: put it above'],
])('%j: %s %s', (lines, protocols, message) => {
  expect(protocolTag(parseDocComment(starred(...lines)))).toEqual({ protocols, problems: [{ message, line: 1 }] })
})
