import type { ContentDescriptor, OpenRpcOverload } from '../../runtime/openrpc/openrpc.js'
import { UsageError } from '../options.js'
import { lookUp } from './reference.js'

export type Fields = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The file that is read. */
export interface Reading {
  readonly root: Fields
  readonly name: string
}

/** References to methods, content descriptors and errors are followed here; those of schemas when they are compared. */
export function behind(value: unknown, { root, name }: Reading): unknown {
  const seen = new Set<unknown>()
  let at = value
  while (isRecord(at) && typeof at['$ref'] === 'string') {
    if (seen.has(at)) throw new UsageError(`${name} has ${at['$ref']}, which is nothing but a reference to itself`)
    seen.add(at)
    at = lookUp(at['$ref'], root, name)
  }
  return at
}

/** A content descriptor; `required` is false unless it says otherwise. `at` is what messages call it. */
export function descriptorOf(value: unknown, at: string, reading: Reading): ContentDescriptor {
  const found = behind(value, reading)
  if (!isRecord(found)) throw new UsageError(`${at} is no content descriptor`)
  const { name = 'result', schema, required, summary, description, 'x-rest': rest } = found
  if (typeof name !== 'string') throw new UsageError(`${at} has no name`)
  if (typeof schema !== 'boolean' && !isRecord(schema)) throw new UsageError(`${at} has no schema`)
  const words = [summary, description].find((each) => typeof each === 'string')
  return {
    name,
    schema: schema as ContentDescriptor['schema'],
    ...(required === true ? { required } : {}),
    ...(rest === true ? { 'x-rest': rest } : {}),
    ...(typeof words === 'string' ? { summary: words } : {}),
  }
}

/** One signature of an overloaded function; what is no list of params has none. */
export function overloadOf({ params, result }: Fields, at: string, reading: Reading): OpenRpcOverload {
  const all: readonly unknown[] = Array.isArray(params) ? params : []
  return {
    params: all.map((each, i) => descriptorOf(each, `param ${i + 1} of ${at}`, reading)),
    ...(result === undefined ? {} : { result: descriptorOf(result, `the result of ${at}`, reading) }),
  }
}
