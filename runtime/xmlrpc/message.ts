import type { Call } from '../call.js'
import { isRpcError, RpcInvalidParams } from '../error.js'
import type { Limits } from '../limits.js'
import { readXml, type XmlNode } from './reader.js'
import { elementsOf, misplaced, partsOf, required, textOf, trimSpace } from './structure.js'
import { type Place, readValue } from './values.js'

/**
 * Reads a `<methodCall>`. XML-RPC has parameters by position only and answers every call.
 *
 * Throws RpcParseError for malformed XML and RpcInvalidRequest for what is no call. A parameter whose text is not of
 * its type (`<int>x</int>`) is no reason to throw yet: `params` throws RpcInvalidParams when it is read, so that an
 * unknown method and a caller without leave are told so first.
 */
export function decodeCall(text: string, limits: Limits): Call {
  // A nested value is <value><array><data> or <value><struct><member>; ten are the call around them and a scalar.
  const root = readXml(text, limits.depth * 3 + 10)
  if (root.name !== 'methodCall') throw misplaced('', `expected <methodCall>, found <${root.name}>`)
  const parts = partsOf(root, ['methodName', 'params'], '')
  const method = trimSpace(textOf(required(parts.methodName, 'methodName', 'methodCall', ''), ''))
  if (method === '') throw misplaced('', '<methodName> is empty')
  try {
    return { method, params: readParams(method, parts.params, limits), wantsReply: true }
  } catch (error) {
    if (!(error instanceof RpcInvalidParams)) throw error
    return refusedCall(method, error)
  }
}

function refusedCall(method: string, error: RpcInvalidParams): Call {
  return {
    method,
    get params(): never {
      throw error
    },
    wantsReply: true,
  }
}

function readParams(method: string, params: XmlNode | undefined, { depth }: Limits): unknown[] {
  if (!params) return []
  const readEach = method === 'system.multicall' ? readEntries : readValue
  return elementsOf(params, 'params').map((param, i) => {
    if (param.name !== 'param') throw misplaced('params', `<${param.name}> in <params>`)
    const path = `params[${i}]`
    const value = required(partsOf(param, ['value'], path).value, 'value', 'param', path)
    return readEach(value, { path, depth, maxDepth: depth })
  })
}

/** The entries of a multicall; one that cannot be read is its error, since one bad entry is one fault. */
function readEntries(value: XmlNode, at: Place): unknown {
  return readValue(value, at, readEntry)
}

function readEntry(value: XmlNode, at: Place): unknown {
  try {
    return readValue(value, at)
  } catch (error) {
    if (isRpcError(error)) return error
    throw error
  }
}
