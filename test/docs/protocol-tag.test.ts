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
])('%j', (lines, protocols) => {
  expect(protocolTag(parseDocComment(starred(...lines)))).toEqual({ protocols, problems: [] })
})

test.each([
  [['@protocol'], [], '@protocol: expected json-rpc or xml-rpc, got ""'],
  [['@protocol soap'], [], '@protocol: expected json-rpc or xml-rpc, got "soap"'],
  [['@protocol JSON-RPC, xml-rpc'], ['xml-rpc'], '@protocol: expected json-rpc or xml-rpc, got "JSON-RPC"'],
])('%j: %s %s', (lines, protocols, message) => {
  expect(protocolTag(parseDocComment(starred(...lines)))).toEqual({ protocols, problems: [{ message, line: 1 }] })
})
