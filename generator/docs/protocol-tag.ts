import type { ProtocolName } from '../../runtime/protocol.js'
import type { DocComment, DocProblem } from './comment.js'
import { textBelow } from './rpc-tag.js'

/** What `@protocol` says. */
export interface ProtocolTag {
  /** In the order written, without repetition; empty without the tag. */
  readonly protocols: readonly ProtocolName[]
  readonly problems: readonly DocProblem[]
}

/** Reads `@protocol json-rpc`, or several protocols with white space, commas or bars between them. */
export function protocolTag(doc: DocComment): ProtocolTag {
  const tags = doc.tags.filter(({ name }) => name === 'protocol')
  const words = tags.flatMap(({ firstLine, line }) => {
    const found = firstLine.split(/[\s,|]+/).filter((word) => word !== '')
    return (found.length === 0 ? [''] : found).map((word) => ({ word, line }))
  })
  const wrong = words.filter(({ word }) => !isProtocol(word))
  return {
    protocols: [...new Set(words.map(({ word }) => word).filter(isProtocol))],
    problems: [...wrong.map(({ word, line }) => ({ message: complaint(word), line })), ...tags.flatMap(textBelow)],
  }
}

function isProtocol(word: string): word is ProtocolName {
  return word === 'json-rpc' || word === 'xml-rpc'
}

function complaint(word: string): string {
  return word === '' ? '@protocol without a protocol' : `unknown protocol "${word}": json-rpc or xml-rpc`
}
