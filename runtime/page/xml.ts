import { branchOf, isJsonObject, resolveType } from '../schema/described-types.js'
import type { DescribedParam, DescribedType, TypesByName } from '../schema/description.js'
import { decodeBase64 } from '../values/bytes.js'
import { isInt } from '../values/predicates.js'
import { escapeText } from '../xmlrpc/parse.js'
import { parseDateTime, writeDouble, writeInt, writeScalar } from '../xmlrpc/scalars.js'
import { anyType, argumentType, elementType, memberType } from './inner-type.js'
import { prettyXml } from './pretty.js'

/**
 * A `<methodCall>` of values in JSON form. A value that does not match its type is written by its own form, so that the server
 * reports the mismatch. Throws an Error for a text that XML cannot represent.
 */
export function methodCall(
  name: string,
  params: readonly unknown[],
  declared: readonly DescribedParam[],
  types: TypesByName,
): string {
  const values = params.map((each, index) => xmlValue(each, argumentType(declared, index), types))
  const list = values.map((each) => `<param>${each}</param>`).join('')
  const call = `<methodName>${escapeText(name)}</methodName><params>${list}</params>`
  return prettyXml(`<?xml version="1.0"?><methodCall>${call}</methodCall>`)
}

function xmlValue(value: unknown, type: DescribedType, types: TypesByName): string {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') {
    return xmlValue(value, plain.branches[branchOf(value, plain, types)] ?? anyType, types)
  }
  if (Array.isArray(value)) return listValue(value, (index) => elementType(plain, index), types)
  if (isJsonObject(value)) return structValue(Object.entries(value), (name) => memberType(plain, name), types)
  if (typeof value === 'string') return textValue(value, plain.kind)
  if (typeof value === 'number') return numberValue(value, plain.kind)
  return writeScalar(value ?? null) ?? ''
}

function numberValue(value: number, kind: string): string {
  if (kind === 'double') return writeDouble(value)
  if (kind === 'bigint') return `<value><i8>${value}</i8></value>`
  return isInt(value) && !Object.is(value, -0) ? writeInt(value) : writeDouble(value)
}

/** A date, binary data or a long integer, if the text is one. */
function textValue(text: string, kind: string): string {
  if (kind === 'bigint' && /^-?\d+$/.test(text)) return `<value><i8>${text}</i8></value>`
  const read = kind === 'date' ? parseDateTime(text) : kind === 'bytes' ? decodeBase64(text) : undefined
  return writeScalar(read ?? text) ?? ''
}

function listValue(values: readonly unknown[], typeAt: (index: number) => DescribedType, types: TypesByName): string {
  const items = values.map((each, index) => xmlValue(each, typeAt(index), types)).join('')
  return `<value><array><data>${items}</data></array></value>`
}

function structValue(
  members: readonly [string, unknown][],
  typeOf: (name: string) => DescribedType,
  types: TypesByName,
): string {
  const items = members.map(
    ([name, each]) => `<member><name>${escapeText(name)}</name>${xmlValue(each, typeOf(name), types)}</member>`,
  )
  return `<value><struct>${items.join('')}</struct></value>`
}
