import type { ContentDescriptor, OpenRpcOverload } from '../../runtime/openrpc/openrpc.js'
import { UsageError } from '../options.js'
import { type Api, type ApiMethod, allProtocols } from './api.js'
import { behind, descriptorOf, type Fields, isRecord, type Reading } from './descriptor.js'
import { lockFormat } from './lock-format.js'
import { markRests } from './rest.js'

/** Whether a file is a lock, of any version. */
export function isLock(value: Fields): boolean {
  return lockFormat.key in value
}

/** What a lock says of an API: the contract, and no words for people. */
export function apiOfLock(lock: Fields, name: string): Api {
  if (lock[lockFormat.key] !== lockFormat.version) {
    throw new UsageError(`${name} was written by another version of rpc-gen: write it again with --lock`)
  }
  const { methods } = lock
  if (!isRecord(methods)) throw new UsageError(`${name} has no methods: write it again with --lock`)
  const all = Object.entries(methods).map(([method, fields]) => methodOf(method, fields, lock, name))
  const isList = (schema: unknown) => {
    const found = behind(schema, { root: lock, name })
    return isRecord(found) && found['type'] === 'array'
  }
  return { name, root: lock, documented: false, jsonOnly: false, methods: markRests(all, isOurs, isList) }
}

/** A lock of another tool's document says of nothing who may call it. */
function isOurs({ signatures, protocols, structure }: ApiMethod): boolean {
  return structure === 'either' && (signatures !== undefined || protocols !== allProtocols)
}

function methodOf(method: string, fields: unknown, root: Fields, name: string): ApiMethod {
  const at = `method ${method} of ${name}`
  if (!isRecord(fields)) throw new UsageError(`${at} is no object: write it again with --lock`)
  const reading = { root, name }
  const { structure, overloads } = fields
  return {
    name: method,
    params: paramsIn(fields, at, reading),
    result: resultIn(fields, at, reading),
    overloads:
      overloads === undefined ? undefined : listOf(overloads).map((each, i) => overloadOf(each, i, at, reading)),
    errors: new Map(listOf(fields['errors']).map((code) => [Number(code), ''])),
    structure: structure === 'by-name' || structure === 'by-position' ? structure : 'either',
    protocols: fields['protocols'] === undefined ? allProtocols : listOf(fields['protocols']).map(String),
    signatures: fields['signatures'] ? listOf(fields['signatures']).map((each) => String(each).split(' ')) : undefined,
    idempotent: fields['idempotent'] === true,
    deprecated: false,
    docs: new Map(),
  }
}

function overloadOf(value: unknown, index: number, method: string, reading: Reading): OpenRpcOverload {
  const at = `overload ${index + 1} of ${method}`
  if (!isRecord(value)) throw new UsageError(`${at} is no object: write it again with --lock`)
  const result = resultIn(value, at, reading)
  return { params: paramsIn(value, at, reading), ...(result && { result }) }
}

function paramsIn({ params }: Fields, at: string, reading: Reading): ContentDescriptor[] {
  return listOf(params).map((each, i) => paramOf(each, `param ${i + 1} of ${at}`, reading))
}

function resultIn({ result }: Fields, at: string, reading: Reading): ContentDescriptor | undefined {
  return result === undefined ? undefined : descriptorOf({ schema: result }, `the result of ${at}`, reading)
}

function paramOf(value: unknown, at: string, reading: Reading): ContentDescriptor {
  const isRest = isRecord(value) && value['rest'] === true
  return { ...descriptorOf(value, at, reading), ...(isRest ? { 'x-rest': true } : {}) }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
