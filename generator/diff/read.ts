import { readFileSync } from 'node:fs'
import { UsageError } from '../options.js'
import { type AnyMethod, type Api, apiOf } from './api.js'
import { behind, descriptorOf, type Fields, isRecord, overloadOf, type Reading } from './descriptor.js'
import { apiOfLock, isLock } from './read-lock.js'

/**
 * Reads a description of an API: an OpenRPC document 1.2 to 1.4 of any tool, or an rpc.lock.json. `name` is what messages
 * call it. Throws UsageError with a sentence for a file that is none of these.
 */
export function readApi(path: string, name = path): Api {
  return parseApi(textAt(path, name), name)
}

function textAt(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`there is no file ${name}`)
    throw new UsageError(code === 'EISDIR' ? `${name} is a folder, not a file` : `${name} cannot be read`)
  }
}

/** The same of the text of a file. */
export function parseApi(text: string, name: string): Api {
  const value = parseJson(text, name)
  if (!isRecord(value)) throw new UsageError(`${name} is no OpenRPC document: it is no JSON object`)
  return isLock(value) ? apiOfLock(value, name) : apiOfDocument(value, name)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // Behind a comma the file is quoted, with its line breaks.
    throw new UsageError(`${name} is no JSON: ${String((error as Error).message).split(',')[0]}`)
  }
}

function apiOfDocument(document: Fields, name: string): Api {
  const { openrpc, methods } = document
  if (typeof openrpc !== 'string') {
    const other = ['openapi', 'swagger', 'asyncapi'].find((each) => each in document)
    throw new UsageError(`${name} is no OpenRPC document: ${other ? `it says ${other}` : 'it does not say openrpc'}`)
  }
  if (!/^1\.[234](?:\.|$)/.test(openrpc)) {
    throw new UsageError(`${name} is OpenRPC ${openrpc}: 1.2, 1.3 and 1.4 can be read`)
  }
  if (!Array.isArray(methods)) throw new UsageError(`${name} is no OpenRPC document: it has no list of methods`)
  const reading = { root: document, name }
  const api = apiOf({ methods: methods.map((each, i) => methodOf(each, i, reading)) }, name)
  return { ...api, root: document, jsonOnly: true }
}

function methodOf(value: unknown, index: number, reading: Reading): AnyMethod {
  const method = behind(value, reading)
  if (!isRecord(method) || typeof method['name'] !== 'string') {
    throw new UsageError(`method ${index + 1} of ${reading.name} has no name`)
  }
  const { name, params = [], result, errors = [] } = method
  const at = `method ${name} of ${reading.name}`
  if (!Array.isArray(params)) throw new UsageError(`${at} has no list of params`)
  if (!Array.isArray(errors)) throw new UsageError(`${at} has no list of errors`)
  return {
    ...plainFields(method),
    name,
    params: params.map((each, i) => descriptorOf(each, `param ${i + 1} of ${at}`, reading)),
    ...(result === undefined ? {} : { result: descriptorOf(result, `the result of ${at}`, reading) }),
    errors: errors.map((each, i) => errorOf(each, `error ${i + 1} of ${at}`, reading)),
    ...overloadsIn(method['x-overloads'], at, reading),
  }
}

function overloadsIn(value: unknown, at: string, reading: Reading): Pick<AnyMethod, 'x-overloads'> {
  const overloads = listOf(value, (each) => (isRecord(each) && Array.isArray(each['params']) ? each : undefined))
  return overloads
    ? { 'x-overloads': overloads.map((each, i) => overloadOf(each, `overload ${i + 1} of ${at}`, reading)) }
    : {}
}

/** What is of the right type; anything else is as if it were not there. */
function plainFields(method: Fields): Partial<AnyMethod> {
  const text = (name: string) => (typeof method[name] === 'string' ? { [name]: method[name] } : {})
  const flag = (name: string) => (typeof method[name] === 'boolean' ? { [name]: method[name] } : {})
  const { paramStructure: structure, tags } = method
  const protocols = stringsOf(method['x-protocols'])
  const signatures = listOf(method['x-xmlrpc-signatures'], stringsOf)
  return {
    ...text('summary'),
    ...text('description'),
    ...text('x-since'),
    ...flag('deprecated'),
    ...flag('x-idempotent'),
    ...(structure === 'by-name' || structure === 'by-position' ? { paramStructure: structure } : {}),
    ...(Array.isArray(tags) ? { tags: tags.flatMap(tagOf) } : {}),
    ...(protocols ? { 'x-protocols': protocols } : {}),
    ...(signatures ? { 'x-xmlrpc-signatures': signatures } : {}),
  }
}

function tagOf(tag: unknown): { readonly name: string }[] {
  return isRecord(tag) && typeof tag['name'] === 'string' ? [{ name: tag['name'] }] : []
}

function stringsOf(value: unknown): string[] | undefined {
  return listOf(value, (each) => (typeof each === 'string' ? each : undefined))
}

/** Undefined for what is no list of such values. */
function listOf<Value>(value: unknown, read: (each: unknown) => Value | undefined): Value[] | undefined {
  if (!Array.isArray(value)) return undefined
  const all = value.map(read)
  const known = all.filter((each) => each !== undefined)
  return known.length === all.length ? known : undefined
}

function errorOf(value: unknown, at: string, reading: Reading): { readonly code: number; readonly message: string } {
  const found = behind(value, reading)
  if (!isRecord(found) || typeof found['code'] !== 'number') throw new UsageError(`${at} has no code`)
  const { code, message } = found
  return { code, message: typeof message === 'string' ? message : '' }
}
