import { branchOf, isJsonObject, resolveType } from '../../schema/described-types.js'
import type { DescribedType, TypesByName } from '../../schema/description.js'
import { decodeBase64 } from '../../values/bytes.js'
import { parseDateTime } from '../../xmlrpc/scalars.js'
import { elementType, memberType } from '../inner-type.js'
import { type Code, codeOf } from './print.js'

/** How a language writes values that JSON cannot represent. Kinds that are left out are written as in JSON. */
export interface NativeWriters {
  readonly date: (date: Date) => string
  readonly bytes: (bytes: Uint8Array) => string
  readonly bigint: (digits: string) => string
  readonly number?: (value: number, kind: string) => string | undefined
  readonly url?: (text: string) => string
  readonly set?: (values: readonly unknown[]) => Code
  readonly map?: (entries: readonly (readonly [string, unknown])[]) => Code
  readonly undefined?: string
}

/** A value in its JSON form, with code for types that JSON does not have. */
export function toNative(value: unknown, type: DescribedType, types: TypesByName, write: NativeWriters): unknown {
  const plain = resolveType(type, types)
  if (plain.kind === 'union') {
    const branch = plain.branches[branchOf(value, plain, types)]
    return branch ? toNative(value, branch, types, write) : value
  }
  if (Array.isArray(value)) {
    const values = value.map((each, index) => toNative(each, elementType(plain, index), types, write))
    return (plain.kind === 'set' && write.set?.(values)) || values
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, each]) => [name, toNative(each, memberType(plain, name), types, write)] as const,
    )
    return (plain.kind === 'map' && write.map?.(members)) || Object.fromEntries(members)
  }
  if (typeof value === 'string') return textToNative(value, plain.kind, write)
  if (typeof value === 'number') return numberToNative(value, plain.kind, write)
  const isNothing = value === null && /^(undefined|void)$/.test(plain.kind) && write.undefined !== undefined
  return isNothing ? codeOf(write.undefined ?? '') : value
}

function numberToNative(value: number, kind: string, write: NativeWriters): number | Code {
  if (kind === 'bigint' && Number.isSafeInteger(value)) return codeOf(write.bigint(String(value)))
  const text = write.number?.(value, kind)
  return text === undefined ? value : codeOf(text)
}

function textToNative(text: string, kind: string, write: NativeWriters): string | Code {
  if (kind === 'bigint' && /^-?\d+$/.test(text)) return codeOf(write.bigint(text))
  if (kind === 'url' && write.url) return codeOf(write.url(text))
  const date = kind === 'date' ? parseDateTime(text) : undefined
  if (date) return codeOf(write.date(date))
  const bytes = kind === 'bytes' ? decodeBase64(text) : undefined
  return bytes ? codeOf(write.bytes(bytes)) : text
}
