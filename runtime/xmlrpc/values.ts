import { setMember } from '../convert.js'
import { RpcInvalidParams } from '../error.js'
import { memberPath } from '../explain.js'
import type { Struct } from '../predicates.js'
import type { XmlNode } from './reader.js'
import { type Scalar, scalars } from './scalars.js'
import { elementsOf, misplaced, partsOf, required, textOf, trimSpace } from './structure.js'

/** Where a value stands. */
export interface Place {
  /** `params[0].lines[2].quantity` */
  readonly path: string
  /** How many arrays and structs more may be nested here. */
  readonly depth: number
  /** The limit itself, for the error. */
  readonly maxDepth: number
}

/** Reads a `<value>`. */
export type ReadValue = (value: XmlNode, at: Place) => unknown

/**
 * Reads a `<value>`: an integer is a number where that is exact, else a bigint; a date is a Date, base64 a Uint8Array,
 * nil null, a struct a plain object with own members. Text without an element is a string, its white space kept.
 *
 * Throws RpcInvalidRequest for elements that XML-RPC does not have or not there, and for nesting beyond the limit;
 * RpcInvalidParams for a scalar whose text is not of its type.
 */
export function readValue(value: XmlNode, at: Place, readElement: ReadValue = readValue): unknown {
  if (value.children.every((child) => typeof child === 'string')) return textOf(value, at.path)
  const [type, second] = elementsOf(value, at.path)
  if (!type || second) throw misplaced(at.path, '<value> with more than one element')
  if (type.name === 'string') return textOf(type, at.path)
  if (type.name === 'array') return readArray(type, nested(at), readElement)
  if (type.name === 'struct') return readStruct(type, nested(at))
  const scalar = scalars.get(type.name)
  if (!scalar) throw misplaced(at.path, `<${type.name}> is no type of XML-RPC`)
  return readScalar(scalar, trimSpace(textOf(type, at.path)), at.path)
}

function readScalar(scalar: Scalar, text: string, path: string): unknown {
  const value = scalar.read(text)
  if (value !== undefined) return value
  const { expected } = scalar
  const received = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
  throw new RpcInvalidParams(`Invalid params: ${path}: expected ${expected}, received ${received}`, {
    data: [{ path, expected, received }],
  })
}

function readArray(array: XmlNode, at: Place, readElement: ReadValue): unknown[] {
  const data = required(partsOf(array, ['data'], at.path).data, 'data', 'array', at.path)
  return elementsOf(data, at.path).map((element, i) => {
    if (element.name !== 'value') throw misplaced(at.path, `<${element.name}> in <data>`)
    return readElement(element, { ...at, path: `${at.path}[${i}]` })
  })
}

/** The last of two members with one name wins; name and value come in either order. */
function readStruct(struct: XmlNode, at: Place): Struct {
  const members: Struct = {}
  for (const element of elementsOf(struct, at.path)) {
    if (element.name !== 'member') throw misplaced(at.path, `<${element.name}> in <struct>`)
    const parts = partsOf(element, ['name', 'value'], at.path)
    const name = textOf(required(parts.name, 'name', 'member', at.path), at.path)
    const value = required(parts.value, 'value', 'member', at.path)
    setMember(members, name, readValue(value, { ...at, path: memberPath(at.path, name) }))
  }
  return members
}

function nested(at: Place): Place {
  if (at.depth < 1) throw misplaced('', `nested deeper than ${at.maxDepth}`)
  return { ...at, depth: at.depth - 1 }
}
